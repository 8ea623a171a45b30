import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Activity, FindDevice, Match, Scene, SceneId } from './scene.ts';
import { activityState, matchTarget } from './scene-match.ts';

/** Follows which scenes are active. A change of a value costs as much as there are scenes that want something of it. */
export type SceneWatch = {
  /** Follows a scene as it is now, in place of how it was. */
  readonly follow: (scene: Scene) => void;
  readonly forget: (id: SceneId) => void;
  readonly noteEvent: (event: HomeEvent) => void;
  readonly activityOf: (id: SceneId) => Activity | undefined;
  readonly stop: () => void;
};

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
  readonly matches: Match[];
  readonly counts: Record<Match, number>;
  activity: Activity;
  /** What was announced last. */
  announced: string;
  announcedAtMs: number;
  stopTimer: (() => void) | undefined;
};
type Place = { readonly followed: Followed; readonly index: number };

export function createSceneWatch(deps: Deps): SceneWatch {
  const { findDevice, clock } = deps;
  const scenes = new Map<SceneId, Followed>();
  // Where a device is a target, and where one of its features is.
  const ofDevice = createPlaces();
  const ofFeature = createPlaces();
  const announce = createAnnouncer(deps);

  const judge = ({ followed, index }: Place): void => {
    const target = followed.scene.targets[index];
    const before = followed.matches[index];
    if (target === undefined || before === undefined) return;
    const now = matchTarget(target, findDevice(target.deviceId));
    if (now === before) return;
    followed.matches[index] = now;
    followed.counts[before] -= 1;
    followed.counts[now] += 1;
    followed.activity = activityFrom(followed, clock.wallMs());
    announce(followed);
  };
  const forget = (id: SceneId): void => {
    const followed = scenes.get(id);
    if (followed === undefined) return;
    followed.stopTimer?.();
    scenes.delete(id);
    for (const target of followed.scene.targets) {
      ofDevice.drop(target.deviceId, followed);
      for (const key of Object.keys(target.set)) ofFeature.drop(featureName(target.deviceId, key), followed);
    }
  };

  return {
    follow: (scene) => {
      const old = scenes.get(scene.id);
      forget(scene.id);
      const followed = beginning(scene, { findDevice, nowMs: clock.wallMs(), old });
      scenes.set(scene.id, followed);
      for (const [index, target] of scene.targets.entries()) {
        ofDevice.add(target.deviceId, { followed, index });
        for (const key of Object.keys(target.set)) {
          ofFeature.add(featureName(target.deviceId, key), { followed, index });
        }
      }
      if (old !== undefined) announce(followed);
    },
    forget,
    noteEvent: (event) => {
      if (event.type === 'feature.changed') ofFeature.at(featureName(event.device.id, event.key)).forEach(judge);
      else if (event.type === 'availability.changed' || event.type.startsWith('device.')) {
        if ('device' in event) ofDevice.at(event.device.id).forEach(judge);
      }
    },
    activityOf: (id) => scenes.get(id)?.activity,
    stop: () => {
      for (const { stopTimer } of scenes.values()) stopTimer?.();
    },
  };
}

/** Whether a scene that nobody follows is active now. */
export function activityNow({ targets }: Pick<Scene, 'targets'>, findDevice: FindDevice): Activity {
  const counts = countMatches(targets.map((target) => matchTarget(target, findDevice(target.deviceId))));
  return { state: activityState(counts), matched: counts.matched, of: presentOf(counts), sinceMs: null };
}

function featureName(deviceId: DeviceId, key: string): string {
  return `${deviceId} ${key}`;
}

function beginning(
  scene: Scene,
  given: { readonly findDevice: FindDevice; readonly nowMs: number; readonly old: Followed | undefined },
): Followed {
  const { findDevice, nowMs, old } = given;
  const matches = scene.targets.map((target) => matchTarget(target, findDevice(target.deviceId)));
  const counts = countMatches(matches);
  const state = activityState(counts);
  const sinceMs = old?.activity.state === state ? old.activity.sinceMs : nowMs;
  const activity: Activity = { state, matched: counts.matched, of: presentOf(counts), sinceMs };
  const announced = old?.announced ?? shortOf(activity);
  return {
    scene,
    matches,
    counts,
    activity,
    announced,
    announcedAtMs: old?.announcedAtMs ?? -Infinity,
    stopTimer: undefined,
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
