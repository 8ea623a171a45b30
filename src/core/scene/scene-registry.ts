import { compareNamed } from '#core/records/compare-named.ts';
import type { Clock } from '#base/time/clock.ts';
import { HubError } from '#base/hub-error.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue, type TurnQueue } from '#base/turn-queue.ts';
import { eachInSlices } from '#base/work-slices.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { createSelectorSource, type SelectorSource } from '#core/records/selector.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { ALL_OFF_ID, ALL_OFF_SELECTOR, keepAllOffScene } from './all-off.ts';
import {
  type Activity,
  type FindDevice,
  MAX_SCENES,
  MAX_TARGETS_OF_ALL,
  type Scene,
  type SceneId,
  type SceneTarget,
} from './scene.ts';
import { spreadTargets } from './scene-groups.ts';
import { activityNow, createSceneWatch } from './scene-watch.ts';

/** The scenes of the home, and which of them are active. Changes are on disk before they are visible. */
export type SceneRegistry = {
  /** By name, then id; the built-in ones first. */
  readonly scenes: () => readonly Scene[];
  readonly findScene: (idOrSelector: string) => Scene | undefined;
  readonly activityOf: (scene: Scene) => Activity;
  /** Throws HubError SCENE_EMPTY, LIMIT_REACHED and, as every change here, what `authorize` throws. */
  readonly addScene: (scene: NewScene, terms?: Pick<ChangeTerms, 'authorize'>) => Promise<Scene>;
  /** Throws HubError NOT_FOUND, PRECONDITION_FAILED, SCENE_EMPTY, LIMIT_REACHED. */
  readonly updateScene: (id: SceneId, change: SceneUpdate, terms?: ChangeTerms) => Promise<Scene>;
  /** The targets of several at once: `write` puts all of them on disk in one transaction. Throws as `updateScene`. */
  readonly updateTogether: (
    changes: readonly TargetsChange[],
    write: (scenes: readonly Scene[]) => Promise<void>,
  ) => Promise<void>;
  /** Throws HubError NOT_FOUND, PRECONDITION_FAILED. */
  readonly removeScene: (id: SceneId, terms?: ChangeTerms) => Promise<void>;
  /** To call after a command has begun to bring the devices into the state of the scene. */
  readonly noteActivated: (scene: Scene, command: string, by: Pick<Issuer, 'type' | 'id'>) => void;
  readonly stop: () => void;
};

type SceneUpdate = Partial<Pick<Scene, 'name' | 'roomId' | 'icon' | 'transitionMs' | 'targets'>>;
type TargetsChange = Pick<Scene, 'id' | 'targets'> & { readonly terms: ChangeTerms };
type NewScene = Required<SceneUpdate> & { readonly createdBy: Issuer };

/** Keeps the registry's data. A resolved promise means: on disk. */
type SceneStore = {
  readonly loadScenes: () => Promise<readonly Scene[]>;
  readonly saveScene: (scene: Scene) => Promise<void>;
  readonly deleteScene: (id: SceneId) => Promise<void>;
};

type SceneRegistryDeps = {
  readonly store: SceneStore;
  readonly devices: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  /** Calls the listener with each event of the home. */
  readonly subscribe: (listener: (event: HomeEvent) => void) => () => void;
  readonly emit: (event: HomeEvent) => void;
  readonly newId: () => string;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
};

const ALL_OFF_RENEWED_MS = 1_000;

export async function openSceneRegistry(deps: SceneRegistryDeps): Promise<SceneRegistry> {
  const { clock, emit, store, devices } = deps;
  const turn = createTurnQueue();
  const selectors = createSelectorSource('scene');
  selectors.reserve(ALL_OFF_SELECTOR);
  const byId = new Map<SceneId, Scene>();
  const allOff = createAllOff(deps, () => watch);
  const findScene = (idOrSelector: string): Scene | undefined => {
    // Another scene is found without a look at all devices.
    if (idOrSelector === ALL_OFF_ID || idOrSelector === ALL_OFF_SELECTOR) return allOff.scene();
    return byId.get(idOrSelector as SceneId) ?? [...byId.values()].find(({ selector }) => selector === idOrSelector);
  };
  const watch = createSceneWatch({
    ...deps,
    findDevice: devices.findDevice,
    onChanged: (id) => {
      const scene = findScene(id);
      if (scene !== undefined) emit({ type: 'scene.changed', scene, activity: activityOf(scene) });
    },
  });
  const activityOf = (scene: Scene): Activity => watch.activityOf(scene.id) ?? activityNow(scene, devices.findDevice);
  for (const scene of await store.loadScenes()) {
    byId.set(scene.id, scene);
    selectors.reserve(scene.selector);
    watch.follow(scene);
  }
  const unsubscribe = deps.subscribe(watch.noteEvent);
  await watch.followInSlices(allOff.scene());

  const { refuseTargets } = createSceneChecks(byId);
  const show = (scene: Scene): Scene => {
    byId.set(scene.id, scene);
    watch.follow(scene);
    emit({ type: 'scene.changed', scene, activity: activityOf(scene) });
    return scene;
  };

  return {
    scenes: () => [allOff.scene(), ...[...byId.values()].sort(compareNamed)],
    findScene,
    activityOf,
    addScene: (wanted, terms = {}) =>
      turn(async () => {
        terms.authorize?.();
        refuseTargets(wanted.targets);
        if (byId.size >= MAX_SCENES) throw new HubError('LIMIT_REACHED', `There can be ${MAX_SCENES} scenes.`);
        const [nowMs, selector] = [clock.wallMs(), selectors.take([wanted.name])];
        const fresh = { isBuiltIn: false, revision: 1, createdAtMs: nowMs, updatedAtMs: nowMs };
        const scene: Scene = { ...wanted, id: deps.newId() as SceneId, selector, ...fresh };
        try {
          await store.saveScene(scene);
        } catch (cause) {
          selectors.giveBack([selector]);
          throw cause;
        }
        byId.set(scene.id, scene);
        watch.follow(scene);
        emit({ type: 'scene.added', scene, activity: activityOf(scene) });
        return scene;
      }),
    ...createSceneUpdates(deps, { byId, turn, selectors, watch, show }),
    noteActivated: (scene, command, by) => emit({ type: 'scene.activated', scene, command, by }),
    stop: () => {
      unsubscribe();
      allOff.stop();
      watch.stop();
    },
  };
}

