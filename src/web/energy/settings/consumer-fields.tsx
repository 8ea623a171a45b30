import { Choice } from '#web/form/choice.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useHub } from '#web/hub.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { choicesOf, type SeriesChoice } from '#web/energy/series-choices.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { type FieldContext, SeriesField } from './series-field.tsx';
import {
  type Consumer,
  type SettingsDraft,
  usedSeries,
  withChangedConsumer,
  withoutConsumer,
} from './settings-draft.ts';
import type { PartProps } from './source-fields.tsx';

/** Asks what uses energy and is measured apart, and through whose meter it runs. */
export function ConsumerFields({ draft, onDraft, context }: PartProps) {
  const { home } = useHub();
  const { consumers } = draft;
  const set = (changed: readonly Consumer[]): void => onDraft({ ...draft, consumers: changed });
  const nameOf = ({ series, name }: Consumer): string =>
    name ?? home.find(series.slice(0, series.indexOf('/')))?.device.value.name ?? series;
  return (
    <section class="panel form">
      <p class="form-text">{energyWords.set.questionText.consumers}</p>
      <ConsumerList draft={draft} onDraft={onDraft} />
      {consumers.map((consumer, index) => (
        <ConsumerField
          key={index}
          {...{ consumer, nameOf, context }}
          others={consumers.filter((one) => one !== consumer)}
          pointer={`/consumers/${index}`}
          onConsumer={(changed) => set(withChangedConsumer(consumers, index, changed))}
        />
      ))}
    </section>
  );
}

type ConsumerProps = {
  readonly consumer: Consumer;
  readonly others: readonly Consumer[];
  readonly nameOf: (consumer: Consumer) => string;
  readonly pointer: string;
  readonly context: FieldContext;
  readonly onConsumer: (consumer: Consumer) => void;
};

function ConsumerField(props: ConsumerProps) {
  const { consumer, others, nameOf, pointer, context, onConsumer } = props;
  const { series, name, within } = consumer;
  return (
    <details class="more" open={['series', 'name', 'within'].some((field) => context.faults[`${pointer}/${field}`])}>
      <summary>
        <bdi>{nameOf(consumer)}</bdi>
      </summary>
      <SeriesField
        label={energyWords.set.measuredBy}
        role="energy"
        value={series}
        none={null}
        onValue={(chosen) => onConsumer({ ...consumer, series: chosen ?? series })}
        pointer={`${pointer}/series`}
        context={context}
      />
      <TextField
        label={energyWords.set.name}
        value={name ?? ''}
        onValue={(text) => onConsumer({ ...consumer, name: text === '' ? null : text })}
        hint={energyWords.set.nameHint}
        error={context.faults[`${pointer}/name`]}
        input={NAME_INPUT}
      />
      {others.length === 0 && within === null ? null : (
        <SelectField
          label={energyWords.set.within}
          value={within ?? ''}
          onValue={(chosen) => onConsumer({ ...consumer, within: chosen === '' ? null : chosen })}
          options={[['', energyWords.set.withinNone], ...others.map((one) => [one.series, nameOf(one)] as const)]}
          hint={energyWords.set.withinHint}
          error={context.faults[`${pointer}/within`]}
        />
      )}
    </details>
  );
}

/** The counters that stand neither at the grid nor at what makes energy, and powers of devices that count nothing. */
export function freeCounters(entries: readonly DeviceEntry[], draft: SettingsDraft): readonly SeriesChoice[] {
  const own = new Set(draft.consumers.map(({ series }) => series));
  const deviceOf = (series: string): string => series.slice(0, series.indexOf('/'));
  const taken = new Set([...usedSeries({ ...draft, consumers: [] })].map(deviceOf));
  const all = choicesOf(entries, 'energy');
  const counting = new Set(
    all.filter(({ capability }) => capability === 'energy').map(({ series }) => deviceOf(series)),
  );
  return all.filter(({ series, capability, isPower }) => {
    if (own.has(series)) return true;
    const fits = capability === 'energy' || (isPower && !counting.has(deviceOf(series)));
    return fits && !taken.has(deviceOf(series));
  });
}

/** Everything that could be a consumer, as a list to check. */
export function ConsumerList({ draft, onDraft }: Pick<PartProps, 'draft' | 'onDraft'>) {
  const { home } = useHub();
  const { consumers } = draft;
  const choices = freeCounters(home.entries.value, draft);
  const set = (changed: readonly Consumer[]): void => onDraft({ ...draft, consumers: changed });
  if (choices.length === 0) return <p class="soft">{energyWords.set.nothingLeft}</p>;
  return (
    <div class="choice-list" role="group" aria-label={energyWords.set.questions.consumers}>
      {choices.map(({ series, device, room, name, isPower }) => {
        const index = consumers.findIndex((one) => one.series === series);
        const isAlone = choices.filter((one) => one.device === device).length === 1;
        return (
          <Choice
            key={series}
            type="checkbox"
            label={
              isPower ? energyWords.set.addedUp(device, name) : isAlone ? device : energyWords.set.feature(device, name)
            }
            note={room}
            isChosen={index >= 0}
            onChoice={(isChosen) =>
              set(isChosen ? [...consumers, { series, name: null, within: null }] : withoutConsumer(consumers, index))
            }
          />
        );
      })}
    </div>
  );
}
