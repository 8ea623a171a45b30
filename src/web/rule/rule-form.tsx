import { useEffect, useMemo, useState } from 'preact/hooks';
import type { AutomationSaved } from '#web/client/api.ts';
import { LIMITS } from '#web/client/vocabulary.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Loaded } from '#web/parts/loaded.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { RowsSkeleton } from '#web/parts/reading-view.tsx';
import { page as pageWords } from '#web/strings/en/page.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { type Fault, faultsFrom } from '#web/rule/editor/faults.ts';
import { useStrip } from '#web/rule/past/use-strip.ts';
import type { RuleDraft } from './rule-draft.ts';
import { RuleOutlook } from '#web/rule/editor/rule-outlook.tsx';
import { isObject, type Json } from '#web/rule/sentence/json.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { useLeaving } from './use-leaving.ts';
import { useRuleCheck } from './use-rule-check.ts';

type Props = {
  readonly first: RuleDraft;
  /** Absent for a new one. */
  readonly selector?: string;
  /** What the past is compared with. */
  readonly saved?: { readonly id: string; readonly version: number };
  /** Somebody else saved it since `first` was read. */
  readonly isOutdated?: boolean;
  /** Begins from what was read since; absent while that is nothing. */
  readonly onNewer?: (() => void) | undefined;
  /** `mine`: over what somebody else saved meanwhile. */
  readonly save: (draft: RuleDraft, note: string, how: 'usual' | 'mine') => Promise<AutomationSaved>;
  readonly onSaved: (saved: AutomationSaved) => void;
  readonly onTheirs?: () => void;
  /** Leads back to reading; absent for a new one. */
  readonly onEnd?: () => void;
};

const loadEditor = async () => (await import('#web/rule/editor/rule-editor.tsx')).RuleEditor;

/** An automation that is being edited: nothing reaches the hub before it is saved, but the hub is asked meanwhile. */
export function RuleForm({ first, selector, saved, isOutdated = false, onNewer, save, onSaved, ...ways }: Props) {
  const [draft, setDraft] = useState(first);
  const [note, setNote] = useState('');
  const form = useForm(['name', 'description', 'room', 'note']);
  const check = useRuleCheck(draft, selector);
  const isSame = JSON.stringify(draft) === JSON.stringify(first);
  const hasNewer = onNewer !== undefined;
  useEffect(() => {
    if (isSame) onNewer?.();
  }, [isSame, hasNewer]);
  const strip = useStrip({
    definition: draft.definition,
    saved,
    isChanged: JSON.stringify(draft.definition) !== JSON.stringify(first.definition),
    isGood: check.answer !== null && check.of === JSON.stringify(draft.definition),
  });
  const letGo = useLeaving(!isSame);
  const [proposed, setProposed] = useState('');
  const name = draft.name.trim() === '' ? proposed : draft.name;
  const { saveAs, isConflict, refused, forget } = useSaving(
    (how) => save({ ...draft, name }, note.trim(), how),
    (kept) => {
      letGo();
      onSaved(kept);
    },
  );
  const change = (part: Partial<RuleDraft>): void => {
    forget();
    setDraft((before) => ({ ...before, ...part }));
  };
  const faults = useMemo(() => mergedFaults(refused, check.faults), [refused, check.faults]);
  return (
    <FormFrame
      form={form}
      class="form rule-form"
      onSubmit={() => {
        if (!isSame) form.submit(() => saveAs('usual'), { name });
      }}
    >
      <Loaded load={loadEditor} waiting={<RowsSkeleton rows={6} />}>
        {(RuleEditor) => (
          <RuleEditor
            definition={draft.definition}
            onChange={(definition: Json) => isObject(definition) && change({ definition })}
            faults={faults}
            onProposedName={setProposed}
          >
            <NameField draft={draft} proposed={proposed} error={form.faults['name']} onChange={change} />
            <RuleOutlook check={check} faults={faults} strip={strip} isSame={isSame} />
          </RuleEditor>
        )}
      </Loaded>
      <Details draft={draft} faults={form.faults} onChange={change} />
      {selector === undefined || isSame ? null : (
        <TextField
          label={rulePageWords.note}
          value={note}
          onValue={setNote}
          input={{ maxLength: LIMITS.note }}
          error={form.faults['note']}
        />
      )}
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      {(isOutdated || isConflict) && !isSame ? (
        <Conflict onTheirs={ways.onTheirs} onMine={() => form.submit(() => saveAs('mine'))} />
      ) : null}
      <SaveBar
        isSame={isSame}
        onEnd={ways.onEnd}
        isBusy={form.isBusy}
        onDiscard={() => setDraft(first)}
        onStrip={check.answer === null ? undefined : strip.show}
      />
    </FormFrame>
  );
}

