import { systemRandom } from '#base/random.ts';
import type { JsonValue } from '#base/json.ts';
import { createSubscribers } from '#base/subscribers.ts';
import { openHubClock } from '#base/time/hub-clock.ts';
import { createTimeZone } from '#base/time/time-zone.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { createUuidSource } from '#base/uuid.ts';
import { openAutomationEngine } from '#automations/engine/automation-engine.ts';
import type { ActingSigner, AutomationChange, FindSigner } from '#automations/engine/engine-ports.ts';
import type { StepRight } from '#core/automation/check/step-rights.ts';
import type { PastSource } from '#automations/engine/recent-past.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { createCommandService } from '#core/command/command-service.ts';
import { createSentValues } from '#core/command/sent-values.ts';
import type { DeviceDescription, DeviceId } from '#core/device/device.ts';
import { DEVICE_LIMITS } from '#core/device/device-limits.ts';
import { openDeviceRegistry } from '#core/device/device-registry.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { KeptEvent } from '#core/event/event-log.ts';
import { openGroups } from '#core/group/groups.ts';
import type { Mode } from '#core/mode/mode.ts';
import { openModeRegistry } from '#core/mode/mode-registry.ts';
import type { NotificationContent } from '#core/notification/notification.ts';
import type { User, UserId } from '#core/person/user.ts';
import type { Presence } from '#core/presence/presence.ts';
import { openPresenceRegistry } from '#core/presence/presence-registry.ts';
import { openRoomRegistry } from '#core/room/room-registry.ts';
import { openSceneRegistry } from '#core/scene/scene-registry.ts';
import type { Scene } from '#core/scene/scene.ts';
import type { Variable } from '#core/variable/variable.ts';
import { openVariableRegistry } from '#core/variable/variable-registry.ts';
import { createDeviceDisk } from '#test/support/hub/device-home.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime, type ManualTime } from '#test/support/machine/manual-time.ts';
import { isVocabularyWord } from '#core/feature/vocabulary.ts';
import { createFeature, describeLight } from '#test/support/hub/feature.ts';
import { createPaperDisk, type EntryDisk, keyedDisk } from './paper-disk.ts';
import type { DeviceSetting } from './virtual-device.ts';
import { START_MS } from './virtual-home.ts';
import { outcomeLine } from '#test/support/automation/outcome-line.ts';

export type LiveSettings = {
  /** By their external id, by which documents name them too: the ids are random. */
  readonly devices: Readonly<Record<string, DeviceSetting>>;
  readonly automations?: readonly Automation[];
  /** The members of each group, and the wishes of each scene, by what documents call them. */
  readonly groups?: Readonly<Record<string, readonly string[]>>;
  readonly scenes?: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, JsonValue>>>>>>;
  readonly time?: ManualTime;
  readonly disk?: EntryDisk;
  /** So long a device takes to report what a command set; `null`: it never does. */
  readonly answerMs?: number | null;
  /** At the n-th thing that the engine does to the outside, the power is cut before it is done. */
  readonly cutAt?: number;
  readonly clock?: { readonly wallMs: () => number; readonly isSynced: () => boolean };
  readonly isReachable?: () => boolean;
  /** Whose rights automations have; everybody's unless it is given. */
  readonly findSigner?: FindSigner;
  readonly people?: readonly string[];
  /** What was recorded; nothing unless it is given. */
  readonly past?: PastSource;
};

const NO_PAST: PastSource = {
  history: {
    findBefore: async () => null,
    readSlice: async () => ({ timesMs: new Float64Array(), values: [], gaps: new Map(), next: null }),
  },
  heard: { subscribe: () => () => undefined, settle: async () => true },
  onPastChange: () => () => undefined,
  onMoved: () => () => undefined,
};

export type Sent = { readonly atMs: number; readonly text: string };
/** A command that the hub accepted of a run. */
export type Given = Sent & { readonly run: string | null };

