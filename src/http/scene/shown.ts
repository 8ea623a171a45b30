import { type Caller, canCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import { findDeviceIn, findRoomIn, type Visibility, visibilityFor } from '#auth/visibility.ts';
import { requireThing } from '#base/hub-error.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { Room } from '#core/room/room.ts';
import { allOffScene } from '#core/scene/all-off.ts';
import type { Scene, SceneTarget } from '#core/scene/scene.ts';
import { spreadTargets } from '#core/scene/scene-groups.ts';
import { findSensitiveTarget, type SceneRegistry } from '#core/scene/scene-registry.ts';
import type { GiveDeps } from '#http/command/give.ts';
import { callerOf, insufficientScope } from '#http/rights/access.ts';
import type { RouteRequest } from '#http/routing/route.ts';
import type { SceneHome } from './targets.ts';

export type SceneRoutesDeps = GiveDeps & {
  readonly scenes: Omit<SceneRegistry, 'stop'>;
  readonly registry: Pick<DeviceRegistry, 'devices' | 'findDevice'>;
  readonly findRoom: (idOrSelector: string) => Room | undefined;
  readonly commands: GiveDeps['commands'] & { readonly isBusy: (deviceId: SceneTarget['deviceId']) => boolean };
  readonly eventCursor: () => string;
  readonly wallMs: () => number;
};

/** The scene in the path as the caller sees it. */
export function sceneOf(deps: SceneRoutesDeps, request: RouteRequest<unknown, unknown>, right: Scope): Scene {
  const found = deps.scenes.findScene(request.params['selector'] ?? '');
  return requireThing(
    found === undefined ? undefined : shownTo(deps, visibilityFor(callerOf(request), right), found),
    'scene',
  );
}

/** A scene exists for those who see all of its devices; the built-in one consists of the devices that the caller sees. */
export function shownTo(
  { registry }: Pick<SceneRoutesDeps, 'registry'>,
  visibility: Visibility,
  scene: Scene,
): Scene | undefined {
  if (visibility.isWhole) return scene;
  if (scene.isBuiltIn) return allOffScene(registry.devices().filter(visibility.seesDevice));
  const findSeen = findDeviceIn(visibility, registry.findDevice);
  const named = [...scene.targets, ...spreadTargets(scene.targets, registry.findDevice)];
  return named.every(({ deviceId }) => findSeen(deviceId) !== undefined) ? scene : undefined;
}

/** The part of the home from which the caller may make scenes. */
export function homeOf({ registry, findRoom }: SceneRoutesDeps, caller: Caller): SceneHome {
  const visibility = visibilityFor(caller, 'scene:manage');
  return {
    devices: () => registry.devices().filter(visibility.seesDevice),
    findDevice: findDeviceIn(visibility, registry.findDevice),
    findRoom: findRoomIn(visibility, findRoom),
  };
}

/** Throws HubError FORBIDDEN with the first device that the caller may not use. */
export function requireSensitive(
  { registry }: Pick<SceneRoutesDeps, 'registry'>,
  caller: Caller,
  { targets }: Pick<Scene, 'targets'>,
): void {
  const refused = findSensitiveTarget(
    {
      targets: spreadTargets(targets, registry.findDevice).filter(({ deviceId }) => {
        const device = registry.findDevice(deviceId);
        return device !== undefined && !canCaller(caller, 'device:control_sensitive', { device });
      }),
    },
    registry.findDevice,
  );
  if (refused !== undefined) throw insufficientScope('device:control_sensitive', ` for ${refused.selector}`);
}
