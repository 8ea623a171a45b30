import { useId, useState, useEffect } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { LostRights } from '#web/rule/editor/rule-outlook.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { useTask } from '#web/parts/use-task.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import type { AutomationTemplate, AutomationImported, FieldError } from '#web/client/api.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { listed } from '#web/strings/en/grammar.ts';
import { ruleKinds as kindWords } from '#web/strings/en/rule/kinds.ts';
import { readTransferFile, type TransferFile, askedOf } from './transfer-file.ts';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useRules } from '#web/rule/use-rules.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { fieldWords } from '#web/form/field-faults.ts';
import { inEnglish, type Worded } from '#web/strings/hub-text.ts';
import { problemWords } from '#web/strings/problem-words.ts';

const TEMPLATES = '/automation_template';

/** Takes automations or a template from a file, after it was shown what is in it. */
export function ImportPage() {
  const { account } = useHub();
  const id = useId();
  const [read, setRead] = useState<{ readonly file: TransferFile; readonly number: number }>();
  const choose = async (file: File | undefined): Promise<void> => {
    const found = file === undefined ? undefined : await readTransferFile(file);
    setRead((before) => found && { file: found, number: (before?.number ?? 0) + 1 });
  };
  const file = read?.file;
  return (
    <div class="page narrow">
      <PageHead title={transferWords.title} back={{ href: '/rule', label: rulePageWords.all }} />
      <p class="soft">{transferWords.text}</p>
      <div class="field">
        <label class="field-label" for={id}>
          {transferWords.file}
        </label>
        <input
          id={id}
          class="file-input"
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
      </div>
      {file?.kind === 'fault' ? <Notice tone="danger" text={transferWords.fileFaults[file.fault]} /> : null}
      {file?.kind === 'bundle' ? <BundleImport key={read?.number} body={file.body} /> : null}
      {file?.kind === 'template' && account.can('automation:manage') ? (
        <TemplateImport key={read?.number} body={file.body} />
      ) : null}
    </div>
  );
}

/** A template from a file: what it is for and may do, before it is kept. */
function TemplateImport({ body }: { readonly body: JsonObject }) {
  const { client, messages, router } = useHub();
  const [found, setFound] = useState<Worded<AutomationTemplate>>();
  const [fault, setFault] = useState<FileFault>();
  useEffect(() => {
    void faultIfRefused(async () =>
      setFound(inEnglish(await client.call<AutomationTemplate>('POST', `${TEMPLATES}?dry_run=true`, body))),
    ).then(setFault);
  }, [client, body]);
  const take = useTask(async () => {
    const refused = await faultIfRefused(async () => {
      const { id, name } = inEnglish(await client.call<AutomationTemplate>('POST', TEMPLATES, body));
      messages.show(transferWords.templateTaken(name));
      router.go(`/rule_template/${encodeURIComponent(id)}`);
    });
    setFault(refused);
  });
  if (found === undefined) return fault === undefined ? null : <FileFaults fault={fault} />;
  const steps = found.step_kinds.map((kind) => kindWords.step[kind]?.[0] ?? kind);
  return (
    <section class="panel form" aria-label={found.name}>
      <h2 class="form-title">
        <bdi>{found.name}</bdi>
      </h2>
      <p>
        <bdi>{found.description}</bdi>
      </p>
      <p>{transferWords.templateDoes(listed(steps))}</p>
      <p>{transferWords.templateAsks(listed(Object.values(found.inputs).map(({ label }) => label)))}</p>
      {fault === undefined ? null : <FileFaults fault={fault} />}
      <div class="form-buttons">
        <button type="button" class="button button-main" aria-disabled={take.isRunning} onClick={take.run}>
          {take.isRunning ? transferWords.taking : transferWords.takeTemplate}
        </button>
      </div>
    </section>
  );
}

/** Automations from a file: what would be made of them, what this home lacks, and what to take instead. */
function BundleImport({ body }: { readonly body: JsonObject }) {
  const { trial, fault, asked, chosen, choose, take } = useBundle(body);
  if (trial === undefined) return fault === undefined ? null : <FileFaults fault={fault} />;
  const { automations, unresolved, rights_lost: lost } = trial;
  const isWhole = unresolved.length === 0 && lost.length === 0;
  return (
    <section class="panel form" aria-label={transferWords.inFile(automations.length)}>
      <h2 class="form-title">{transferWords.inFile(automations.length)}</h2>
      <Names of={automations} />
      {[...asked].map(([key, foreign]) => (
        <Missing
          key={key}
          foreign={foreign}
          pointers={unresolved.flatMap((one) => (`${one.kind}/${one.id}` === key ? [one.pointer] : []))}
          value={chosen[key] ?? ''}
          onValue={(value) => choose(key, value)}
        />
      ))}
      <Matched of={trial.matched} />
      <LostRights tone="danger" of={lost} />
      {fault === undefined ? null : <FileFaults fault={fault} />}
      <p class="soft">{transferWords.offAtFirst}</p>
      <div class="form-buttons">
        <button
          type="button"
          class="button button-main"
          aria-disabled={take.isRunning || !isWhole}
          onClick={() => (isWhole ? take.run() : undefined)}
        >
          {take.isRunning ? transferWords.taking : transferWords.take}
        </button>
      </div>
    </section>
  );
}

