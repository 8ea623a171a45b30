import type { JsonValue } from '#base/json.ts';
import { type Cause, causeBy } from '#core/cause/cause.ts';
import type { CommandStatus } from '#core/command/command.ts';
import type { AutomationId, HistoryQuestion } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import {
  createEngine,
  type Due,
  type Effect,
  type Engine,
  type Input,
  type RunView,
  type SavedEntry,
} from '#core/automation-run/engine.ts';
import { stepInPieces } from '#core/automation-run/step.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { AvailabilityState, Device, DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type FeatureState, type Quality, UNREPORTED } from '#core/feature/feature.ts';
import { HOME_MODE } from '#core/mode/mode.ts';
import type { CivilTime } from '#automations/civil-time.ts';
import type { User } from '#core/person/user.ts';
import { type PresenceState, unknownPresence } from '#core/presence/presence.ts';
import { civilOf, createCivilDue, deviceOf, type DeviceSetting, restoredStates, valuesOf } from './virtual-device.ts';
import { outcomeLine } from '#test/support/automation/outcome-line.ts';

export const START_MS = Date.UTC(2026, 10, 22, 12);

export type HomeSettings = {
  readonly devices: Readonly<Record<string, DeviceSetting>>;
  readonly automations?: readonly Automation[];
  readonly scenes?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, JsonValue>>>>>>;
  readonly variables?: Readonly<Record<string, JsonValue>>;
  readonly startMs?: number;
  readonly isClockSet?: boolean;
  /** How devices answer commands: by reporting the value after 300 ms, not at all, or the hub refuses them. */
  readonly answer?: 'report' | 'silence' | 'failure' | 'refusal';
  /** After so many effects the power is cut and comes back at once. */
  readonly cutAfter?: number;
  readonly seed?: string;
  readonly hear?: (event: HomeEvent, atMs: number) => void;
  /** Called after each piece of the work on an input. */
  readonly afterPiece?: (engine: Engine) => void;
  /** Absent: only what `civilTime` knows. */
  readonly civil?: CivilTime;
  readonly people?: Readonly<Record<string, PresenceState>>;
  /** What the past says at a moment. */
  readonly history?: (question: HistoryQuestion, atMs: number) => number | undefined;
};

type Command = Extract<Effect, { kind: 'command' }>;
export type Given = { readonly atMs: number; readonly command: Command };

/** An automation as its document says, with what people usually leave out. */
export function automation(id: string, part: Partial<Definition>, details: Partial<Automation> = {}): Automation {
  return {
    id: id as AutomationId,
    version: 1,
    state: 'ready',
    broken: [],
    signedAtMs: START_MS,
    isDurable: part.durable === 'always',
    ...details,
    definition: {
      mode: { kind: 'single', max: 1 },
      yield_to_hand_s: 0,
      release_on_mode: false,
      durable: 'auto',
      on_broken: 'stop',
      limits: 'usual',
      allow_sensitive: [],
      variables: {},
      triggers: [],
      conditions: [],
      steps: [],
      ...part,
    },
  };
}

/** What outlives a power cut. */
type Disk = Map<string, { readonly value: JsonValue; readonly dueMs: number }>;

/**
 * A home in one process: devices that answer, a clock, timers, a disk, and the reducer. Time moves only by `advance`;
 * a year takes seconds.
 */
