import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { eachInSlices } from '#base/work-slices.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { isGroup } from '#core/device/group.ts';
import type { Activity, FindDevice, Match, Scene, SceneId, SceneTarget } from './scene.ts';
import { spreadTargets } from './scene-groups.ts';
import { activityState, matchTarget } from './scene-match.ts';

type Deps = {
  readonly findDevice: FindDevice;
  /** Called after the activity of a scene has changed, at most once a second for each scene. */
  readonly onChanged: (id: SceneId) => void;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
};

const CHANGED_AT_MOST_EVERY_MS = 1_000;

type Followed = {
  readonly scene: Scene;
  /** With the members of groups in their place. */
  readonly targets: readonly SceneTarget[];
  readonly matches: Match[];
  readonly counts: Record<Match, number>;
  activity: Activity;
  /** What was announced last. */
  announced: string;
  announcedAtMs: number;
  stopTimer: (() => void) | undefined;
};
type Place = { readonly followed: Followed; readonly index: number };

/** Follows which scenes are active. A change of a value costs as much as there are scenes that want something of it. */
export function createSceneWatch(deps: Deps) {
  const { findDevice, clock } = deps;
  const scenes = new Map<SceneId, Followed>();
  const places = createFollowedPlaces();
  // Scenes by what they name, which may be groups.
  const naming = createNaming(findDevice);
  const announce = createAnnouncer(deps);
  let isStopped = false;

  const judge = ({ followed, index }: Place): void => {
    const target = followed.targets[index];
    const before = followed.matches[index];
    if (target === undefined || before === undefined) return;
    const now = matchTarget(target, findDevice(target.deviceId));
    if (now === before) return;
    followed.matches[index] = now;
    followed.counts[before] -= 1;
    followed.counts[now] += 1;
    followed.activity = activityFrom(followed, clock.wallMs());
    if (scenes.get(followed.scene.id) === followed) announce(followed);
  };
  const forget = (id: SceneId): void => {
    const followed = scenes.get(id);
    if (followed === undefined) return;
    followed.stopTimer?.();
    scenes.delete(id);
    for (const target of followed.targets) places.drop(followed, target);
    naming.drop(followed.scene);
  };
  const follow = (scene: Scene): void => {
    const old = scenes.get(scene.id);
    forget(scene.id);
    const followed = beginning(scene, { findDevice, nowMs: clock.wallMs(), old });
    scenes.set(scene.id, followed);
    naming.add(scene);
    for (const index of followed.targets.keys()) places.add({ followed, index });
    if (old !== undefined) announce(followed);
  };
  const followInSlices = async (scene: Scene): Promise<void> => {
    const followed = withoutTargets(scene);
    // Judged and then changed, or changed and then judged: from here on the events find what was judged.
    await eachInSlices(scene.targets.keys(), clock.monotonicMs, (index) => {
      addTarget(followed, findDevice);
      places.add({ followed, index });
    });
    if (isStopped) return;
    const old = scenes.get(scene.id);
    old?.stopTimer?.();
    scenes.set(scene.id, Object.assign(followed, begun(followed, old, clock.wallMs())));
    if (old === undefined) return;
    announce(followed);
    await eachInSlices(old.targets, clock.monotonicMs, (target) => places.drop(old, target));
  };
  /** A group that came, went or has other members. */
  const followAgain = (group: DeviceId): void => {
    const named = naming.of(group).map((id) => scenes.get(id)?.scene);
    for (const scene of named) if (scene !== undefined) follow(scene);
  };

  return {
    /** Follows a scene as it is now, in place of how it was. */
    follow,
    /**
     * The same without a long turn, for a scene that may have every device of the home as a target, and no group. Until
     * it resolves, the scene is followed as it was. Not to be called again before that.
     */
    followInSlices,
    forget,
    noteEvent: (event: HomeEvent): void => {
      if (event.type === 'feature.changed') places.ofFeature(event.device.id, event.key).forEach(judge);
      else if (event.type === 'availability.changed' || event.type.startsWith('device.')) {
        if (!('device' in event)) return;
        if (isGroup(event.device)) followAgain(event.device.id);
        else places.ofDevice(event.device.id).forEach(judge);
        // A device that returns is a member again, although its group is the same as before.
        if (event.type === 'device.added') naming.groupsWith(event.device.id).forEach(followAgain);
      }
    },
    activityOf: (id: SceneId): Activity | undefined => scenes.get(id)?.activity,
    stop: (): void => {
      isStopped = true;
      for (const { stopTimer } of scenes.values()) stopTimer?.();
    },
  };
}

/** Whether a scene that nobody follows is active now. */
export function activityNow({ targets }: Pick<Scene, 'targets'>, findDevice: FindDevice): Activity {
  const spread = spreadTargets(targets, findDevice);
  const counts = countMatches(spread.map((target) => matchTarget(target, findDevice(target.deviceId))));
  return { state: activityState(counts), matched: counts.matched, of: presentOf(counts), sinceMs: null };
}

function featureName(deviceId: DeviceId, key: string): string {
  return `${deviceId} ${key}`;
}