type NameProps = {
  readonly draft: RuleDraft;
  /** It is called so while nobody gives it a name. */
  readonly proposed: string;
  readonly error: string | undefined;
  readonly onChange: (part: Partial<RuleDraft>) => void;
};

function NameField({ draft: { name }, proposed, error, onChange }: NameProps) {
  const hint = proposed === '' ? rulePageWords.nameExample : editorWords.withoutName(proposed);
  return (
    <TextField
      label={rulePageWords.name}
      value={name}
      onValue={(own) => onChange({ name: own })}
      hint={name === '' ? hint : undefined}
      error={error}
      input={NAME_INPUT}
    />
  );
}

type Save = (how: 'usual' | 'mine') => Promise<AutomationSaved>;

/** Saves, and tells a document that the hub refuses from somebody else having been quicker. */
function useSaving(save: Save, onSaved: Props['onSaved']) {
  const { messages } = useHub();
  const [refused, setRefused] = useState<readonly Fault[]>([]);
  const [isConflict, setIsConflict] = useState(false);
  const saveAs = async (how: 'usual' | 'mine'): Promise<void> => {
    try {
      const saved = await save(how);
      setIsConflict(false);
      messages.show(rulePageWords.saved(saved.name));
      onSaved(saved);
    } catch (cause) {
      if (!(cause instanceof HubProblem)) throw cause;
      if (cause.code === 'PRECONDITION_FAILED') return setIsConflict(true);
      const inDocument = faultsFrom('', cause.errors).filter(({ pointer }) => !DETAILS.test(pointer));
      setRefused(inDocument);
      if (inDocument.length === 0) throw cause;
    }
  };
  return { saveAs, isConflict, refused, forget: () => setRefused([]) };
}

type ConflictProps = { readonly onTheirs: (() => void) | undefined; readonly onMine: () => void };

/** Both ways on after somebody else was quicker: nothing is overwritten unasked. */
function Conflict({ onTheirs, onMine }: ConflictProps) {
  return (
    <Notice tone="warn" text={rulePageWords.conflict}>
      <div class="row-buttons notice-button">
        <button type="button" class="button" onClick={onTheirs}>
          {rulePageWords.showTheirs}
        </button>
        <button type="button" class="button" onClick={onMine}>
          {rulePageWords.saveMine}
        </button>
      </div>
    </Notice>
  );
}

type BarProps = {
  readonly isSame: boolean;
  readonly isBusy: boolean;
  readonly onDiscard: () => void;
  /** Shows what the change would have been; absent while the hub does not understand it. */
  readonly onStrip: (() => void) | undefined;
  readonly onEnd: (() => void) | undefined;
};

function SaveBar({ isSame, isBusy, onDiscard, onStrip, onEnd }: BarProps) {
  return (
    <div class={isSame ? 'form-buttons' : 'form-buttons save-bar'}>
      {isSame ? (
        onEnd === undefined ? null : (
          <button type="button" class="button" onClick={onEnd}>
            {pageWords.close}
          </button>
        )
      ) : (
        <>
          <button type="button" class="button" onClick={onDiscard}>
            {rulePageWords.discard}
          </button>
          <button type="button" class="button" aria-disabled={onStrip === undefined} onClick={onStrip}>
            {rulePageWords.lastDays}
          </button>
        </>
      )}
      <button type="submit" class="button button-main" aria-disabled={isBusy || isSame}>
        {isBusy ? rulePageWords.saving : rulePageWords.save}
      </button>
    </div>
  );
}

const DETAILS = /^\/(?:name|description|room|note|labels)\b/;

/** Joins the faults of a refusal and those of the check: each once. */
function mergedFaults(one: readonly Fault[], other: readonly Fault[]): readonly Fault[] {
  const key = ({ pointer, text }: Fault): string => `${pointer} ${text}`;
  const known = new Set(one.map(key));
  return [...one, ...other.filter((fault) => !known.has(key(fault)))];
}

type DetailsProps = {
  readonly draft: RuleDraft;
  readonly faults: Readonly<Record<string, string | undefined>>;
  readonly onChange: (part: Partial<RuleDraft>) => void;
};

function Details({ draft, faults, onChange }: DetailsProps) {
  const { home } = useHub();
  const rooms = home.rooms.value.map(({ selector, name }) => [selector, name] as const);
  return (
    <details class="panel help">
      <summary>{rulePageWords.details}</summary>
      <SelectField
        label={rulePageWords.room}
        value={draft.room ?? ''}
        options={[['', rulePageWords.noRoom], ...rooms]}
        onValue={(room) => onChange({ room: room === '' ? null : room })}
        error={faults['room']}
      />
      <label class="field">
        <span class="field-label">{rulePageWords.description}</span>
        <textarea
          class="input"
          rows={3}
          maxLength={LIMITS.description}
          value={draft.description}
          onInput={({ currentTarget }) => onChange({ description: currentTarget.value })}
        />
      </label>
    </details>
  );
}
