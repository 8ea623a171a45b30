import type { Effect } from '#core/automation-run/engine.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { definitionOf } from '#test/support/automation/known-home.ts';
import { automation, createVirtualHome } from '#test/support/automation/virtual-home.ts';
import { createCivilTime } from '#automations/civil-time.ts';
import { createTimeZone, type TimeZone } from '#base/time/time-zone.ts';
import { isFree, PLACE } from './oracle-clock.ts';
import { createOracle, tripLine } from './oracle.ts';
import { NOON, ORACLE_HOME, type OracleCase } from './oracle-cases.ts';
import type { Looked, OracleRun } from './oracle-run.ts';
import { idOf } from '#core/automation-run/trace/run-reason.ts';

const HOUR_MS = 3_600_000;
const ZONES = new Map<string, TimeZone>();

export type Life = { readonly runs: readonly string[]; readonly effects: readonly string[] };
export type Lives = {
  readonly engine: Life;
  readonly oracle: Life;
  readonly misjudged: readonly string[];
  /** Two rules fought over a device, and one of them tripped. */
  readonly hasFlapped: boolean;
};

/** Lets the same things happen to the reducer and to the oracle. */
export function liveBoth({ documents, happens, clock = NOON }: OracleCase): Lives {
  const { zone, startMs, isSet } = clock;
  const signedAtMs = startMs;
  const automations = documents.map((document, at) =>
    automation('abc'.charAt(at), definitionOf(document), { signedAtMs }),
  );
  const { modes: _modes, devices, ...rest } = ORACLE_HOME;
  const timeZone = ZONES.get(zone) ?? createTimeZone(zone);
  ZONES.set(zone, timeZone);
  const civil = createCivilTime({ zone: () => timeZone, place: () => PLACE, isFree, timeIn: () => undefined });
  const home = createVirtualHome({
    ...rest,
    startMs,
    isClockSet: isSet,
    civil,
    automations,
    devices: Object.fromEntries(Object.entries(devices).map(([id, values]) => [id, { values }])),
  });
  const oracle = createOracle({ ...ORACLE_HOME, clock }, automations);
  const isOffline = new Set<string>();
  /** Both hear of changes alone. A device that reports has come back before. */
  const reach = (device: string, to: 'offline' | 'online'): void => {
    if (isOffline.has(device) === (to === 'offline')) return;
    if (to === 'offline') isOffline.add(device);
    else isOffline.delete(device);
    for (const side of [home, oracle]) side.setAvailability(device, to);
  };
  let shiftMs = 0;
  let leftMs = HOUR_MS;
  for (const one of happens) {
    if ((leftMs -= one.gapMs) < 0) break;
    for (const side of [home, oracle]) side.advance(one.gapMs);
    const back = 'device' in one ? one.device : undefined;
    if (back !== undefined) reach(back, one.kind === 'availability' ? one.to : 'online');
    if (one.kind === 'blink') {
      reach(one.device, 'offline');
      for (const side of [home, oracle]) side.advance(one.awayMs);
      reach(one.device, 'online');
    }
    if (one.kind === 'value') {
      home.report(one.device, one.key, one.value);
      oracle.report(one, one);
    }
    if (one.kind === 'presence') for (const side of [home, oracle]) side.setPresence(one.person, one.value);
    if (one.kind === 'press') for (const side of [home, oracle]) side.press('remote', one.action);
    if (one.kind === 'clock') {
      const wallMs = home.nowMs() + one.aheadMs;
      home.setClock(wallMs - home.nowMs() - shiftMs);
      shiftMs = one.aheadMs;
      oracle.setClock(wallMs);
    }
    const old = one.kind === 'save' ? automations[one.which] : undefined;
    if (one.kind === 'save' && old !== undefined) {
      const saved = automation(old.id, definitionOf(one.document), {
        version: old.version + 1,
        signedAtMs: home.nowMs() + shiftMs,
      });
      automations[one.which] = saved;
      for (const side of [home, oracle]) side.save(saved);
    }
    if (one.kind === 'mode') for (const side of [home, oracle]) side.setMode('home', one.value);
    if (one.kind === 'variable') for (const side of [home, oracle]) side.setVariable('level', one.value);
    if (one.kind === 'restart') {
      home.restart({ offMs: one.offMs });
      oracle.restart(one.offMs);
    }
    const value = one.kind === 'stale' ? home.value(one.device, one.key) : null;
    if (one.kind === 'stale' && value !== null) {
      home.reportAs(one.device, one.key, { value, quality: 'stale' });
      oracle.report(one, { value, quality: 'stale' });
    }
  }
  for (const side of [home, oracle]) side.advance(Math.min(Math.max(leftMs, 0), 400_000));
  const traces = home.traces().toSorted((left, right) => (startOrder(left) < startOrder(right) ? -1 : 1));
  return {
    engine: {
      runs: traces.map((trace) => lineOf(startMs, { ...trace, facts: trace.trigger, reason: idOf(trace.reason) })),
      effects: home.timed().flatMap(({ atMs, effect }) => effectLines(atMs, effect)),
    },
    oracle: { runs: oracle.runs().map((run) => lineOf(startMs, run)), effects: oracle.effects() },
    misjudged: oracle
      .runs()
      .flatMap(({ looked }, at) => misjudgedIn(traces[at] === undefined ? [] : lookedIn(traces[at]), looked)),
    hasFlapped: home.effects().some((effect) => effect.kind === 'trip' && effect.reason === 'flapping'),
  };
}

