import { useState } from 'preact/hooks';
import type { Mode } from '#web/client/api.ts';
import { conflictAs } from '#web/form/field-faults.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReport } from '#web/parts/use-task.ts';
import { hasOwn } from '#web/since-2021.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { keyFrom, modeName, modeWords, newModeKey, valuesFrom } from './mode-words.ts';
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
            <NewMode key={`new ${count}`} modes={modes} onAdded={() => setCount(count + 1)} />
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
    const added = keyFrom(value.value);
    if (value.value.trim() !== '') {
      if (added === undefined) return form.show({ values: houseWords.edit.badValue });
      if (mode.values.includes(added)) return form.show({ values: houseWords.edit.twice });
    }
    const saved = await change({
      ...(name !== undefined && { name: name.trim() }),
      ...(added !== undefined && {
        values: [...mode.values, added],
        value_names: { [added]: value.value.trim() },
      }),
    });
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
      submit={settingsWords.save}
      isIdle={name === undefined && value.value === ''}
      needed={{ name: name ?? mode.name }}
      onSubmit={save}
    >
      <ul>
        {mode.values.map((one) => (
          <ValueRow key={one} mode={mode} value={one} onDrop={() => void drop(one)} />
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
      <TextField label={houseWords.edit.value} hint={houseWords.edit.valueHint} {...value} input={{ maxLength: 40 }} />
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

type RowProps = { readonly mode: Mode; readonly value: string; readonly onDrop: () => void };

function ValueRow({ mode, value, onDrop }: RowProps) {
  const words = modeWords(mode, value);
  const why = whyItStays(mode, value);
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

function NewMode({ modes, onAdded }: { readonly modes: readonly Mode[]; readonly onAdded: () => void }) {
  const { client, messages } = useHub();
  const { again } = useModes();
  const form = useForm(['name', 'values'], { NAME_TAKEN: 'name' });
  const name = useField(form, 'name', '');
  const values = useField(form, 'values', '');
  const add = async (): Promise<void> => {
    const read = valuesFrom(values.value);
    if (read === undefined) return form.show({ values: houseWords.edit.tooFew });
    await client.call('POST', '/mode', { key: newModeKey(name.value, modes), name: name.value.trim(), ...read });
    messages.show(houseWords.saved(name.value.trim()));
    await again();
    onAdded();
  };
  return (
    <PanelForm
      form={form}
      title={houseWords.edit.add}
      submit={houseWords.edit.addIt}
      needed={{ name: name.value, values: values.value }}
      onSubmit={add}
    >
      <TextField label={houseWords.name} {...name} input={NAME_INPUT} />
      <TextField
        label={houseWords.edit.values}
        hint={houseWords.edit.valuesHint}
        {...values}
        input={{ maxLength: 400 }}
      />
    </PanelForm>
  );
}