function beginning(
  scene: Scene,
  context: { readonly findDevice: FindDevice; readonly nowMs: number; readonly old: Followed | undefined },
): Followed {
  const { findDevice, nowMs, old } = context;
  const followed = { ...withoutTargets(scene), targets: spreadTargets(scene.targets, findDevice) };
  for (const _ of followed.targets) addTarget(followed, findDevice);
  return { ...followed, ...begun(followed, old, nowMs) };
}

function withoutTargets(scene: Scene): Followed {
  const counts = countMatches([]);
  const activity: Activity = { state: activityState(counts), matched: 0, of: 0, sinceMs: null };
  return {
    scene,
    targets: scene.targets,
    matches: [],
    counts,
    activity,
    announced: '',
    announcedAtMs: -Infinity,
    stopTimer: undefined,
  };
}

/** Judges the first target that is not judged yet. */
function addTarget({ targets, matches, counts }: Followed, findDevice: FindDevice): void {
  const target = targets[matches.length];
  if (target === undefined) return;
  const match = matchTarget(target, findDevice(target.deviceId));
  matches.push(match);
  counts[match] += 1;
}

/** Derives the activity of a scene from all of its targets, and from how the scene was. */
function begun(
  { counts }: Followed,
  old: Followed | undefined,
  nowMs: number,
): Pick<Followed, 'activity' | 'announced' | 'announcedAtMs'> {
  const state = activityState(counts);
  const sinceMs = old?.activity.state === state ? old.activity.sinceMs : nowMs;
  const activity: Activity = { state, matched: counts.matched, of: presentOf(counts), sinceMs };
  return {
    activity,
    announced: old?.announced ?? shortOf(activity),
    announcedAtMs: old?.announcedAtMs ?? -Infinity,
  };
}

function activityFrom({ counts, activity }: Followed, nowMs: number): Activity {
  const state = activityState(counts);
  const sinceMs = state === activity.state ? activity.sinceMs : nowMs;
  return { state, matched: counts.matched, of: presentOf(counts), sinceMs };
}

function countMatches(matches: readonly Match[]): Record<Match, number> {
  const counts = { matched: 0, differs: 0, unknown: 0, absent: 0 };
  for (const match of matches) counts[match] += 1;
  return counts;
}

function presentOf({ matched, differs, unknown }: Record<Match, number>): number {
  return matched + differs + unknown;
}

function shortOf({ state, matched, of }: Activity): string {
  return `${state} ${matched} ${of}`;
}

function createAnnouncer({ clock, startTimer, onChanged }: Pick<Deps, 'clock' | 'startTimer' | 'onChanged'>) {
  return (followed: Followed): void => {
    if (followed.stopTimer !== undefined || shortOf(followed.activity) === followed.announced) return;
    // Never at once: the values of one report come one after the other.
    const waitMs = Math.max(0, followed.announcedAtMs + CHANGED_AT_MOST_EVERY_MS - clock.monotonicMs());
    followed.stopTimer = startTimer(waitMs, () => {
      followed.stopTimer = undefined;
      const now = shortOf(followed.activity);
      if (now === followed.announced) return;
      followed.announced = now;
      followed.announcedAtMs = clock.monotonicMs();
      onChanged(followed.scene.id);
    });
  };
}

/** Where a device is a target, and where one of its features is. */
function createFollowedPlaces() {
  const ofDevice = createPlaces();
  const ofFeature = createPlaces();
  return {
    ofDevice: (id: DeviceId): readonly Place[] => ofDevice.at(id),
    ofFeature: (id: DeviceId, key: string): readonly Place[] => ofFeature.at(featureName(id, key)),
    add: (place: Place): void => {
      const target = place.followed.targets[place.index];
      if (target === undefined) return;
      ofDevice.add(target.deviceId, place);
      for (const key of Object.keys(target.set)) ofFeature.add(featureName(target.deviceId, key), place);
    },
    drop: (followed: Followed, { deviceId, set }: SceneTarget): void => {
      ofDevice.drop(deviceId, followed);
      for (const key of Object.keys(set)) ofFeature.drop(featureName(deviceId, key), followed);
    },
  };
}

function createNaming(findDevice: FindDevice) {
  const scenes = new Map<DeviceId, Set<SceneId>>();
  return {
    of: (id: DeviceId): readonly SceneId[] => [...(scenes.get(id) ?? [])],
    add: ({ id, targets }: Scene): void => {
      for (const { deviceId } of targets) scenes.set(deviceId, (scenes.get(deviceId) ?? new Set()).add(id));
    },
    drop: ({ id, targets }: Scene): void => {
      for (const { deviceId } of targets) {
        const others = scenes.get(deviceId);
        others?.delete(id);
        if (others?.size === 0) scenes.delete(deviceId);
      }
    },
    groupsWith: (member: DeviceId): readonly DeviceId[] =>
      [...scenes.keys()].filter((id) => findDevice(id)?.members?.some((one) => one.id === member)),
  };
}

function createPlaces() {
  const places = new Map<string, Place[]>();
  return {
    at: (name: string): readonly Place[] => places.get(name) ?? [],
    add: (name: string, place: Place): void => {
      const others = places.get(name);
      if (others === undefined) places.set(name, [place]);
      else others.push(place);
    },
    drop: (name: string, followed: Followed): void => {
      const left = (places.get(name) ?? []).filter((place) => place.followed !== followed);
      if (left.length === 0) places.delete(name);
      else places.set(name, left);
    },
  };
}