/** An id has the time, the number in its process, and at its end the number of the process. */
function startOrder({ id }: AutomationRun): string {
  return `${id.slice(0, 13)} ${id.slice(-8)} ${id}`;
}

type Line = Pick<OracleRun, 'automation' | 'startedAtMs' | 'finishedAtMs' | 'outcome' | 'reason'> & {
  readonly facts: { readonly id: string; readonly from?: unknown; readonly value?: unknown };
};

function lineOf(startMs: number, { automation: id, facts, startedAtMs, finishedAtMs, outcome, reason }: Line): string {
  const timeOf = (ms: number | null): string => (ms === null ? '…' : String((ms - startMs) / 1000));
  const { id: trigger, from = null, value = null } = facts;
  // The contract gives the words of these alone.
  const why = outcome === 'not_met' || outcome === 'skipped' ? `, ${reason ?? ''}` : '';
  const what = `${id} ${trigger} ${JSON.stringify(from)}→${JSON.stringify(value)}`;
  return `${what}, ${timeOf(startedAtMs)} to ${timeOf(finishedAtMs)}: ${outcome}${why}`;
}

/** The conditions of a start, and those that chose a way; a wait looks at its own as often as it wants. */
function lookedIn({ conditions, steps }: AutomationRun): readonly Looked[] {
  const chosen = steps.filter(({ pointer }) => !pointer.endsWith('/wait_for'));
  return [...conditions, ...chosen.flatMap((line) => line.conditions)];
}

/** What the reducer looked at and the oracle saw otherwise. The oracle leaves nothing out, so it saw more. */
function misjudgedIn(seen: readonly Looked[], known: readonly Looked[]): readonly string[] {
  let at = 0;
  return seen.flatMap(({ pointer, result }) => {
    const place = known.findIndex((one, index) => index >= at && one.pointer === pointer);
    if (place >= 0) at = place + 1;
    const right = known[place]?.result;
    return right === result ? [] : [`${pointer}: ${String(result)}, not ${String(right)}`];
  });
}

function effectLines(atMs: number, effect: Effect): readonly string[] {
  if (effect.kind === 'command') {
    const [first] = effect.wishes;
    const set = first !== undefined && 'set' in first[1] ? first[1].set : {};
    return [`${atMs} ${effect.automation} command ${effect.wishes.map(([id]) => id).join()} ${JSON.stringify(set)}`];
  }
  if (effect.kind === 'set_mode')
    return [`${atMs} ${effect.automation} set_mode ${effect.mode} ${JSON.stringify(effect.value)}`];
  if (effect.kind === 'set_variable')
    return [`${atMs} ${effect.automation} set_variable ${effect.variable} ${JSON.stringify(effect.value)}`];
  if (effect.kind === 'trip') return [tripLine(atMs, effect.automation, effect.forMs)];
  return [];
}
