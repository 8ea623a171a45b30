import type { Device, Feature, Scene, SceneTarget, SceneTargetWish } from '#web/client/api.ts';
import { colorValue, FIRST_COLOR } from '#web/controls/colors.ts';

export type Wishes = Readonly<Record<string, unknown>>;
/** One device of a scene that is being edited. */
export type DraftTarget = {
  readonly device: SceneTarget['device'];
  readonly set: Wishes;
  readonly transitionMs: number | null;
  /** Left out otherwise: it is kept on the page until the scene is saved. */
  readonly isIn: boolean;
};
export type SceneDraft = {
  readonly name: string;
  readonly icon: string | null;
  readonly room: string | null;
  readonly transitionMs: number | null;
  readonly targets: readonly DraftTarget[];
};

/** Features of a lamp that mean nothing while it is off. */
const OF_A_LIT_LAMP: ReadonlySet<string> = new Set(['brightness', 'color', 'color_temperature']);
const COLORS: ReadonlySet<string> = new Set(['color', 'color_temperature']);
const TYPES: ReadonlySet<string> = new Set(['boolean', 'number', 'enum', 'color', 'string']);

export function draftFrom({ name, icon, room, transition_ms: transitionMs, targets }: Scene): SceneDraft {
  return {
    name,
    icon,
    room: room?.id ?? null,
    transitionMs,
    targets: targets.map(({ device, set, transition_ms: ownMs }) => ({ device, set, transitionMs: ownMs, isIn: true })),
  };
}

/** Lists the features of a device that a scene can set. */
export function sceneFeatures({ features }: Pick<Device, 'features'>): readonly Feature[] {
  return features.filter(
    ({ kind, category, writable, value_type: type }) =>
      kind === 'state' && category === 'primary' && writable && TYPES.has(type),
  );
}

/** Whether a value means something beside the others: a lamp that is off has no brightness. */
export function isMeant({ features }: Pick<Device, 'features'>, set: Wishes, key: string): boolean {
  const feature = features.find((one) => one.key === key);
  if (feature === undefined || !OF_A_LIT_LAMP.has(feature.capability)) return true;
  const on = features.find(({ capability, component }) => capability === 'on' && component === feature.component);
  return on === undefined || set[on.key] !== false;
}

/** A new device of the scene: as it is now, in as few values as say it. */
export function newTarget(device: Device): DraftTarget {
  const { id, selector, name } = device;
  const offered = sceneFeatures(device);
  const of = (wanted: string): Feature | undefined => offered.find(({ capability }) => capability === wanted);
  const main = of('on') ?? of('position') ?? of('target_temperature') ?? offered[0];
  const brightness = main?.capability === 'on' && main.value === true ? of('brightness') : undefined;
  const chosen = [main, brightness].filter((one) => one !== undefined);
  const set = Object.fromEntries(chosen.map((feature) => [feature.key, presentValue(feature)]));
  return { device: { id, selector, name }, set, transitionMs: null, isIn: true };
}

/** The wishes with this feature as it is now. A scene has one of the two ways of a lamp to have a color. */
export function withFeature(set: Wishes, device: Pick<Device, 'features'>, feature: Feature): Wishes {
  const isOtherWay = (key: string): boolean => {
    const other = device.features.find((one) => one.key === key);
    const isColor = COLORS.has(feature.capability) && COLORS.has(other?.capability ?? '');
    return isColor && other?.component === feature.component;
  };
  const kept = Object.entries(set).filter(([key]) => !isOtherWay(key));
  return { ...Object.fromEntries(kept), [feature.key]: presentValue(feature) };
}

/** With another value for one that is in it. */
export function withValue(set: Wishes, key: string, value: unknown): Wishes {
  return key in set ? { ...set, [key]: value } : set;
}

/** Without one of its values. */
export function without(set: Wishes, key: string): Wishes {
  return Object.fromEntries(Object.entries(set).filter(([one]) => one !== key));
}

/** The same targets with one of them changed from what it is by now: a stepper says late what it sets. */
export function withTarget(
  targets: readonly DraftTarget[],
  id: string,
  change: (now: DraftTarget) => DraftTarget,
): readonly DraftTarget[] {
  return targets.map((one) => (one.device.id === id ? change(one) : one));
}

/**
 * Makes the wishes for the hub: only what is left in and means something. A device that the home no longer has stays as
 * it was.
 */
export function wishesOf(
  targets: readonly DraftTarget[],
  findDevice: (id: string) => Device | undefined,
): readonly SceneTargetWish[] {
  return targets.flatMap(({ device: { id }, set, transitionMs, isIn }) => {
    if (!isIn) return [];
    const device = findDevice(id);
    const meant = Object.entries(set).filter(([key]) => device === undefined || isMeant(device, set, key));
    return [{ device: id, set: Object.fromEntries(meant), transition_ms: transitionMs }];
  });
}

function presentValue({ value, value_type: type, min, options }: Feature): unknown {
  if (value !== null) return value;
  if (type === 'boolean') return false;
  if (type === 'number') return min ?? 0;
  if (type === 'color') return colorValue(FIRST_COLOR, null);
  return options?.[0] ?? '';
}
