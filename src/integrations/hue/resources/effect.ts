import { isJsonObject, type JsonValue } from '#base/json.ts';
import { numberIn } from '#core/feature/peer-value.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import type { Resource } from '#integrations/hue/clip/clip-message.ts';
import { memberOf, readMember, readOptions, type Source, type Sources } from './source.ts';

/** Makes what a light can do beside shining: effects, gradients, signals. */
export function effectSources(light: Resource, component: string): Sources {
  const makers = [effectSource, timedEffectSource, gradientSource, alertSource, signalSource];
  return {
    sources: makers.flatMap((make) => make(light, component) ?? []),
    used: [
      'effects',
      'effects_v2',
      'timed_effects',
      'alert',
      'signaling',
      'gradient.points',
      'gradient.mode',
      'gradient.mode_values',
    ],
  };
}

type MakeSource = (light: Resource, component: string) => Source | undefined;
const textOf = (value: JsonValue | undefined): string | null | undefined =>
  typeof value === 'string' || value === null ? value : undefined;

/** Newer bridges have two forms of the same effects, the second with more of them. */
const effectSource: MakeSource = (light, component) => {
  const action = memberOf(light, 'effects_v2')?.['action'];
  const newer = isJsonObject(action) ? readOptions(action['effect_values']) : null;
  if (newer !== null) {
    return {
      feature: wordFeature('effect', component, { writable: true, options: newer }),
      member: 'effects_v2',
      read: readMember(({ status }) =>
        isJsonObject(status) ? textOf(status['effect']) : status === null ? null : undefined,
      ),
      write: (effect) => ({ body: { effects_v2: { action: { effect } } }, echo: effect }),
    };
  }
  const options = readOptions(memberOf(light, 'effects')?.['effect_values']);
  if (options === null) return undefined;
  return {
    feature: wordFeature('effect', component, { writable: true, options }),
    member: 'effects',
    read: readMember(({ status }) => textOf(status)),
    write: (effect) => ({ body: { effects: { effect } }, echo: effect }),
  };
};

/** The bridge wants a duration. */
const TIMED_EFFECT_MS = 30 * 60_000;

const timedEffectSource: MakeSource = (light, component) => {
  const options = readOptions(memberOf(light, 'timed_effects')?.['effect_values']);
  if (options === null) return undefined;
  const description = 'Lasts half an hour.';
  return {
    feature: ownFeature('timed_effect', component, { valueType: 'enum', writable: true, options, description }),
    member: 'timed_effects',
    read: readMember(({ status }) => textOf(status)),
    write: (effect) => {
      const duration = effect === 'no_effect' ? {} : { duration: TIMED_EFFECT_MS };
      return { body: { timed_effects: { effect, ...duration } }, echo: effect };
    },
  };
};

const closed = (properties: Readonly<Record<string, JsonValue>>, required: readonly string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});
const SHARE = { type: 'number', minimum: 0, maximum: 1 };
const GRADIENT_POINT = closed({ color: closed({ xy: closed({ x: SHARE, y: SHARE }, ['x', 'y']) }, ['xy']) }, ['color']);
const MOST_POINTS = 20;

const gradientSource: MakeSource = (light, component) => {
  const gradient = memberOf(light, 'gradient');
  if (gradient === undefined) return undefined;
  const capable = Math.floor(numberIn(gradient['points_capable']) ?? MOST_POINTS);
  const maxItems = Math.min(MOST_POINTS, Math.max(2, capable));
  const modes = readOptions(gradient['mode_values']);
  const points = { type: 'array', items: GRADIENT_POINT, minItems: 2, maxItems };
  const schema = closed({ points, ...(modes === null ? {} : { mode: { type: 'string', enum: modes } }) }, ['points']);
  return {
    feature: ownFeature('gradient', component, { valueType: 'object', writable: true, category: 'primary', schema }),
    member: 'gradient',
    read: readMember(({ points: now, mode }) =>
      Array.isArray(now)
        ? { points: now, ...(typeof mode === 'string' ? { mode } : {}) }
        : now === null
          ? null
          : undefined,
    ),
    write: (value) => ({ body: { gradient: value }, echo: value }),
  };
};

const alertSource: MakeSource = (light, component) => {
  const options = readOptions(memberOf(light, 'alert')?.['action_values']);
  if (options === null) return undefined;
  return {
    feature: ownFeature('alert', component, { valueType: 'enum', writable: true, readable: false, options }),
    member: 'alert',
    write: (action) => ({ body: { alert: { action } }, echo: action }),
  };
};

const SIGNAL_MS = 10_000;
/** The other signals need colors (aiohue 4.9). */
const PLAIN_SIGNALS = new Set(['no_signal', 'on_off']);

const signalSource: MakeSource = (light, component) => {
  const all = readOptions(memberOf(light, 'signaling')?.['signal_values']) ?? [];
  const options = all.filter((signal) => PLAIN_SIGNALS.has(signal));
  if (options.length === 0) return undefined;
  const description = 'Lasts ten seconds.';
  return {
    feature: ownFeature('signal', component, {
      valueType: 'enum',
      writable: true,
      readable: false,
      options,
      description,
    }),
    member: 'signaling',
    write: (signal) => {
      const duration = signal === 'no_signal' ? {} : { duration: SIGNAL_MS };
      return { body: { signaling: { signal, ...duration } }, echo: signal };
    },
  };
};
