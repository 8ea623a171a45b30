import { PRICED_FLOWS, TARIFF_KINDS, WEEKDAYS } from '#web/client/vocabulary.ts';
import { useHub } from '#web/hub.ts';
import { localTime } from '#web/strings/hub-zone.ts';
import { Choice } from '#web/form/choice.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { FieldError, TextField } from '#web/form/text-field.tsx';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { unitOf } from '#web/energy/energy-table.tsx';
import type { FieldContext } from './series-field.tsx';
import { newTariff, NO_PRICE, type PriceDraft, type TariffDraft, withEntry } from './settings-draft.ts';
import type { PartProps } from './source-fields.tsx';

/** Asks what a unit costs, from which day on, and at which times. */
export function TariffFields({ draft, onDraft, context }: PartProps) {
  const { time } = useHub();
  const { tariffs } = draft;
  const set = (changed: readonly TariffDraft[]): void => onDraft({ ...draft, tariffs: changed });
  return (
    <section class="panel form">
      <p class="form-text">{energyWords.set.tariffsText}</p>
      {tariffs.map((tariff, index) => (
        <Tariff
          key={tariff.id}
          tariff={tariff}
          pointer={`/tariffs/${index}`}
          faults={context.faults}
          onTariff={(changed) => set(withEntry(tariffs, index, changed))}
        />
      ))}
      <button
        type="button"
        class="button"
        onClick={() => set([...tariffs, newTariff(tariffs, Number(localTime(time.nowMs.value).slice(0, 4)))])}
      >
        {energyWords.set.addTariff}
      </button>
    </section>
  );
}

type TariffProps = {
  readonly tariff: TariffDraft;
  readonly pointer: string;
  readonly faults: FieldContext['faults'];
  /** `null` removes it. */
  readonly onTariff: (tariff: TariffDraft | null) => void;
};

function Tariff({ tariff, pointer, faults, onTariff }: TariffProps) {
  const change = (changed: Partial<TariffDraft>): void => onTariff({ ...tariff, ...changed });
  const title = energyWords.set.tariff(energyWords.flows[tariff.for], tariff.valid_from);
  return (
    <fieldset class="energy-fields">
      <legend>{title}</legend>
      <SelectField
        label={energyWords.set.tariffFor}
        value={tariff.for}
        onValue={(chosen) => change({ for: PRICED_FLOWS.find((one) => one === chosen) ?? tariff.for })}
        options={PRICED_FLOWS.map((flow) => [flow, energyWords.flows[flow]])}
        error={faults[`${pointer}/for`]}
      />
      <TextField
        label={energyWords.set.validFrom}
        type="date"
        value={tariff.valid_from}
        onValue={(day) => change({ valid_from: day })}
        hint={energyWords.set.validFromHint}
        error={faults[`${pointer}/valid_from`]}
      />
      <TextField
        label={energyWords.set.currency}
        value={tariff.currency}
        onValue={(text) => change({ currency: text.trim().toUpperCase() })}
        hint={energyWords.set.currencyHint}
        error={faults[`${pointer}/currency`]}
        input={{ maxLength: 3, autocapitalize: 'characters', spellcheck: false }}
      />
      <SelectField
        label={energyWords.set.kind}
        value={tariff.kind}
        onValue={(chosen) => change({ kind: TARIFF_KINDS.find((one) => one === chosen) ?? tariff.kind })}
        options={TARIFF_KINDS.map((kind) => [kind, energyWords.set.kinds[kind]])}
        error={faults[`${pointer}/kind`]}
      />
      {tariff.kind === 'pushed' ? <p class="field-hint">{energyWords.set.pushedHint(tariff.id)}</p> : null}
      <Prices {...{ tariff, pointer, faults }} onPrices={(prices) => change({ prices })} />
      <FieldError text={faults[`${pointer}/prices`] ?? faults[`${pointer}/id`]} />
      <button type="button" class="button button-danger" onClick={() => onTariff(null)}>
        {energyWords.set.removeTariff(title)}
      </button>
    </fieldset>
  );
}

type PricesProps = Pick<TariffProps, 'tariff' | 'pointer' | 'faults'> & {
  readonly onPrices: (prices: readonly PriceDraft[]) => void;
};

function Prices({ tariff: { kind, prices, for: flow, currency }, pointer, faults, onPrices }: PricesProps) {
  const label = energyWords.set.price(unitOf(flow) === 'm3' ? 'm³' : 'kWh', currency);
  if (kind !== 'times') {
    const first = prices[0] ?? NO_PRICE;
    return (
      <PriceField
        label={kind === 'pushed' ? energyWords.set.fallback(label) : label}
        value={first.price}
        onValue={(price) => onPrices(withEntry(prices, 0, { ...first, price }))}
        error={faults[`${pointer}/prices/0/price`]}
      />
    );
  }
  return (
    <>
      <p class="field-hint">{energyWords.set.timesHint}</p>
      {prices.map((price, index) => (
        <TimedPrice
          key={index}
          {...{ price, label, faults }}
          number={index + 1}
          pointer={`${pointer}/prices/${index}`}
          onPrice={(changed) => onPrices(withEntry(prices, index, changed))}
        />
      ))}
      <button type="button" class="button" onClick={() => onPrices([...prices, NO_PRICE])}>
        {energyWords.set.addPrice}
      </button>
    </>
  );
}

type TimedPriceProps = {
  readonly price: PriceDraft;
  readonly number: number;
  readonly label: string;
  readonly pointer: string;
  readonly faults: FieldContext['faults'];
  readonly onPrice: (price: PriceDraft | null) => void;
};

function TimedPrice({ price, number, label, pointer, faults, onPrice }: TimedPriceProps) {
  const change = (changed: Partial<PriceDraft>): void => onPrice({ ...price, ...changed });
  return (
    <fieldset class="energy-fields">
      <legend>{energyWords.set.priceNumber(number)}</legend>
      <PriceField
        label={label}
        value={price.price}
        onValue={(text) => change({ price: text })}
        error={faults[`${pointer}/price`]}
      />
      <div class="energy-times">
        {(['from', 'to'] as const).map((end) => (
          <TextField
            key={end}
            label={energyWords.set[end]}
            type="time"
            value={price[end]}
            onValue={(time) => change({ [end]: time })}
            error={faults[`${pointer}/${end}`]}
          />
        ))}
      </div>
      <fieldset class="energy-days">
        <legend class="field-label">{energyWords.set.days}</legend>
        {WEEKDAYS.map((day) => (
          <Choice
            key={day}
            type="checkbox"
            label={energyWords.set.weekdays[day]}
            isChosen={price.days.includes(day)}
            onChoice={(isChosen) =>
              change({ days: WEEKDAYS.filter((one) => (one === day ? isChosen : price.days.includes(one))) })
            }
          />
        ))}
        <FieldError text={faults[`${pointer}/days`]} />
      </fieldset>
      <button type="button" class="button" onClick={() => onPrice(null)}>
        {energyWords.set.removePrice(number)}
      </button>
    </fieldset>
  );
}

type PriceFieldProps = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (text: string) => void;
  readonly error: string | undefined;
};

function PriceField(props: PriceFieldProps) {
  return <TextField {...props} input={{ inputMode: 'decimal', maxLength: 12 }} />;
}