class PowerCutError extends Error {}
/** A home whose devices, time and disk outlive the hub, and in it the real registries, commands and engine. */
export async function createLiveHome(settings: LiveSettings) {
  const { time = createManualTime(START_MS) } = settings;
  const beganMs = time.clock.monotonicMs();
  const { log, lines } = createRecordingLog();
  const disk = settings.disk ?? createPaperDisk(time.startTimer);
  const deviceDisk = createDeviceDisk();
  const metaDisk = new Map<string, string>();
  const keyed = { modes: keyedDisk<Mode>(), variables: keyedDisk<Variable>(), presences: keyedDisk<Presence>() };
  const scenes: Scene[] = [];
  const truth = new Map<string, Map<string, JsonValue>>(
    Object.entries(settings.devices).map(([id, { values }]) => [id, new Map(Object.entries(values))]),
  );
  const automations = new Map<AutomationId, Automation>((settings.automations ?? []).map((one) => [one.id, one]));
  const sent: Sent[] = [];
  const given: Given[] = [];
  const traces = new Map<string, AutomationRun>();
  const notices: NotificationContent[] = [];
  const suspended: string[] = [];
  const acts: string[] = [];
  const act = <Done>(text: string, run: () => Done): Done => (acts.push(text), run());
  const world = { boots: 0, points: 0, cutAt: settings.cutAt ?? Infinity, cutAtMs: undefined as number | undefined };
  const rights = { lacks: new Set<StepRight>(), isGone: false };
  let hub: Awaited<ReturnType<typeof boot>> | undefined;

  const boot = async () => {
    let isAlive = true;
    let isBooted = false;
    const die = (): void => {
      world.cutAtMs = time.clock.wallMs();
      world.cutAt = Infinity;
      isAlive = false;
      disk.cut();
    };
    /** Each thing done to the outside is a point at which the power may be cut. */
    const point = (): void => {
      if (!isAlive) throw new PowerCutError('there is no power');
      if (!isBooted) return;
      world.points += 1;
      if (world.points < world.cutAt) return;
      die();
      throw new PowerCutError('the power was cut');
    };
    const startTimer = (ms: number, run: () => void) => time.startTimer(ms, () => (isAlive ? run() : undefined));
    world.boots += 1;
    const bootId = 'boot';
    const newId = createUuidSource(time.clock.wallMs, systemRandom);
    const subscribers = createSubscribers<[HomeEvent, KeptEvent]>(log);
    const emit = (event: HomeEvent): void => (isAlive ? subscribers.tell(event, {} as KeptEvent) : undefined);
    const wall = settings.clock ?? { wallMs: time.clock.wallMs, isSynced: () => true };
    const hubClock = await openHubClock({
      machine: {
        bootId,
        bootMs: time.clock.monotonicMs,
        read: () => ({ bootId, bootMs: time.clock.monotonicMs(), wallMs: wall.wallMs(), isSynced: wall.isSynced() }),
      },
      store: {
        loadMeta: async () => metaDisk,
        putMeta: async (entries) => entries.forEach((value, key) => metaDisk.set(key, value)),
        addMeta: (entries) => entries.forEach((value, key) => metaDisk.set(key, value)),
      },
      startTimer,
      newId,
      log,
    });
    const clock = { ...time.clock, wallMs: wall.wallMs };
    const shared = { clock, newId, emit, turn: createTurnQueue(), log };
    const sentValues = createSentValues(clock);
    const rooms = await openRoomRegistry({ ...shared, store: deviceDisk.roomStore, devices: () => devices });
    const devices = await openDeviceRegistry({
      ...shared,
      store: deviceDisk.deviceStore,
      roomExists: (id) => rooms.findRoom(id) !== undefined,
      findCause: sentValues.findCause,
      limits: DEVICE_LIMITS,
    });
    const reports = devices.reportsOf('radio');
    const subscribe = subscribers.add;
    const groups = openGroups({ ...shared, devices, subscribe, startTimer });
    const change = (id: string, values: Readonly<Record<string, JsonValue>>): void => {
      for (const [key, value] of Object.entries(values)) truth.get(id)?.set(key, value);
      if (isAlive) reports.reportValues(id, new Map(Object.entries(values)));
    };
    const commands = createCommandService({
      registry: devices,
      findWay: () => ({
        isUp: () => true,
        send: async ({ externalId, set, action }) => {
          if (!isAlive) return 'none';
          const values = Object.fromEntries(set);
          sent.push({
            atMs: time.clock.monotonicMs() - beganMs,
            text: `${externalId} ${action ?? JSON.stringify(values)}`,
          });
          const { answerMs = 300 } = settings;
          if (answerMs !== null) time.startTimer(answerMs, () => hub?.change(externalId, values));
          return 'transport_ack';
        },
      }),
      sentValues,
      emit,
      newId,
      clock,
      startTimer,
      log,
    });
    const house = { ...shared, hubClock, startTimer };
    const modes = await openModeRegistry({ ...house, turn: createTurnQueue(), store: keyed.modes });
    const variables = await openVariableRegistry({ ...house, store: keyed.variables, nowMs: hubClock.nowMs });
    const presence = await openPresenceRegistry({
      ...house,
      turn: createTurnQueue(),
      store: keyed.presences,
      findUser: (id) => (settings.people?.includes(id) === true ? ({ id } as User) : undefined),
      findDevice: devices.findDevice,
    });
    const sceneRegistry = await openSceneRegistry({
      ...shared,
      startTimer,
      devices,
      subscribe,
      store: {
        loadScenes: async () => scenes,
        saveScene: async (scene: Scene) => void scenes.push(scene),
        deleteScene: async () => undefined,
      },
    });
    await reports.syncDevices(Object.entries(settings.devices).map(([id, setting]) => descriptionOf(id, setting)));
    for (const [id, values] of truth) {
      reports.reportAvailability(id, 'online', null);
      reports.reportValues(id, values);
    }
    const ids = (): ReadonlyMap<string, string> =>
      new Map(
        [...devices.devices(), ...sceneRegistry.scenes()].flatMap((one) => namesOf(one).map((name) => [name, one.id])),
      );
    const idOf = (name: string): DeviceId => (ids().get(name) ?? name) as DeviceId;
    for (const [name, members] of Object.entries(settings.groups ?? {})) {
      if (ids().has(name)) continue;
      await groups.addGroup({
        name,
        roomId: null,
        members: members.map((member) => ({ id: idOf(member), selector: member })),
      });
    }
    for (const [name, wishes] of Object.entries(settings.scenes ?? {})) {
      if (ids().has(name)) continue;
      const targets = Object.entries(wishes).map(([one, set]) => {
        return { deviceId: idOf(one), selector: one, name: one, set, transitionMs: null };
      });
      const by = { type: 'session', id: 's', userId: 'ada' as UserId } as const;
      await sceneRegistry.addScene({ name, roomId: null, icon: null, transitionMs: null, targets, createdBy: by });
    }
    const news = createSubscribers<[AutomationChange]>(log);
    const store = disk.open(die);
    const { engine, begin, close } = openAutomationEngine({
      noteServed: () => () => undefined,
      isPutOff: () => false,
      hubClock,
      machineMs: clock.wallMs,
      monotonicMs: time.clock.monotonicMs,
      home: {
        devices,
        modes: {
          ...modes,
          setMode: (key, wish) => act(`mode ${key}=${wish.value}`, () => modes.setMode(key, wish)),
        },
        variables: {
          ...variables,
          setVariable: (key, wish) =>
            act(`variable ${key}=${JSON.stringify(wish.value)}`, () => variables.setVariable(key, wish)),
        },
        presence: {
          ...presence,
          tell: (person, state, given) => act(`${person} is ${state}`, () => presence.tell(person, state, given)),
        },
        scenes: sceneRegistry,
        people: () => [],
      },
      commands: {
        ...commands,
        accept: (requests, terms, replay) => {
          point();
          const command = commands.accept(requests, terms, replay);
          for (const [{ externalId }, wish] of requests) {
            const text = `${externalId} ${wish.do ?? JSON.stringify(wish.set)}`;
            given.push({ atMs: time.clock.wallMs(), run: terms.cause.run, text });
          }
          return command;
        },
      },
      automations: {
        all: () => [...automations.values()].map((one) => withIds(one, ids())),
        nameOf: (id) => id,
        opens: (id) => known(id).definition.allow_sensitive.length > 0,
        loadVersion: async () => undefined,
        mayReachHub: async () => false,
        suspend: async (id, code) => {
          suspended.push(`${id} ${code}`);
          save({ ...known(id), state: 'suspended' });
        },
        setEnabled: async (id, isEnabled) => {
          acts.push(`${isEnabled ? 'enable' : 'disable'} ${id}`);
          save({ ...known(id), state: isEnabled ? 'ready' : 'disabled' });
        },
        subscribe: news.add,
      },
      events: { subscribe },
      past: settings.past ?? NO_PAST,
      isReachable: () => settings.isReachable?.() ?? true,
      integrations: () => new Map([['radio', true]]),
      place: { location: () => undefined, isFree: () => false, subscribe: () => () => undefined },
      zone: () => UTC,
      store: {
        loadEntries: store.loadEntries,
        keepEntries: (entries, withinMs) => {
          point();
          store.keepEntries(entries, withinMs);
        },
        writeEntries: async (entries) => {
          point();
          await store.writeEntries(entries);
          point();
        },
      },
      notifications: {
        say: (content) => {
          point();
          notices.push(content);
        },
        resolve: async () => undefined,
        findLasting: () => undefined,
      },
      mayCaller: () => true,
      findSigner:
        settings.findSigner ??
        ((id): ActingSigner | undefined =>
          rights.isGone
            ? undefined
            : {
                issuer: { type: 'automation', id, userId: 'ada' as UserId },
                may: (right) => !rights.lacks.has(right),
              }),
      reports: {
        putRun: (run) => {
          if (isAlive) traces.set(run.id, run);
        },
        putNearMiss: () => undefined,
        noteCommand: () => undefined,
      },
      // The only receiver is the hub itself: `hook/<automation>/<trigger>`.
      send: async ({ url }) => {
        acts.push(`request ${url}`);
        const [, id = '', trigger = ''] = url.split('/');
        await new Promise<void>((resolve) => void time.startTimer(5, resolve));
        await engine.callHook(id as AutomationId, { trigger, body: null });
        return { error: null };
      },
      runs: {
        find: (id) => traces.get(id),
        unfinished: () => [...traces.values()].filter(({ outcome }) => outcome === 'running'),
      },
      version: '1',
      seed: String(world.boots).padStart(12, '0'),
      startTimer,
      log,
    });
    await begin();
    isBooted = true;
    const known = (id: AutomationId): Automation => {
      const found = automations.get(id);
      if (found === undefined) throw new Error(`there is no automation ${id}`);
      return found;
    };
    const save = (automation: Automation): void => {
      automations.set(automation.id, automation);
      news.tell({ kind: 'saved', automation: withIds(automation, ids()) });
    };
    return {
      engine,
      emit,
      devices,
      commands,
      modes,
      variables,
      rooms,
      groups,
      scenes: sceneRegistry,
      reports,
      change,
      save,
      isAlive: () => isAlive,
      end: (): void => {
        close();
        isAlive = false;
        for (const stop of [commands.stop, groups.stop, sceneRegistry.stop, modes.stop, presence.stop]) stop();
        void hubClock.stop();
      },
    };
  };

  const up = (): NonNullable<typeof hub> => {
    if (hub === undefined) throw new Error('the hub is off');
    return hub;
  };
  hub = await boot();
  await time.advance(0);
  return {
    time,
    lines,
    world,
    rights,
    truth,
    notices,
    suspended,
    tripped: (): readonly string[] =>
      notices.filter(({ key }) => key?.startsWith('automation-tripped') === true).map(({ text }) => text),
    hub: up,
    isCut: () => !up().isAlive(),
    /** A device says something by itself; nothing while the hub is off. */
    report: (id: string, values: Readonly<Record<string, JsonValue>>): void => up().change(id, values),
    /** `power`: what is not on disk is lost. */
    restart: async ({ offMs = 0, how = 'stop' }: { offMs?: number; how?: 'stop' | 'power' } = {}): Promise<void> => {
      if (how === 'power' && up().isAlive()) disk.cut();
      up().end();
      await time.advance(offMs);
      hub = await boot();
      await time.advance(0);
    },
    sent: (): readonly Sent[] => sent,
    /** What automations did beside commands: `mode home=night`. */
    acts: (): readonly string[] => acts,
    given: (): readonly Given[] => given,
    /** Each command as `12 s: lamp {"on":true}`. */
    told: (): readonly string[] => sent.map(({ atMs, text }) => `${Math.round(atMs / 100) / 10} s: ${text}`),
    traces: (): readonly AutomationRun[] => [...traces.values()],
    outcomes: (): readonly string[] => [...traces.values()].map(outcomeLine),
  };
}

