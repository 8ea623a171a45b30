import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { LIMITS } from '#web/client/vocabulary.ts';
import { Loaded } from '#web/parts/loaded.tsx';
import { inside, type Json } from '#web/rule/sentence/json.ts';
import { lineWords, type Sentence, sentenceOf, voiceWith } from '#web/rule/sentence/sentence.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { FieldError } from '#web/form/text-field.tsx';
import { type Editing, EditingProvider, type OpenHole } from './editing.ts';
import { type Fault, faultsOf } from './faults.ts';
import { useRuleHome } from '#web/rule/use-rule-home.ts';
import { JsonField } from '#web/rule/control/json-field.tsx';
import { RuleBody, SHEETS } from './rule-body.tsx';

type Props = {
  readonly definition: Json;
  readonly onChange: (definition: Json) => void;
  readonly faults: readonly Fault[];
  /** Takes the name that its sentence proposes. */
  readonly onProposedName: (name: string) => void;
  /** Stands below the sentence, above what most people never open. */
  readonly children?: ComponentChildren;
};

const LISTS = ['triggers', 'conditions', 'steps'] as const;
const loadSettings = async () => (await import('./rule-settings.tsx')).RuleSettings;
const REST_MS = 300;

/** A definition as a sentence with holes, and as the JSON that it is. Both change the same document. */
export function RuleEditor({ definition, onChange, faults, onProposedName, children }: Props) {
  const home = useRuleHome();
  const [open, setOpen] = useState<OpenHole | null>(null);
  useSheets();
  const editing: Editing = useMemo(
    () => ({ definition, change: onChange, home, voice: voiceWith(home), faults, open, setOpen, RuleBody }),
    [definition, onChange, home, faults, open],
  );
  const sentence = sentenceOf(definition, home);
  const proposed = proposedName(sentence);
  useEffect(() => onProposedName(proposed), [proposed]);
  const elsewhere = faultsOf(
    faults,
    '',
    LISTS.map((name) => inside('', name)),
  );
  const onTop = LISTS.flatMap((name) => faults.filter(({ pointer }) => pointer === inside('', name)));
  return (
    <EditingProvider value={editing}>
      {LISTS.map((name) => (
        <section key={name} class="rule-part" aria-label={ruleWords.parts[name]}>
          <h2 class="rule-part-title" aria-hidden="true">
            {ruleWords.parts[name]}
          </h2>
          <RuleBody body={sentence[name]} />
        </section>
      ))}
      {[...elsewhere, ...onTop].map(({ pointer, text }) => (
        <FieldError key={pointer + text} text={text} />
      ))}
      {children}
      <Fold title={editorWords.settings}>
        {() => <Loaded load={loadSettings}>{(RuleSettings) => <RuleSettings />}</Loaded>}
      </Fold>
      <Fold title={editorWords.json}>
        {() => (
          <>
            <p class="soft">{editorWords.jsonText}</p>
            <JsonField label={editorWords.json} value={definition} onValue={onChange} rows={18} />
          </>
        )}
      </Fold>
    </EditingProvider>
  );
}

/** Makes a name of the first step and the first trigger; empty while there is none. */
function proposedName({ triggers, steps }: Sentence): string {
  const [trigger] = triggers.lines;
  const [step] = steps.lines;
  if (trigger === undefined || step === undefined) return '';
  const words = editorWords.proposedName(lineWords(step), lineWords(trigger));
  const name = words.length > LIMITS.name ? lineWords(step) : words;
  return (name.charAt(0).toUpperCase() + name.slice(1)).slice(0, LIMITS.name).trim();
}

/** With the page at rest, so that the first tap opens a sheet at once. A tap tries again what could not be loaded. */
function useSheets(): void {
  useEffect(() => {
    const timer = setTimeout(() => void Promise.allSettled(SHEETS.map((load) => load())), REST_MS);
    return () => clearTimeout(timer);
  }, []);
}

type FoldProps = { readonly title: string; readonly children: () => ComponentChildren };

/** Made when it is opened first. */
function Fold({ title, children }: FoldProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details class="panel help" onToggle={({ currentTarget }) => setWasOpened(wasOpened || currentTarget.open)}>
      <summary>{title}</summary>
      {wasOpened ? children() : null}
    </details>
  );
}
