import type { JsonValue } from '#base/json.ts';
import type { AvailabilityState, DeviceDescription } from '#core/device/device.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import { VOCABULARY, type VocabularyWord } from '#core/feature/vocabulary.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { OfferedDevice } from '#integrations/integration.ts';

/** From 0 to below 1. */
export type Dice = () => number;
export type Values = ReadonlyMap<string, JsonValue>;

/** A change of a device some time after its cause. */
export type Step = {
  readonly afterMs: number;
  readonly values?: Values;
  readonly occurrence?: { readonly key: string; readonly occurrence: Occurrence };
  readonly availability?: { readonly state: AvailabilityState; readonly reason: string | null };
};

export type Habit = {
  /** Shortest and longest pause between two runs. */
  readonly everyMs: readonly [number, number];
  readonly live: (values: Values, dice: Dice) => readonly Step[];
};

export type SimulatedDevice = {
  readonly description: DeviceDescription;
  /** Empty for a device that nobody has put anywhere yet. */
  readonly room: string;
  readonly initial: Values;
  /** The reaction to a command that fits its features. */
  readonly react: (command: Pick<DeviceCommand, 'set' | 'transitionMs'>, values: Values, dice: Dice) => readonly Step[];
  readonly habits: readonly Habit[];
  /** Sleeps between its reports, as battery devices do. */
  readonly isSleepy?: true;
  /** Its first interview fails, as with real devices far from the hub. */
  readonly isShy?: true;
};

/** A feature on component `main`, as the vocabulary defines it. */
export function featureOf(word: VocabularyWord, details: Partial<Feature> = {}): Feature {
  const { kind, valueType, unit, writable, category } = VOCABULARY[word];
  const name = word.replaceAll('_', ' ');
  return {
    key: word,
    capability: word,
    component: 'main',
    kind,
    category,
    name: name.charAt(0).toUpperCase() + name.slice(1),
    description: null,
    valueType,
    readable: kind === 'state',
    writable,
    unit,
    min: unit === 'percent' ? 0 : null,
    max: unit === 'percent' ? 100 : null,
    step: unit === 'percent' ? 1 : null,
    options: null,
    schema: null,
    ...details,
  };
}

export function valuesOf(values: { readonly [key: string]: JsonValue }): Values {
  return new Map(Object.entries(values));
}

export function numberAt(values: Values, key: string): number {
  const value = values.get(key);
  return typeof value === 'number' ? value : 0;
}

/** A random number between the two, evenly distributed. */
export function between([low, high]: readonly [number, number], dice: Dice): number {
  return low + (high - low) * dice();
}

/** One step of a random walk within bounds. */
export function wander(value: number, range: { min: number; max: number; by: number }, dice: Dice): number {
  return Math.min(range.max, Math.max(range.min, value + range.by * (2 * dice() - 1)));
}

/** The device as the hub gets it. */
export function offerOf({ description, room }: SimulatedDevice): OfferedDevice {
  return room === '' ? description : { ...description, suggestedRoom: room };
}
