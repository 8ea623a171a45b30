import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';

/** A series is chosen for one of these. */
export type Role = 'energy' | 'returned' | 'power' | 'gas' | 'water' | 'level';

/** A feature that fits, as a person chooses it. */
export type SeriesChoice = {
  /** `<selector>/<key>`, as the API names it. */
  readonly series: string;
  readonly device: string;
  readonly room: string | undefined;
  readonly name: string;
  readonly capability: string;
  /** The hub adds it up, where an amount is asked for. */
  readonly isPower: boolean;
};

/** The capabilities that fit best come first. */
const CAPABILITIES: Readonly<Record<Role, readonly string[]>> = {
  energy: ['energy', 'energy_returned'],
  returned: ['energy_returned', 'energy'],
  gas: ['gas_volume'],
  water: ['water_volume'],
  power: ['power'],
  level: ['battery', 'battery_level', 'state_of_charge'],
};
const UNITS: Readonly<Record<Role, string>> = {
  energy: 'kWh',
  returned: 'kWh',
  power: 'W',
  gas: 'm3',
  water: 'm3',
  level: 'percent',
};

/**
 * The features that the hub takes in this place: counters first, then powers, which it adds up. Its own device, which
 * shows what was chosen, is none of them.
 */
export function choicesOf(entries: readonly DeviceEntry[], role: Role): readonly SeriesChoice[] {
  const found = entries.flatMap(({ device: { value: device } }) =>
    device.integration === 'energy'
      ? []
      : device.features.flatMap((feature) => {
          const rank = rankOf(feature, role);
          if (rank === null) return [];
          const { key, name, unit, capability } = feature;
          const series = `${device.selector}/${key}`;
          const room = device.room?.name;
          const choice = { series, device: device.name, room, name, capability, isPower: unit === 'W' };
          return [{ rank, choice }];
        }),
  );
  return found.sort((left, right) => left.rank - right.rank).map(({ choice }) => choice);
}

function rankOf({ kind, value_type: type, unit, capability }: Feature, role: Role): number | null {
  if (kind !== 'state' || type !== 'number') return null;
  const fitting = CAPABILITIES[role];
  const rank = fitting.indexOf(capability);
  if (unit === UNITS[role]) {
    if (rank >= 0) return rank;
    // Only what counts for ever can be counted; a power or a level may have any name.
    return role === 'power' || role === 'level' ? fitting.length : null;
  }
  return unit === 'W' && (role === 'energy' || role === 'returned') ? fitting.length : null;
}