export type LiveHome = Awaited<ReturnType<typeof createLiveHome>>;
const UTC = createTimeZone('UTC');
function descriptionOf(id: string, { type = 'other', values }: DeviceSetting): DeviceDescription {
  const features = Object.entries(values).map(([key, value]) =>
    createFeature(key, {
      ...(isVocabularyWord(key) ? { capability: key } : {}),
      valueType: typeof value === 'number' ? 'number' : 'boolean',
    }),
  );
  return describeLight(id, { type, features });
}

/** By what a document may name it. */
function namesOf(one: { readonly selector: string; readonly externalId?: string }): readonly string[] {
  return one.externalId === undefined ? [one.selector] : [one.externalId, one.selector];
}

/** The same automation with the ids of devices in the place of their external ids. */
function withIds(automation: Automation, ids: ReadonlyMap<string, string>): Automation {
  const put = (value: JsonValue, key = ''): JsonValue => {
    if (typeof value === 'string') return NAMES_DEVICES.has(key) ? (ids.get(value) ?? value) : value;
    if (Array.isArray(value)) return value.map((one: JsonValue) => put(one, key));
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, put(one, name)]));
  };
  return {
    ...automation,
    definition: put(automation.definition) as unknown as Automation['definition'],
  };
}
const NAMES_DEVICES: ReadonlySet<string> = new Set([
  'device',
  'devices',
  'group',
  'scene',
  'allow_sensitive',
  'except',
]);
