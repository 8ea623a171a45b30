import { FieldError } from '#web/form/text-field.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { type FieldContext, SeriesField, SeriesList } from './series-field.tsx';
import { type Battery, NO_BATTERY, type SettingsDraft, withEntry } from './settings-draft.ts';

export type PartProps = {
  readonly draft: SettingsDraft;
  readonly onDraft: (draft: SettingsDraft) => void;
  readonly context: FieldContext;
};

/** Asks what measures the energy from the grid and into it, and its power now. */
export function GridFields({ draft, onDraft, context }: PartProps) {
  const { grid } = draft;
  const change = (changed: Partial<SettingsDraft['grid']>): void =>
    onDraft({ ...draft, grid: { ...grid, ...changed } });
  return (
    <section class="panel form">
      <SeriesList
        label={energyWords.flows.import}
        role="energy"
        list={grid.import}
        onList={(list) => change({ import: list })}
        pointer="/grid/import"
        context={context}
      />
      <SeriesList
        label={energyWords.flows.export}
        role="returned"
        list={grid.export}
        onList={(list) => change({ export: list })}
        pointer="/grid/export"
        context={context}
      />
      <PowerFields
        label={energyWords.set.gridPower}
        hint={energyWords.set.gridPowerHint}
        signs={['import', 'export']}
        signLabel={energyWords.set.positive}
        power={grid.power}
        onPower={(power) => change({ power })}
        pointer="/grid/power"
        context={context}
      />
    </section>
  );
}

type Power<Sign extends string> = { readonly series: string; readonly positive: Sign } | null;

type PowerProps<Sign extends string> = {
  readonly label: string;
  readonly hint?: string;
  readonly signs: readonly [Sign, Sign];
  readonly signLabel: string;
  readonly power: Power<Sign>;
  readonly onPower: (power: Power<Sign>) => void;
  readonly pointer: string;
  readonly context: FieldContext;
};

/** A power with both signs, and what a positive value means. */
function PowerFields<Sign extends keyof typeof energyWords.set.signs>(props: PowerProps<Sign>) {
  const { label, hint, signs, signLabel, power, onPower, pointer, context } = props;
  return (
    <>
      <SeriesField
        label={label}
        role="power"
        value={power?.series ?? null}
        onValue={(series) => onPower(series === null ? null : { series, positive: power?.positive ?? signs[0] })}
        pointer={`${pointer}/series`}
        context={context}
        {...(hint !== undefined && { hint })}
      />
      {power === null ? null : (
        <SelectField
          label={signLabel}
          value={power.positive}
          onValue={(chosen) => onPower({ ...power, positive: signs.find((one) => one === chosen) ?? signs[0] })}
          options={signs.map((sign) => [sign, energyWords.set.signs[sign]])}
        />
      )}
    </>
  );
}

type MeterProps = PartProps & { readonly flow: 'solar' | 'gas' | 'water' };

/** Asks for the meters of the sun, of gas or of water. */
export function MeterFields({ flow, draft, onDraft, context }: MeterProps) {
  return (
    <section class="panel form">
      <SeriesList
        label={energyWords.flows[flow]}
        role={flow === 'solar' ? 'energy' : flow}
        list={draft[flow]}
        onList={(list) => onDraft({ ...draft, [flow]: list })}
        pointer={`/${flow}`}
        context={context}
        {...(flow === 'solar' && { hint: energyWords.set.solarHint })}
      />
    </section>
  );
}

export function BatteryFields({ draft, onDraft, context }: PartProps) {
  const change = (index: number, battery: Battery | null): void =>
    onDraft({ ...draft, battery: withEntry(draft.battery, index, battery) });
  return (
    <section class="panel form">
      {draft.battery.map((battery, index) => (
        <fieldset key={index} class="energy-fields">
          <legend>{energyWords.set.battery(index + 1)}</legend>
          {(['charge', 'discharge'] as const).map((side) => (
            <SeriesField
              key={side}
              label={energyWords.flows[side]}
              role={side === 'charge' ? 'energy' : 'returned'}
              value={battery[side]}
              onValue={(series) => change(index, { ...battery, [side]: series })}
              pointer={`/battery/${index}/${side}`}
              context={context}
            />
          ))}
          <PowerFields
            label={energyWords.set.batteryPower}
            signs={['charge', 'discharge']}
            signLabel={energyWords.set.positive}
            power={battery.power}
            onPower={(power) => change(index, { ...battery, power })}
            pointer={`/battery/${index}/power`}
            context={context}
          />
          <SeriesField
            label={energyWords.set.level}
            role="level"
            value={battery.level}
            onValue={(level) => change(index, { ...battery, level })}
            pointer={`/battery/${index}/level`}
            context={context}
          />
          <FieldError text={context.faults[`/battery/${index}`]} />
          <button type="button" class="button button-danger" onClick={() => change(index, null)}>
            {energyWords.set.removeBattery(index + 1)}
          </button>
        </fieldset>
      ))}
      <button
        type="button"
        class="button"
        onClick={() => onDraft({ ...draft, battery: [...draft.battery, NO_BATTERY] })}
      >
        {energyWords.set.addBattery}
      </button>
    </section>
  );
}