function Names({ of }: { readonly of: AutomationImported['automations'] }) {
  return (
    <ul class="points">
      {of.map(({ name, warnings }, at) => (
        <li key={at}>
          <bdi>{name}</bdi>
          {warnings.map(({ pointer, message }) => (
            <p key={pointer} class="soft">
              <Pointer pointer={pointer} /> {message}
            </p>
          ))}
        </li>
      ))}
    </ul>
  );
}

function Matched({ of }: { readonly of: AutomationImported['matched'] }) {
  if (of.length === 0) return null;
  return (
    <>
      <p>{transferWords.matched}</p>
      <ul class="points">
        {of.map(({ kind, id, name, target }) => (
          <li key={`${kind}/${id}`}>
            <bdi>{name ?? id}</bdi> → <bdi>{target.name}</bdi>
          </li>
        ))}
      </ul>
    </>
  );
}

type MissingProps = {
  readonly foreign: Foreign;
  /** Where it is named in the file; none once something was chosen. */
  readonly pointers: readonly string[];
  readonly value: string;
  readonly onValue: (value: string) => void;
};

/** A thing that this home does not have, and what to take in its place. */
function Missing({ foreign: { kind, id, name }, pointers, value, onValue }: MissingProps) {
  const { home } = useHub();
  const hint = pointers.map((pointer) => <Pointer key={pointer} pointer={pointer} />);
  const common = { label: transferWords.insteadOf(name ?? id), value, onValue, ...(hint.length === 0 ? {} : { hint }) };
  const things =
    kind === 'device' || kind === 'group'
      ? home.entries.value.map(({ device }) => device.value)
      : kind === 'room'
        ? home.rooms.value
        : undefined;
  // The page has no list of other kinds: their selector is typed.
  if (things === undefined) return <TextField {...common} input={{ maxLength: 200 }} />;
  const options = things
    .map((one): readonly [string, string] => [one.selector, one.name])
    .sort(([, left], [, right]) => left.localeCompare(right));
  return <SelectField {...common} options={[['', transferWords.notChosen], ...options]} />;
}

type Foreign = AutomationImported['unresolved'][number];
const PATH = '/automation_import';

/** Automations of a file: the hub says what it would make of them after each choice, and makes them at the end. */
function useBundle(body: JsonObject) {
  const { client, messages, router } = useHub();
  const { again } = useRules();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const [asked, setAsked] = useState<ReadonlyMap<string, Foreign>>(new Map());
  const [trial, setTrial] = useState<AutomationImported>();
  const [fault, setFault] = useState<FileFault>();
  const map = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== ''));
  const wanted = Object.keys(map).length === 0 ? body : { ...body, map };
  useEffect(() => {
    let isOld = false;
    void faultIfRefused(async () => {
      const found = await client.call<AutomationImported>('POST', `${PATH}?dry_run=true`, wanted);
      if (isOld) return;
      setTrial(found);
      setAsked((before) => new Map([...before, ...askedOf(found.unresolved)]));
    }).then((refused) => (isOld ? undefined : setFault(refused)));
    return () => {
      isOld = true;
    };
  }, [client, body, chosen]);
  const take = useTask(async () => {
    const refused = await faultIfRefused(async () => {
      const { automations } = await client.call<AutomationImported>('POST', PATH, wanted);
      messages.show(transferWords.taken(automations.length));
      await again();
      const [only] = automations;
      router.go(automations.length === 1 && only?.selector ? `/rule/${only.selector}` : '/rule');
    });
    setFault(refused);
  });
  return {
    /** What the hub would make of it; absent until it has said so. */
    trial,
    fault,
    /** All that was not found at first, by the name that `map` gives it: what was chosen stays in sight. */
    asked,
    chosen,
    choose: (key: string, value: string): void => setChosen((before) => ({ ...before, [key]: value })),
    take,
  };
}

/** The hub refused a file: each fault has its place in it, or one sentence says it where it has no place. */
type FileFault = { readonly words: string; readonly errors: readonly FieldError[] };

async function faultIfRefused(task: () => Promise<unknown>): Promise<FileFault | undefined> {
  try {
    await task();
    return undefined;
  } catch (cause) {
    if (cause instanceof HubProblem) return { words: problemWords(cause), errors: cause.errors };
    if (cause instanceof TypeError) return { words: problemWords(cause), errors: [] };
    throw cause;
  }
}

function FileFaults({ fault }: { readonly fault: FileFault }) {
  if (fault.errors.length === 0) return <Notice tone="danger" text={fault.words} />;
  return (
    <Notice tone="danger" text={transferWords.faults}>
      <ul class="points">
        {fault.errors.map((error) => (
          <li key={error.pointer}>
            <Pointer pointer={error.pointer} /> {fieldWords(error)}
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** The place in the file, as the hub names it. */
function Pointer({ pointer }: { readonly pointer: string }) {
  return <code class="rule-pointer">{pointer}</code>;
}
