import type { JsonObject } from '#base/json.ts';
import { numberAt, type Part, reading, type Source } from './source.ts';

const WH_PER_KWH = 1_000;

/** Makes what a channel measures of its own load. */
export function loadSources(part: Part): Source[] {
  return [
    ...reading(part, 'power', numberAt('apower')),
    ...reading(part, 'voltage', numberAt('voltage')),
    ...reading(part, 'current', numberAt('current')),
    ...reading(part, 'frequency', numberAt('freq')),
    ...reading(part, 'power_factor', numberAt('pf')),
    ...reading(part, 'energy', numberAt('aenergy.total', 1 / WH_PER_KWH)),
    ...reading(part, 'energy_returned', numberAt('ret_aenergy.total', 1 / WH_PER_KWH)),
    ...reading(part, 'device_temperature', numberAt('temperature.tC')),
  ];
}

/** A meter of one phase. */
export function phaseMeterSources(part: Part): Source[] {
  return phaseSources(part, '');
}

/** A meter of three phases, with what they are together on the component itself. */
export function meterSources(part: Part): Source[] {
  return [
    ...reading(part, 'power', numberAt('total_act_power')),
    ...reading(part, 'apparent_power', numberAt('total_aprt_power')),
    ...reading(part, 'current', numberAt('total_current')),
    ...PHASES.flatMap((phase) => phaseSources(phasePart(part, phase), `${phase}_`)),
    ...reading(phasePart(part, 'n'), 'current', numberAt('n_current')),
  ];
}

/** The energy that a meter of three phases has counted. */
export function meterEnergySources(part: Part): Source[] {
  return [
    ...energySources(part, 'total_act', 'total_act_ret'),
    ...PHASES.flatMap((phase) =>
      energySources(phasePart(part, phase), `${phase}_total_act_energy`, `${phase}_total_act_ret_energy`),
    ),
  ];
}

export function phaseEnergySources(part: Part): Source[] {
  return energySources(part, 'total_act_energy', 'total_act_ret_energy');
}

const PHASES = ['a', 'b', 'c'] as const;

function phasePart(part: Part, phase: string): Part {
  const own = phase === 'n' ? 'neutral' : `phase_${phase}`;
  return { ...part, name: part.name === 'main' ? own : `${part.name}_${own}` };
}

function phaseSources(part: Part, prefix: string): Source[] {
  return [
    ...reading(part, 'power', numberAt(`${prefix}act_power`)),
    ...reading(part, 'apparent_power', numberAt(`${prefix}aprt_power`)),
    ...reading(part, 'voltage', numberAt(`${prefix}voltage`)),
    ...reading(part, 'current', numberAt(`${prefix}current`)),
    ...reading(part, 'power_factor', numberAt(`${prefix}pf`)),
    ...reading(part, 'frequency', numberAt(`${prefix}freq`)),
  ];
}

function energySources(part: Part, imported: string, exported: string): Source[] {
  return [
    ...reading(part, 'energy', numberAt(imported, 1 / WH_PER_KWH)),
    ...reading(part, 'energy_returned', numberAt(exported, 1 / WH_PER_KWH)),
  ];
}

/** True while the device names a fault of this channel, as too much power or heat. It lists them only then. */
export function problemSource(part: Part): Source[] {
  return reading(part, 'problem', ({ errors }: JsonObject) => Array.isArray(errors) && errors.length > 0);
}
