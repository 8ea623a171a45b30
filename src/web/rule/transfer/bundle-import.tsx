import type { AutomationImported } from '#web/client/api.ts';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import { FileFaults, Pointer } from './file-faults.tsx';
import { type Foreign, useBundle } from './use-bundle.ts';

/** Automations from a file: what would be made of them, what this home lacks, and what to take instead. */
export function BundleImport({ body }: { readonly body: JsonObject }) {
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
      {lost.length === 0 ? null : (
        <Notice tone="danger" text={rulePageWords.rightsLost}>
          <ul class="points">
            {lost.map(({ pointer, right }) => (
              <li key={pointer}>
                <Pointer pointer={pointer} /> {right}
              </li>
            ))}
          </ul>
        </Notice>
      )}
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
