import { useState } from 'preact/hooks';
import { SelectField } from '#web/form/select-field.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useHub } from '#web/hub.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { choicesOf } from '#web/energy/series-choices.ts';
import { type FieldContext, SeriesField } from './series-field.tsx';
import { type Consumer, withChangedConsumer, withoutConsumer } from './settings-draft.ts';
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
      <h2 class="form-title">{energyWords.consumers}</h2>
      <p class="form-text">{energyWords.set.consumersText}</p>
      {consumers.map((consumer, index) => (
        <ConsumerField
          key={index}
          {...{ consumer, nameOf, context }}
          others={consumers.filter((one) => one !== consumer)}
          pointer={`/consumers/${index}`}
          onConsumer={(changed) => set(withChangedConsumer(consumers, index, changed))}
          onRemove={() => set(withoutConsumer(consumers, index))}
        />
      ))}
      <AddConsumers
        context={context}
        onAdd={(series) => set([...consumers, ...series.map((one) => ({ series: one, name: null, within: null }))])}
      />
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
  readonly onRemove: () => void;
};

function ConsumerField(props: ConsumerProps) {
  const { consumer, others, nameOf, pointer, context, onConsumer, onRemove } = props;
  const { series, name, within } = consumer;
  return (
    <fieldset class="energy-fields">
      <legend>
        <bdi>{nameOf(consumer)}</bdi>
      </legend>
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
      <button type="button" class="button button-danger" onClick={onRemove}>
        {energyWords.set.removeConsumer(nameOf(consumer))}
      </button>
    </fieldset>
  );
}

type AddProps = { readonly context: FieldContext; readonly onAdd: (series: readonly string[]) => void };

function AddConsumers({ context, onAdd }: AddProps) {
  const { home } = useHub();
  const [chosen, setChosen] = useState<string | null>(null);
  const free = choicesOf(home.entries.value, 'energy').filter(({ series }) => !context.used.has(series));
  const counters = free.filter(({ capability }) => capability === 'energy');
  if (free.length === 0) return <p class="soft">{energyWords.set.nothingLeft}</p>;
  return (
    <>
      <SeriesField
        label={energyWords.set.newConsumer}
        role="energy"
        value={chosen}
        onValue={setChosen}
        pointer="/consumers"
        none={energyWords.set.choose}
        context={context}
      />
      <div class="row-buttons">
        {counters.length < 2 ? null : (
          <button type="button" class="button" onClick={() => onAdd(counters.map(({ series }) => series))}>
            {energyWords.set.addAll(counters.length)}
          </button>
        )}
        <button
          type="button"
          class="button"
          aria-disabled={chosen === null}
          onClick={() => {
            // A button and no reaction to the choice: the arrow keys choose one after the other.
            if (chosen !== null) onAdd([chosen]);
            setChosen(null);
          }}
        >
          {energyWords.set.addConsumer}
        </button>
      </div>
    </>
  );
}
