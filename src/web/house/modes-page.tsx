import { useState } from 'preact/hooks';
import type { Mode } from '#web/client/api.ts';
import { conflictAs } from '#web/form/field-faults.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReport } from '#web/parts/use-task.ts';
import { hasOwn } from '#web/since-2021.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { freeKey, modeName, modeWords, withValue } from './mode-words.ts';
import { useModes } from './use-house.ts';

/** The modes of the home and their values, and new ones. */
export function ModesPage() {
  const { value, fault, again } = useModes();
  // A new form after each mode.
  const [count, setCount] = useState(0);
  return (
    <div class="page narrow">
      <PageHead title={houseWords.edit.title} back={{ href: '/settings', label: settingsWords.back }} />
      <p class="soft">{houseWords.edit.text}</p>
      <ReadingView of={{ value: value.value, fault: fault.value, again }}>
        {(modes) => (
          <>
            {[...modes.filter(isHome), ...modes.filter((mode) => !isHome(mode))].map((mode) => (
              <ModeForm key={mode.key} mode={mode} />
            ))}
            <details class="panel help">
              <summary>{houseWords.edit.add}</summary>
              <NewMode key={`new ${count}`} modes={modes} onAdded={() => setCount(count + 1)} />
            </details>
          </>
        )}
      </ReadingView>
    </div>
  );
}

function isHome({ key }: Mode): boolean {
  return key === 'home';
}

/** Changes start from the mode as it is now, so that what others did while the form was open stays. */
function ModeForm({ mode }: { readonly mode: Mode }) {
  const { client, messages } = useHub();
  const { again } = useModes();
  const report = useReport();
  const [name, setName] = useState<string>();
  const form = useForm(['name', 'values']);
  const value = useField(form, 'values', '');
  const shown = modeName(mode);
  const change = async (body: Partial<Mode>): Promise<Mode> => {
    try {
      return await client
        .patchIf<Mode>(mode.revision, `/mode/${mode.key}`, body)
        .catch(conflictAs(houseWords.edit.conflict));
    } finally {
      await again();
    }
  };
  const save = async (): Promise<void> => {
    const added = value.value.trim() === '' ? {} : withValue(mode, value.value.trim());
    if (added === undefined) return form.show({ values: houseWords.edit.twice });
    const saved = await change({ ...(name !== undefined && { name: name.trim() }), ...added });
    setName(undefined);
    value.onValue('');
    messages.show(houseWords.saved(modeName(saved)));
  };
  const drop = (dropped: string): Promise<void> =>
    report(async () => {
      await change({ values: mode.values.filter((one) => one !== dropped) });
      messages.show(houseWords.edit.dropped(modeWords(mode, dropped)));
    });
  return (
    <PanelForm
      form={form}
      title={shown}
      submit={isHome(mode) ? houseWords.edit.addValue : settingsWords.save}
      isIdle={name === undefined && value.value === ''}
      needed={{ name: name ?? mode.name }}
      onSubmit={save}
    >
      <ul>
        {mode.values.map((one) => (
          <ValueRow key={one} words={modeWords(mode, one)} why={whyItStays(mode, one)} onDrop={() => void drop(one)} />
        ))}
      </ul>
      {isHome(mode) ? null : (
        <TextField
          label={houseWords.name}
          value={name ?? mode.name}
          onValue={setName}
          error={form.faults['name']}
          input={NAME_INPUT}
        />
      )}
      <TextField
        label={
          isHome(mode) ? houseWords.edit.addTo(mode.values.map((one) => modeWords(mode, one))) : houseWords.edit.value
        }
        hint={houseWords.edit.valueHint}
        {...value}
        input={{ maxLength: 40 }}
      />
      {isHome(mode) ? null : (
        <RemoveButton
          path={`/mode/${mode.key}`}
          label={houseWords.edit.remove}
          question={houseWords.removeQuestion(mode.name)}
          text={houseWords.edit.removeText}
          removed={houseWords.removed(mode.name)}
          after={again}
        />
      )}
    </PanelForm>
  );
}

type RowProps = {
  readonly words: string;
  /** Why it cannot be dropped. */
  readonly why?: string | undefined;
  readonly onDrop: () => void;
};

function ValueRow({ words, why, onDrop }: RowProps) {
  return (
    <li class="row">
      <span class="row-text">
        <bdi class="row-title">{words}</bdi>
        {why === undefined ? null : <span class="row-note">{why}</span>}
      </span>
      {why === undefined ? (
        <button type="button" class="button" aria-label={houseWords.edit.dropValue(words)} onClick={onDrop}>
          {settingsWords.exporters.remove}
        </button>
      ) : null}
    </li>
  );
}

/** The hub would refuse to drop it; `undefined` if it would not. */
function whyItStays(mode: Mode, value: string): string | undefined {
  if (value === mode.value) return houseWords.edit.inUse;
  if (value === mode.next) return houseWords.edit.follows;
  if (isHome(mode) && hasOwn(pageWords.modes, value)) return houseWords.edit.everyHub;
  return mode.values.length <= 2 ? houseWords.edit.fewest : undefined;
}

const NO_VALUES: Pick<Mode, 'values' | 'value_names'> = { values: [], value_names: {} };

function NewMode({ modes, onAdded }: { readonly modes: readonly Mode[]; readonly onAdded: () => void }) {
  const { client, messages } = useHub();
  const { again } = useModes();
  const form = useForm(['name', 'values'], { NAME_TAKEN: 'name' });
  const name = useField(form, 'name', '');
  const value = useField(form, 'values', '');
  const [given, setGiven] = useState(NO_VALUES);
  /** The values with the one that stands in the field; `undefined` after it was refused. */
  const withTyped = () => {
    const typed = value.value.trim();
    const all = typed === '' ? given : withValue(given, typed);
    if (all === undefined) form.show({ values: houseWords.edit.twice });
    return all;
  };
  const addValue = (): void => {
    const all = withTyped();
    if (all === undefined) return;
    setGiven(all);
    value.onValue('');
    form.show(value.value.trim() === '' ? { values: pageWords.field.required } : {});
  };
  const add = async (): Promise<void> => {
    const all = withTyped();
    if (all === undefined) return;
    if (all.values.length < 2) return form.show({ values: houseWords.edit.tooFew });
    const key = freeKey(
      name.value,
      modes.map((mode) => mode.key),
      'mode',
    );
    await client.call('POST', '/mode', { key, name: name.value.trim(), ...all });
    messages.show(houseWords.saved(name.value.trim()));
    await again();
    onAdded();
  };
  return (
    <FormFrame form={form} class="form" onSubmit={() => form.submit(add, { name: name.value })}>
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      <TextField label={houseWords.name} hint={houseWords.edit.nameHint} {...name} input={NAME_INPUT} />
      {given.values.length === 0 ? null : (
        <ul>
          {given.values.map((one) => (
            <ValueRow
              key={one}
              words={given.value_names[one] ?? one}
              onDrop={() => setGiven({ ...given, values: given.values.filter((other) => other !== one) })}
            />
          ))}
        </ul>
      )}
      <TextField
        label={houseWords.edit.valueNumber(given.values.length + 1)}
        hint={houseWords.edit.valuesHint}
        {...value}
        input={{ maxLength: 40 }}
      />
      <div class="form-buttons">
        <button type="button" class="button" onClick={addValue}>
          {houseWords.edit.another}
        </button>
        <button type="submit" class="button button-main" aria-disabled={form.isBusy}>
          {form.isBusy ? settingsWords.saving : houseWords.edit.addIt}
        </button>
      </div>
    </FormFrame>
  );
}
