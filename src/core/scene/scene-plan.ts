import type { CommandResult } from '#core/command/command.ts';
import type { CommandRequest } from '#core/command/command-request.ts';
import type { Device } from '#core/device/device.ts';
import { type Feature, UNREPORTED } from '#core/feature/feature.ts';
import { ownFeature } from '#core/feature/new-feature.ts';
import type { FindDevice, Scene, SceneTarget } from './scene.ts';
import { spreadTargets } from './scene-groups.ts';
import { fittingPart, matchTarget } from './scene-match.ts';

type ScenePlan = {
  readonly requests: ReadonlyMap<Device, CommandRequest>;
  readonly settled: readonly CommandResult[];
};

type PlanContext = {
  readonly findDevice: FindDevice;
  /** Whether a command for the device is under way, which may change what it shows. */
  readonly isBusy: (device: Device) => boolean;
  /** Sends also what the devices show already. */
  readonly force: boolean;
  /** In place of the scene's and the targets' own. */
  readonly transitionMs: number | null;
};

/** Plans the requests that make the home as the scene wants it; `settled` has what needs not or cannot be sent. */
export function planScene(scene: Pick<Scene, 'targets' | 'transitionMs'>, context: PlanContext): ScenePlan {
  const requests: [Device, CommandRequest][] = [];
  const settled: CommandResult[] = [];
  for (const target of spreadTargets(scene.targets, context.findDevice)) {
    const device = context.findDevice(target.deviceId);
    if (device === undefined) {
      settled.push(...Object.keys(target.set).map((key) => failed(target, key, REMOVED)));
      continue;
    }
    const { set, faults } = fittingPart(target, device);
    for (const [key, fault] of faults) {
      settled.push(failed(target, key, { code: 'NOT_SUPPORTED', reason: `The device cannot do this: it ${fault}.` }));
    }
    if (Object.keys(set).length === 0) continue;
    const isProved = isReadable(set, device) && matchTarget({ ...target, set }, device) === 'matched';
    const isUnchanged = !context.force && !context.isBusy(device) && isProved;
    if (isUnchanged) settled.push(...unchanged(set, device));
    else {
      const transitionMs = context.transitionMs ?? target.transitionMs ?? scene.transitionMs;
      requests.push([device, { set, transitionMs }]);
    }
  }
  // What goes dark goes out last, so that it is never dark between two scenes.
  const sorted = requests.toSorted(([, left], [, right]) => Number(turnsOff(left)) - Number(turnsOff(right)));
  return { requests: new Map(sorted), settled };
}

/** Whether the device reports all of it: what cannot be read may be as it should or not. */
function isReadable(set: SceneTarget['set'], { features }: Device): boolean {
  return features.every(({ key, kind, readable }) => !Object.hasOwn(set, key) || (kind === 'state' && readable));
}

function turnsOff({ set }: CommandRequest): boolean {
  return Object.entries(set ?? {}).some(([key, value]) => value === false && /^(.+\.)?on$/.test(key));
}

function unchanged(set: SceneTarget['set'], { id: deviceId, selector, features, states }: Device): CommandResult[] {
  return features
    .filter(({ key }) => Object.hasOwn(set, key))
    .map((feature) => ({
      deviceId,
      selector,
      feature,
      requested: set[feature.key] ?? null,
      observed: (states.get(feature.key) ?? UNREPORTED).value,
      status: 'confirmed',
      evidence: 'state_report',
      reason: 'unchanged',
      code: null,
      before: new Map(),
    }));
}

const REMOVED = { code: 'NOT_FOUND', reason: 'The device was removed.' } as const;

function failed(
  { deviceId, selector, set }: SceneTarget,
  key: string,
  why: Pick<CommandResult, 'reason' | 'code'>,
): CommandResult {
  return {
    deviceId,
    selector,
    feature: featureNamed(key),
    requested: set[key] ?? null,
    observed: null,
    status: 'failed',
    evidence: 'none',
    ...why,
    before: new Map(),
  };
}

/** Stands for a feature that the home no longer has. */
function featureNamed(key: string): Feature {
  return { ...ownFeature('gone', 'main', { valueType: 'any' }), key };
}