export function createVirtualHome(settings: HomeSettings) {
  const { answer = 'report' } = settings;
  let nowMs = settings.startMs ?? START_MS;
  let isClockSet = settings.isClockSet ?? true;
  /** What to add to the hub's clock for the time of day. */
  let wallShiftMs = 0;
  let processes = 0;
  const newEngine = (): Engine => createEngine((settings.seed ?? 'aaaa') + String((processes += 1)).padStart(8, '0'));
  let engine = newEngine();
  const automations = new Map<AutomationId, Automation>();
  const versions: Automation[] = [];
  const devices = new Map<string, Device>();
  const causes = new Map<string, Cause | null>();
  const modes = new Map([['home', 'home']]);
  const variables = new Map<string, JsonValue>(Object.entries(settings.variables ?? {}));
  const people = new Map<string, PresenceState>(Object.entries(settings.people ?? {}));
  const activeScenes = new Set<string>();
  const civilAt = settings.civil?.moment ?? civilOf;
  const timers = new Map<string, Due>();
  const later: { readonly atMs: number; readonly rank: number; readonly run: () => void }[] = [];
  const disk: Disk = new Map();
  const memory = new Map<string, JsonValue>();
  const effects: { readonly atMs: number; readonly effect: Effect }[] = [];
  const traces = new Map<string, AutomationRun>();
  const inbox: Input[] = [];
  let rank = 0;
  let isWorking = false;
  let cutAtMs: number | undefined;
  let effectsLeft = settings.cutAfter ?? Infinity;

  for (const [id, setting] of Object.entries(settings.devices)) devices.set(id, deviceOf(id, setting, nowMs));
  for (const one of settings.automations ?? []) automations.set(one.id, one);

  const wallMs = (): number => nowMs + wallShiftMs;
  const view = (): RunView => ({
    now: { hubMs: nowMs, wallMs: isClockSet ? wallMs() : undefined, civil: isClockSet ? civilAt(wallMs()) : undefined },
    value: (device, key) => {
      const found = devices.get(device);
      if (found?.features.some((feature) => feature.key === key) !== true) return undefined;
      const { value, quality, changedAtMs } = found.states.get(key) ?? UNREPORTED;
      return { value, quality, changedAtMs, cause: causes.get(`${device} ${key}`) ?? null };
    },
    availability: (device) => devices.get(device)?.availability,
    mode: (key) => modes.get(key),
    variable: (key) => variables.get(key),
    presence: (person) => people.get(person),
    everyone: () => [...people.values()],
    scene: (id) => (settings.scenes?.[id] === undefined ? undefined : activeScenes.has(id) ? 'active' : 'inactive'),
    sun: () => (isClockSet ? settings.civil?.sun(wallMs()) : undefined),
    history: (question) => settings.history?.(question, nowMs),
    devicesIn: (place) =>
      [...devices.values()]
        .filter((device) =>
          'room' in place
            ? device.roomId === place.room
            : (place.anyOf.room === undefined || device.roomId === place.anyOf.room) &&
              (place.anyOf.type === undefined || device.type === place.anyOf.type) &&
              (place.anyOf.capability === undefined ||
                device.features.some(({ capability }) => capability === place.anyOf.capability)),
        )
        .map(({ id }) => id),
    members: () => [],
    memberSets: () => [],
    canTake: (device, wish) =>
      'do' in wish ||
      Object.keys(wish.set).every((key) => devices.get(device)?.features.some((one) => one.key === key)),
    isSensitive: (device) => settings.devices[device]?.isSensitive === true,
    sceneWishes: (scene) => {
      const found = settings.scenes?.[scene];
      return found && Object.entries(found).map(([device, set]) => [device as DeviceId, { set }] as const);
    },
    steerRefusal: () => null,
    signedWith: () => [],
  });

  const at = (atMs: number, run: () => void): void => void later.push({ atMs, rank: (rank += 1), run });

  /** Deals with all inputs that wait, one after the other. */
  const work = (): void => {
    if (isWorking) return;
    isWorking = true;
    for (let input = inbox.shift(); input !== undefined; input = inbox.shift()) {
      const pieces = stepInPieces(engine, input, view());
      let piece = pieces.next();
      for (; piece.done !== true; piece = pieces.next()) settings.afterPiece?.(engine);
      for (const effect of piece.value) {
        carryOut(effect);
        effectsLeft -= 1;
        if (effectsLeft === 0) break;
      }
      if (effectsLeft === 0) {
        isWorking = false;
        effectsLeft = Infinity;
        cutAtMs = nowMs;
        restart({ isPowerCut: true });
        return;
      }
    }
    isWorking = false;
  };
  const send = (input: Input): void => {
    inbox.push(input);
    work();
  };
  const emit = (event: HomeEvent, cause: Cause | null = null): void => (
    settings.hear?.(event, nowMs),
    send({ kind: 'event', event, cause })
  );

  const reportAs = (id: string, key: string, { value, quality = 'confirmed', cause = null }: Report): void => {
    const device = devices.get(id);
    if (device === undefined) throw new Error(`there is no ${id}`);
    const old = device.states.get(key);
    const isNew = JSON.stringify(old?.value) !== JSON.stringify(value);
    const state: FeatureState = {
      value,
      quality,
      observedAtMs: nowMs,
      changedAtMs: isNew ? nowMs : (old?.changedAtMs ?? nowMs),
    };
    if (!isNew && old?.quality === quality) return;
    if (isNew) causes.set(`${id} ${key}`, cause);
    const changed = { ...device, states: new Map(device.states).set(key, state) };
    devices.set(id, changed);
    emit({ type: 'feature.changed', device: changed, key, state, cause });
  };

  const answerCommand = (command: Command): void => {
    const { ref } = command;
    const id = `command ${ref}`;
    const results = (status: CommandStatus) => Object.fromEntries(command.wishes.map(([device]) => [device, status]));
    const tell = (status: CommandStatus): void =>
      send({
        kind: 'command',
        ref,
        report: {
          id,
          status,
          evidence: status === 'confirmed' ? 'state_report' : 'none',
          results: results(status),
          reason: null,
        },
      });
    const mine = engine;
    const guarded = (run: () => void) => (): void => (mine === engine ? run() : undefined);
    if (answer === 'refusal') {
      inbox.push({ kind: 'command', ref, report: { refused: 'RIGHTS_MISSING', message: 'The signer may not.' } });
      return;
    }
    inbox.push({
      kind: 'command',
      ref,
      report: { id, status: 'sent', evidence: 'none', results: results('sent'), reason: null },
    });
    if (answer === 'silence')
      at(
        nowMs + 10_000,
        guarded(() => tell('unconfirmed')),
      );
    if (answer === 'failure')
      at(
        nowMs + 100,
        guarded(() => tell('failed')),
      );
    if (answer !== 'report') return;
    const cause = causeBy({ id, cause: command.cause });
    at(nowMs + 300, () => {
      for (const [device, wish] of command.wishes) {
        for (const [key, value] of valuesOf(wish)) if (devices.has(device)) reportAs(device, key, { value, cause });
      }
      guarded(() => tell('confirmed'))();
    });
  };

  const carryOut = (effect: Effect): void => {
    effects.push({ atMs: nowMs, effect });
    switch (effect.kind) {
      case 'arm':
        timers.set(effect.timer, effect.due);
        break;
      case 'disarm':
        timers.delete(effect.timer);
        break;
      case 'persist': {
        memory.set(effect.key, effect.value);
        const waitMs = { before_effects: 0, within_1_s: 1_000, with_next: 30_000 }[effect.urgency];
        if (waitMs === 0) flush(nowMs, true);
        else {
          const known = disk.get(`~${effect.key}`);
          disk.set(`~${effect.key}`, {
            value: effect.value,
            dueMs: Math.min(known?.dueMs ?? Infinity, nowMs + waitMs),
          });
        }
        if (waitMs === 0) disk.set(effect.key, { value: effect.value, dueMs: nowMs });
        break;
      }
      case 'trace':
        traces.set(effect.run.id, effect.run);
        break;
      case 'command':
        answerCommand(effect);
        break;
      case 'set_mode':
        setMode(effect.mode, effect.value, effect.cause);
        break;
      case 'set_variable':
        setVariable(effect.variable, effect.value, effect.cause);
        break;
      default:
    }
  };

  /** What was to be on disk by then; a flush takes all that waits with it. */
  const flush = (byMs: number, isForced = false): void => {
    const waiting = [...disk].filter(([key]) => key.startsWith('~'));
    if (!isForced && !waiting.some(([, { dueMs }]) => dueMs <= byMs)) return;
    for (const [key, { value, dueMs }] of waiting) {
      disk.delete(key);
      disk.set(key.slice(1), { value, dueMs });
    }
  };

  const setMode = (key: string, value: string, cause: Cause | null = null): void => {
    modes.set(key, value);
    const mode = { ...HOME_MODE, key, value, changedAtMs: nowMs };
    emit({ type: 'mode.changed', mode, endMs: undefined, isGone: false }, cause);
  };
  const setVariable = (key: string, value: JsonValue, cause: Cause | null = null): void => {
    variables.set(key, value);
    const variable = {
      key,
      name: key,
      type: 'number',
      min: null,
      max: null,
      options: [],
      value: value as number,
      changedAtMs: nowMs,
      changedBy: null,
      // It was made before.
      revision: 2,
    } as const;
    emit({ type: 'variable.changed', variable, isGone: false }, cause);
  };

  const load = (entries: ReadonlyMap<string, SavedEntry>): void =>
    send({
      kind: 'loaded',
      automations: [...automations.values()],
      versions,
      devices: [...devices.values()],
      modes,
      variables,
      people,
      integrations: new Map(),
      entries,
      traces: [...traces.values()],
    });

  /** The next timer or answer up to this moment, in order. */
  const nextDue = (untilMs: number): (typeof later)[number] | undefined => {
    // Those of one moment in the order of their names, which a restart does not change.
    let first: { readonly timer: string; readonly atMs: number } | undefined;
    for (const [timer, due] of timers) {
      const atMs = dueMs(due);
      if (atMs === undefined || atMs > untilMs || (first !== undefined && atMs > first.atMs)) continue;
      if (first === undefined || atMs < first.atMs || timer < first.timer) first = { timer, atMs };
    }
    const [answer] = later.toSorted((left, right) => left.atMs - right.atMs || left.rank - right.rank);
    if (answer !== undefined && answer.atMs <= untilMs && answer.atMs < (first?.atMs ?? Infinity)) return answer;
    if (first === undefined) return undefined;
    const { timer, atMs } = first;
    const civilMs = civilMsOf(timers.get(timer));
    const run = (): void => {
      timers.delete(timer);
      if (civilMs === undefined) send({ kind: 'due', timer });
      else send({ kind: 'civil_due', timer, wallMs: civilMs, lateMs: Math.max(0, wallMs() - civilMs) });
    };
    return { atMs, rank: 0, run };
  };
  const dueMs = (due: Due): number | undefined => {
    if ('hubMs' in due) return due.hubMs;
    const civilMs = civilMsOf(due);
    return civilMs === undefined ? undefined : civilMs - wallShiftMs;
  };
  const civilDue = createCivilDue(settings.civil);
  const civilMsOf = (due: Due | undefined): number | undefined =>
    due === undefined || 'hubMs' in due ? undefined : civilDue(due, wallMs(), wallShiftMs);

  const advance = (ms: number): void => {
    const untilMs = nowMs + ms;
    for (let due = nextDue(untilMs); due !== undefined; due = nextDue(untilMs)) {
      nowMs = Math.max(nowMs, due.atMs);
      flush(nowMs);
      const found = due;
      const place = later.findIndex(({ rank: one }) => one === found.rank);
      if (place >= 0) later.splice(place, 1);
      due.run();
    }
    nowMs = untilMs;
    flush(nowMs);
  };

  /** Ends the process and starts another `offMs` later. What was not on disk is lost, and the entry `loses`. */
  const restart = ({ offMs = 0, isPowerCut = false, losesTraces = false, loses }: Restart = {}): void => {
    if (!isPowerCut) flush(nowMs, true);
    if (losesTraces) traces.clear();
    for (const key of disk.keys()) if (key.startsWith('~')) disk.delete(key);
    const entries = new Map<string, SavedEntry>();
    for (const [key, { value }] of disk) {
      const text = JSON.stringify(value);
      if (value === null || key === loses) disk.delete(key);
      else entries.set(key, { value: JSON.parse(text) as JsonValue, shiftMs: 0 });
    }
    timers.clear();
    inbox.length = 0;
    // Devices go on without the hub.
    const untilMs = nowMs + offMs;
    engine = newEngine();
    nowMs = untilMs;
    for (const [id, device] of devices) devices.set(id, { ...device, states: restoredStates(device.states) });
    load(entries);
  };

  const home = {
    nowMs: () => nowMs,
    cutAtMs: () => cutAtMs,
    send,
    advance,
    restart,
    /** A value that a device reports by itself, or that a hand gave it. */
    report: (id: string, key: string, value: JsonValue): void => reportAs(id, key, { value }),
    reportAs,
    setMode,
    setVariable,
    setAvailability: (id: string, state: AvailabilityState): void => {
      const device = devices.get(id);
      if (device === undefined) throw new Error(`there is no ${id}`);
      const availability = { state, sinceMs: nowMs, lastSeenAtMs: null, reason: null };
      const changed = { ...device, availability };
      devices.set(id, changed);
      emit({ type: 'availability.changed', device: changed, availability });
    },
    /** Whether people are at home, as `presence` says it. */
    setPresence: (person: string, state: PresenceState): void => {
      people.set(person, state);
      const presence = { ...unknownPresence(person), state, sinceMs: nowMs };
      emit({ type: 'presence.changed', user: { id: person, name: person } as unknown as User, presence });
    },
    setScene: (id: string): void => {
      activeScenes.clear();
      activeScenes.add(id);
    },
    press: (id: string, action: string): void => {
      const device = devices.get(id);
      if (device === undefined) throw new Error(`there is no ${id}`);
      emit({ type: 'feature.occurred', device, key: 'button', occurrence: { action, raw: action } });
    },
    add: (id: string, setting: DeviceSetting): void => {
      const device = deviceOf(id, setting, nowMs);
      devices.set(id, device);
      emit({ type: 'device.added', device });
    },
    remove: (id: string): void => {
      const device = devices.get(id);
      devices.delete(id);
      if (device !== undefined) emit({ type: 'device.removed', device });
    },
    save: (one: Automation): void => {
      const old = automations.get(one.id);
      if (old !== undefined) versions.push(old);
      automations.set(one.id, one);
      send({ kind: 'saved', automation: one });
    },
    /** As after an older backup was restored: the next start knows none. */
    forgetAutomations: (): void => automations.clear(),
    /** The clock on the wall jumps. The hub's clock does not. */
    setClock: (byMs: number): void => {
      wallShiftMs += byMs;
      isClockSet = true;
      send({ kind: 'clock_set', hubShiftMs: 0 });
    },
    value: (id: string, key: string): JsonValue => devices.get(id)?.states.get(key)?.value ?? null,
    variable: (key: string): JsonValue => variables.get(key) ?? null,
    mode: (key: string): string | undefined => modes.get(key),
    timed: (): readonly { readonly atMs: number; readonly effect: Effect }[] => effects,
    effects: (): readonly Effect[] => effects.map(({ effect }) => effect),
    commands: (): readonly Given[] =>
      effects.flatMap(({ atMs, effect }) => (effect.kind === 'command' ? [{ atMs, command: effect }] : [])),
    /** Each command as `12 s: lamp {"on":true}`, the seconds since the start. */
    sent: (): readonly string[] =>
      home.commands().flatMap(({ atMs, command }) =>
        command.wishes.map(([device, wish]) => {
          const what = 'set' in wish ? JSON.stringify(wish.set) : wish.do;
          return `${Math.round((atMs - (settings.startMs ?? START_MS)) / 100) / 10} s: ${device} ${what}`;
        }),
      ),
    traces: (): readonly AutomationRun[] => [...traces.values()],
    outcomes: (): readonly string[] => home.traces().map(outcomeLine),
    misses: (): readonly string[] =>
      effects.flatMap(({ effect }) => (effect.kind === 'near_miss' ? [effect.miss.reason.why] : [])),
    timers: (): readonly string[] => [...timers.keys()],
    entries: (): ReadonlyMap<string, JsonValue> => new Map([...memory].filter(([, value]) => value !== null)),
  };
  load(new Map());
  return home;
}
export type VirtualHome = ReturnType<typeof createVirtualHome>;

type Restart = Partial<Readonly<{ offMs: number; isPowerCut: boolean; losesTraces: boolean; loses: string }>>;
type Report = { readonly value: JsonValue; readonly quality?: Quality; readonly cause?: Cause | null };
