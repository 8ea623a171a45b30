import * as fc from 'fast-check';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { START_MS } from '#test/support/automation/virtual-home.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import type { OracleClock } from './oracle-clock.ts';
import {
  boolean,
  civilDocumentOf,
  documentOf,
  DOOR,
  level,
  loopDocument,
  METER,
  mode,
  MOTION,
  POWERS,
  switched,
} from './oracle-documents.ts';
import type { OracleHome } from './oracle-world.ts';

/** A thing that happens in the home, so long after the one before. */
export type Happens = { readonly gapMs: number } & (
  | { readonly kind: 'value'; readonly device: string; readonly key: string; readonly value: JsonValue }
  | { readonly kind: 'stale'; readonly device: string; readonly key: string }
  | { readonly kind: 'availability'; readonly device: string; readonly to: 'offline' | 'online' }
  /** It is away for a while and comes back as it was. */
  | { readonly kind: 'blink'; readonly device: string; readonly awayMs: number }
  | { readonly kind: 'mode'; readonly value: string }
  | { readonly kind: 'variable'; readonly value: number }
  | { readonly kind: 'presence'; readonly person: string; readonly value: PresenceState }
  | { readonly kind: 'press'; readonly action: string }
  /** The clock on the wall is put so far ahead of where it began. */
  | { readonly kind: 'clock'; readonly aheadMs: number }
  /** An automation is saved anew. */
  | { readonly kind: 'save'; readonly which: number; readonly document: JsonObject }
  | { readonly kind: 'restart'; readonly offMs: number }
);
export type OracleCase = {
  readonly documents: readonly JsonObject[];
  readonly happens: readonly Happens[];
  readonly clock?: OracleClock;
};

export const NOON: OracleClock = { zone: 'UTC', startMs: START_MS, isSet: true };
export const ORACLE_HOME: Omit<OracleHome, 'clock'> = {
  devices: {
    motion: { motion: false },
    door: { open: null },
    meter: { power: 48 },
    lamp: { on: false, brightness: 10 },
    remote: { button: null },
  },
  modes: { home: 'home' },
  variables: { level: 0 },
  people: { mia: 'home', tom: 'unknown' },
};
const gap = fc.oneof(
  fc.constant(0),
  fc.integer({ min: 1, max: 100 }).map((tenths) => tenths * 100),
  fc.integer({ min: 1, max: 60 }).map((found) => found * 1000),
  fc.integer({ min: 10, max: 200 }).map((found) => found * 1000),
);
const AHEAD_MINUTES = [-70, -20, -2, -0.1, 0, 0.1, 2, 4, 20, 70];
const clockStep = fc
  .constantFrom(...AHEAD_MINUTES)
  .map((minutes) => ({ kind: 'clock' as const, aheadMs: minutes * 60_000 }));
const restart = fc.constantFrom(0, 2_000, 9_000, 40_000, 400_000).map((offMs) => ({ kind: 'restart' as const, offMs }));
const saving = (document: fc.Arbitrary<JsonObject>) =>
  fc.record({ kind: fc.constant('save' as const), which: fc.integer({ min: 0, max: 2 }), document });
const happensIn = (document: fc.Arbitrary<JsonObject>): fc.Arbitrary<Happens> =>
  fc
    .tuple(
      gap,
      fc.oneof(
        fc
          .tuple(switched, boolean)
          .map(([source, value]) => ({ kind: 'value' as const, ...source, value: value as JsonValue })),
        fc.constantFrom(...POWERS).map((value) => ({ kind: 'value' as const, ...METER, value: value as JsonValue })),
        fc.constantFrom(MOTION, DOOR, METER).map((source) => ({ kind: 'stale' as const, ...source })),
        fc.record({
          kind: fc.constant('availability' as const),
          device: fc.constantFrom('motion', 'door', 'meter'),
          to: fc.constantFrom('offline' as const, 'online' as const),
        }),
        fc.record({
          kind: fc.constant('blink' as const),
          device: fc.constantFrom('motion', 'door', 'meter'),
          awayMs: fc.constantFrom(500, 2_000, 15_000, 30_000),
        }),
        mode.map((value) => ({ kind: 'mode' as const, value })),
        level.map((value) => ({ kind: 'variable' as const, value })),
        fc.record({
          kind: fc.constant('presence' as const),
          person: fc.constantFrom('mia', 'tom'),
          value: fc.constantFrom('home' as const, 'away' as const, 'unknown' as const),
        }),
        fc.constantFrom('single', 'double').map((action) => ({ kind: 'press' as const, action })),
        clockStep,
        saving(document),
        restart,
      ),
    )
    .map(([gapMs, what]) => ({ gapMs, ...what }));

const CLOCKS: readonly OracleClock[] = [
  NOON,
  { ...NOON, isSet: false },
  // Sunset, the end of a Sunday, an hour left out, and one that comes twice.
  { zone: 'Europe/Berlin', startMs: Date.UTC(2026, 10, 22, 14, 40), isSet: true },
  { zone: 'Europe/Berlin', startMs: Date.UTC(2026, 10, 22, 22, 40), isSet: true },
  { zone: 'Europe/Berlin', startMs: Date.UTC(2026, 2, 29, 0, 40), isSet: true },
  { zone: 'Europe/Berlin', startMs: Date.UTC(2026, 9, 25, 0, 20), isSet: true },
];

/** One to three automations, and up to an hour of a home. */
export const oracleCase: fc.Arbitrary<OracleCase> = fc.constantFrom(...CLOCKS).chain((clock) => {
  const document = documentOf(clock);
  return fc.record({
    documents: fc.array(document, { minLength: 1, maxLength: 3, size: 'max' }),
    happens: fc.array(happensIn(document), { minLength: 3, maxLength: 60, size: 'max' }),
    clock: fc.constant(clock),
  });
});

/** The same of times of the clock alone: nothing happens but edits, corrections of the clock and restarts. */
export const civilCase: fc.Arbitrary<OracleCase> = fc.constantFrom(...CLOCKS).chain((clock) => {
  const document = civilDocumentOf(clock);
  const happens = fc
    .tuple(gap, fc.oneof(clockStep, saving(document), restart))
    .map(([gapMs, what]): Happens => ({ gapMs, ...what }));
  return fc.record({
    documents: fc.array(document, { minLength: 1, maxLength: 2 }),
    happens: fc.array(happens, { minLength: 3, maxLength: 30, size: 'max' }),
    clock: fc.constant(clock),
  });
});

/** Automations that start themselves, and what feeds them. */
export const loopCase: fc.Arbitrary<OracleCase> = fc.record({
  documents: fc.array(loopDocument, { minLength: 1, maxLength: 2 }),
  happens: fc.array(
    fc
      .tuple(
        fc.oneof({ weight: 3, arbitrary: gap }, fc.constantFrom(0, 100, 599_000, 600_000)),
        fc.oneof(
          { weight: 4, arbitrary: mode.map((value) => ({ kind: 'mode' as const, value })) },
          { weight: 4, arbitrary: level.map((value) => ({ kind: 'variable' as const, value })) },
          saving(loopDocument),
          restart,
        ),
      )
      .map(([gapMs, what]): Happens => ({ gapMs, ...what })),
    { minLength: 2, maxLength: 10, size: 'max' },
  ),
});
