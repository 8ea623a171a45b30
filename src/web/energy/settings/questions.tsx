import { Choice } from '#web/form/choice.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useHub } from '#web/hub.ts';
import { choicesOf } from '#web/energy/series-choices.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { symbolWords } from '#web/strings/amount-words.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { localTime } from '#web/strings/hub-zone.ts';
import { currencyOf } from './currencies.ts';
import { ConsumerList, freeCounters } from './consumer-fields.tsx';
import { batteryOf, gridOf, isBattery, type Meter, metersOf, solarOf } from './likely.ts';
import { newTariff, NO_PRICE, type SettingsDraft, withoutSeries } from './settings-draft.ts';
import type { PartProps } from './source-fields.tsx';

/** The parts of the settings, in the order in which a home is asked for them. */
export const PARTS = ['grid', 'solar', 'battery', 'gas', 'water', 'consumers', 'tariffs'] as const;
export type Part = (typeof PARTS)[number];

/** The parts of which the home has something that could be the answer. */
export function askedParts(entries: readonly DeviceEntry[], draft: SettingsDraft): readonly Part[] {
  const meters = metersOf(entries);
  const has: Readonly<Record<Part, boolean>> = {
    grid: meters.length > 0,
    solar: answersOf('solar', draft, entries).length > 0,
    battery: meters.some(isBattery),
    gas: choicesOf(entries, 'gas').length > 0,
    water: choicesOf(entries, 'water').length > 0,
    consumers: freeCounters(entries, draft).length > 0,
    tariffs: true,
  };
  return PARTS.filter((part) => has[part]);
}

type Props = Pick<PartProps, 'draft' | 'onDraft'>;

/** Asks for one part of the settings. What is chosen here measures nothing else from then on. */
export function Question({ part, ...parts }: PartProps & { readonly part: Part }) {
  if (part === 'grid') return <GridQuestion {...parts} />;
  if (part === 'consumers') return <ConsumerList {...parts} />;
  if (part === 'tariffs') return <PriceQuestion {...parts} />;
  return <MeterQuestion key={part} part={part} {...parts} />;
}

function isAtGrid({ grid }: SettingsDraft, { energy, returned, power }: Meter): boolean {
  const used = new Set([...grid.import, ...grid.export, grid.power?.series]);
  return [energy, returned, power].some((series) => series !== null && used.has(series));
}

const seriesOf = ({ energy, returned, power }: Meter): readonly (string | null)[] => [energy, returned, power];

function GridQuestion({ draft, onDraft }: Props) {
  const meters = metersOf(useHub().home.entries.value);
  const chosen = meters.find((one) => isAtGrid(draft, one));
  const choose = (meter: Meter | undefined): void => {
    const none = withoutSeries(draft, [...seriesOf(chosen ?? NO_METER), ...seriesOf(meter ?? NO_METER)]);
    onDraft(meter === undefined ? none : { ...none, grid: gridOf(meter) });
  };
  return (
    <div class="choice-list" role="radiogroup" aria-label={energyWords.set.questions.grid}>
      {meters.map((one) => (
        <Choice
          key={one.selector}
          type="radio"
          name="grid"
          label={one.name}
          note={one.room}
          isChosen={one === chosen}
          onChoice={() => choose(one)}
        />
      ))}
      <Choice
        type="radio"
        name="grid"
        label={energyWords.set.noneOfThese}
        isChosen={chosen === undefined}
        onChoice={() => choose(undefined)}
      />
    </div>
  );
}

const NO_METER: Meter = {
  selector: '',
  name: '',
  room: undefined,
  energy: null,
  returned: null,
  power: null,
  level: null,
};

/** A device that may be chosen beside others. */
type Answer = {
  readonly name: string;
  readonly note: string | undefined;
  readonly series: readonly (string | null)[];
  readonly isChosen: boolean;
  readonly addTo: (draft: SettingsDraft) => SettingsDraft;
};
type MeterPart = Exclude<Part, 'grid' | 'consumers' | 'tariffs'>;

function answersOf(part: MeterPart, draft: SettingsDraft, entries: readonly DeviceEntry[]): readonly Answer[] {
  if (part === 'gas' || part === 'water') {
    return choicesOf(entries, part).map(({ series, device, name }) => ({
      name: device,
      note: name,
      series: [series],
      isChosen: draft[part].includes(series),
      addTo: (to) => ({ ...to, [part]: [...to[part], series] }),
    }));
  }
  const meters = metersOf(entries).filter((one) => (part === 'battery' ? isBattery(one) : !isAtGrid(draft, one)));
  const chosen =
    part === 'solar'
      ? draft.solar
      : draft.battery.flatMap(({ charge, discharge, power }) => [charge, discharge, power?.series]);
  return meters.map((one) => ({
    name: one.name,
    note: one.room,
    series: seriesOf(one),
    isChosen: seriesOf(one).some((series) => series !== null && chosen.includes(series)),
    addTo: (to) =>
      part === 'solar'
        ? { ...to, solar: [...to.solar, ...solarOf(one)] }
        : { ...to, battery: [...to.battery, batteryOf(one)] },
  }));
}

/** Several devices may be the answer: two roofs, or a meter of warm and one of cold water. */
function MeterQuestion({ part, draft, onDraft }: Props & { readonly part: MeterPart }) {
  const answers = answersOf(part, draft, useHub().home.entries.value);
  return (
    <div class="choice-list" role="group" aria-label={energyWords.set.questions[part]}>
      {answers.map(({ name, note, series, isChosen, addTo }) => (
        <Choice
          key={series.join(' ')}
          type="checkbox"
          {...{ label: name, note, isChosen }}
          onChoice={(isWanted) => {
            const none = withoutSeries(draft, series);
            onDraft(isWanted ? addTo(none) : none);
          }}
        />
      ))}
    </div>
  );
}

/** One price that holds all day is enough to begin with. */
function PriceQuestion({ draft, onDraft, context }: PartProps) {
  const { time } = useHub();
  const flows = draft.grid.export.length > 0 ? (['import', 'export'] as const) : (['import'] as const);
  const { tariffs } = draft;
  const currency = tariffs[0]?.currency ?? currencyOf();
  const set = (flow: (typeof flows)[number], price: string): void => {
    const others = tariffs.filter((one) => one.for !== flow);
    const year = Number(localTime(time.nowMs.value).slice(0, 4));
    const own = { ...newTariff(others, year, flow), prices: [{ ...NO_PRICE, price }] };
    onDraft({ ...draft, tariffs: price.trim() === '' ? others : [...others, own] });
  };
  return (
    <>
      {flows.map((flow) => {
        const index = tariffs.findIndex((one) => one.for === flow);
        return (
          <TextField
            key={flow}
            label={energyWords.set.pay[flow](symbolWords(currency))}
            hint={energyWords.set.payHint[flow]}
            value={tariffs[index]?.prices[0]?.price ?? ''}
            onValue={(price) => set(flow, price)}
            error={context.faults[`/tariffs/${index}/prices/0/price`]}
            input={{ inputMode: 'decimal', maxLength: 12 }}
          />
        );
      })}
      {currencyOf() !== '' || tariffs.length === 0 ? null : (
        <TextField
          label={energyWords.set.currency}
          hint={energyWords.set.currencyHint}
          value={currency}
          onValue={(text) =>
            onDraft({ ...draft, tariffs: tariffs.map((one) => ({ ...one, currency: text.trim().toUpperCase() })) })
          }
          error={context.faults['/tariffs/0/currency']}
          input={{ maxLength: 3, autocapitalize: 'characters', spellcheck: false }}
        />
      )}
    </>
  );
}