type UpdateParts = {
  readonly byId: Map<SceneId, Scene>;
  readonly turn: TurnQueue;
  readonly selectors: Pick<SelectorSource, 'giveBack'>;
  readonly watch: Pick<ReturnType<typeof createSceneWatch>, 'forget'>;
  /** Makes visible what is on disk. */
  readonly show: (scene: Scene) => Scene;
};

/** The changes of scenes that are there. */
function createSceneUpdates(
  { store, clock, emit }: SceneRegistryDeps,
  { byId, turn, selectors, watch, show }: UpdateParts,
): Pick<SceneRegistry, 'updateScene' | 'updateTogether' | 'removeScene'> {
  const { sceneOf, refuseTargets } = createSceneChecks(byId);
  return {
    updateScene: (id, change, terms) =>
      turn(async () => {
        const old = sceneOf(id, terms);
        if (change.targets !== undefined) refuseTargets(change.targets, old);
        const scene = { ...old, ...change, revision: old.revision + 1, updatedAtMs: clock.wallMs() };
        await store.saveScene(scene);
        return show(scene);
      }),
    updateTogether: (changes, write) =>
      turn(async () => {
        const scenes = changes.map(({ id, targets, terms }): Scene => {
          const old = sceneOf(id, terms);
          refuseTargets(targets, old);
          return { ...old, targets, revision: old.revision + 1, updatedAtMs: clock.wallMs() };
        });
        await write(scenes);
        scenes.forEach(show);
      }),
    removeScene: (id, terms) =>
      turn(async () => {
        const scene = sceneOf(id, terms);
        await store.deleteScene(id);
        byId.delete(id);
        watch.forget(id);
        selectors.giveBack([scene.selector]);
        emit({ type: 'scene.removed', scene });
      }),
  };
}

/** Refuses a change before it is made. */
function createSceneChecks(byId: ReadonlyMap<SceneId, Scene>) {
  return {
    sceneOf: (id: SceneId, { ifRevision, authorize }: ChangeTerms = {}): Scene => {
      authorize?.();
      const scene = byId.get(id);
      if (scene === undefined) throw new HubError('NOT_FOUND', 'There is no such scene.');
      if (ifRevision !== undefined && ifRevision !== scene.revision) {
        throw new HubError('PRECONDITION_FAILED', `The scene is at revision ${scene.revision}.`);
      }
      return scene;
    },
    refuseTargets: (targets: readonly SceneTarget[], old?: Scene): void => {
      if (targets.length === 0) throw new HubError('SCENE_EMPTY', 'The scene would have no values.');
      const all = [...byId.values()].reduce((sum, scene) => sum + scene.targets.length, 0);
      if (all - (old?.targets.length ?? 0) + targets.length > MAX_TARGETS_OF_ALL) {
        throw new HubError('LIMIT_REACHED', `All scenes together can have ${MAX_TARGETS_OF_ALL} targets.`);
      }
    },
  };
}

/** Whether a scene opens, floods or guards the home, also through a group. */
export function findSensitiveTarget(
  { targets }: Pick<Scene, 'targets'>,
  findDevice: FindDevice,
): ReturnType<FindDevice> {
  return spreadTargets(targets, findDevice)
    .map(({ deviceId, set }) => ({ device: findDevice(deviceId), keys: Object.keys(set) }))
    .find(({ device, keys }) => device !== undefined && isSensitiveRequest(device, keys))?.device;
}

/** The built-in scene, followed anew soon after the home has other devices. */
function createAllOff(
  { devices, clock, startTimer, subscribe }: Pick<SceneRegistryDeps, 'devices' | 'clock' | 'startTimer' | 'subscribe'>,
  watch: () => Pick<ReturnType<typeof createSceneWatch>, 'followInSlices'>,
) {
  const kept = keepAllOffScene(devices.devices(), devices.findDevice);
  let stopTimer: (() => void) | undefined;
  let isDue = false;
  let isStopped = false;
  const renew = async (): Promise<void> => {
    isDue = false;
    await eachInSlices(kept.changed(), clock.monotonicMs, kept.take);
    if (!isStopped) await watch().followInSlices(kept.scene());
    stopTimer = undefined;
    if (isDue) note();
  };
  const note = (): void => {
    isDue = true;
    if (!isStopped) stopTimer ??= startTimer(ALL_OFF_RENEWED_MS, () => void renew());
  };
  const stopListening = subscribe((event) => {
    if (event.type !== 'device.added' && event.type !== 'device.changed' && event.type !== 'device.removed') return;
    kept.noteChange(event.device.id);
    note();
  });
  return {
    scene: kept.scene,
    stop: () => {
      isStopped = true;
      stopListening();
      stopTimer?.();
    },
  };
}
