import type { Feature, SceneTargetWish } from '#web/client/api.ts';

type Value = Pick<Feature, 'key' | 'value'>;
/** `brightness` is absent from a lamp that can only be on or off. */
export type Lamp = { readonly id: string; readonly on: Value; readonly brightness: Value | undefined };

/** The mean brightness of the lamps that are on; 0 if none is. */
export function levelOf(lamps: readonly Lamp[]): number {
  const levels = litLevels(lamps).map(([, level]) => level);
  return levels.length === 0 ? 0 : levels.reduce((sum, level) => sum + level, 0) / levels.length;
}

/**
 * Changes what is lit in proportion; if no lamp with a level is, turns every lamp on at that level. Level 0 turns off
 * what is lit. A lamp without a level is only turned on and off.
 */
export function wishesForLevel(lamps: readonly Lamp[], level: number): readonly SceneTargetWish[] {
  if (level <= 0) {
    return lamps.filter(({ on }) => on.value === true).map(({ id, on }) => wish(id, { [on.key]: false }));
  }
  const lit = litLevels(lamps);
  const mean = levelOf(lamps);
  if (lit.length === 0) {
    return lamps.map(({ id, on, brightness }) =>
      wish(id, { [on.key]: true, ...(brightness === undefined ? {} : { [brightness.key]: level }) }),
    );
  }
  return lit.map(([{ id, brightness }, now]) => {
    // A lamp at 0 % counts as off, so the least is 1 %.
    const next = mean === 0 ? level : Math.min(100, Math.max(1, Math.round((now * level) / mean)));
    return wish(id, brightness === undefined ? {} : { [brightness.key]: next });
  });
}

const wish = (device: string, set: Readonly<Record<string, unknown>>): SceneTargetWish => ({ device, set });

function litLevels(lamps: readonly Lamp[]): readonly (readonly [Lamp, number])[] {
  return lamps.flatMap((lamp) => {
    const level = lamp.brightness?.value;
    return lamp.on.value === true && typeof level === 'number' ? [[lamp, level] as const] : [];
  });
}
