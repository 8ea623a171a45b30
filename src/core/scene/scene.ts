import type { JsonObject, JsonValue } from '#base/json.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Quality } from '#core/feature/feature.ts';
import type { RoomId } from '#core/room/room.ts';

declare const sceneId: unique symbol;
export type SceneId = string & { readonly [sceneId]: never };

/** A named wish for each of some devices. Only the scene registry writes it. */
export type Scene = {
  readonly id: SceneId;
  readonly selector: string;
  readonly name: string;
  readonly roomId: RoomId | null;
  readonly icon: string | null;
  /** `null` leaves it to each device. */
  readonly transitionMs: number | null;
  readonly targets: readonly SceneTarget[];
  /** The hub made it, and its targets are the devices of the moment. */
  readonly isBuiltIn: boolean;
  readonly revision: number;
  /** `null` for a built-in one. */
  readonly createdBy: Issuer | null;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
};

export type SceneTarget = {
  readonly deviceId: DeviceId;
  /** As the device was called last, to be shown after it was removed. */
  readonly selector: string;
  readonly name: string;
  /** At least one value by feature key. */
  readonly set: JsonObject;
  /** `null` where it is the scene's. */
  readonly transitionMs: number | null;
};

/** Limits of what the hub keeps in memory, and of the work at each change of a value. */
export const MAX_SCENES = 200;
export const MAX_TARGETS_OF_ALL = 10_000;

/** Whether the devices show what a target wants. `absent`: they cannot, because the device or its features are gone. */
export type Match = 'matched' | 'differs' | 'unknown' | 'absent';

/** A wanted value that a device does not show for certain. */
export type Difference = {
  readonly deviceId: DeviceId;
  readonly selector: string;
  readonly key: string;
  readonly wanted: JsonValue;
  readonly value: JsonValue;
  readonly quality: Quality;
};

export const ACTIVITY_STATES = ['active', 'partly', 'inactive', 'unknown'] as const;
export type ActivityState = (typeof ACTIVITY_STATES)[number];

/** Whether the scene is the state of the home, by what its devices report. */
export type Activity = {
  readonly state: ActivityState;
  readonly matched: number;
  /** Targets that the home has. */
  readonly of: number;
  /** Wall time of the last change of the state; `null` where nobody watched. */
  readonly sinceMs: number | null;
};

export type FindDevice = (idOrSelector: string) => Device | undefined;

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** A change of the scene, or of whether it is active: that at most once a second. */
    'scene.added': { readonly scene: Scene; readonly activity: Activity };
    'scene.changed': { readonly scene: Scene; readonly activity: Activity };
    'scene.removed': { readonly scene: Scene };
    'scene.activated': {
      readonly scene: Scene;
      readonly command: string;
      readonly by: Pick<Issuer, 'type' | 'id'>;
    };
  }
}
