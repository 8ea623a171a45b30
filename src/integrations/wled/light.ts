import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { DeviceDescription, DeviceType } from '#core/device/device.ts';
import { mapNumber } from '#core/feature/peer-value.ts';
import type { Feature } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { brightnessSource, segmentSources, segmentSwitch } from './segments.ts';
import { type Draft, flagSource, inSegment, inState, nameSource, numberSource, type Source } from './source.ts';
import { type LightStatus, type Lists, mapByte, NO_LISTS, type Segment } from './wled-message.ts';

/** A light as the hub sees it: one device, with a component for each segment if there are several. */
export type Light = { readonly description: DeviceDescription; readonly byKey: ReadonlyMap<string, Source> };

/** A device may be described with 128 KiB. Further segments have no lists of effects, nor what is for those. */
const DETAILED_SEGMENTS = 6;
const isPrimary = ({ feature }: Source): boolean => feature.category === 'primary';

export function lightFromStatus({ info, segments }: LightStatus, lists: Lists): Light {
  const [first, ...others] = segments;
  const parts =
    others.length === 0
      ? [...wholeSwitch(first), ...(first === undefined ? [] : segmentSources(first, 'main', lists))]
      : [
          ...wholeSwitch(undefined),
          ...segments.flatMap((segment, index) => {
            const component = `segment_${segment.id}`;
            const sources = segmentSources(segment, component, index < DETAILED_SEGMENTS ? lists : NO_LISTS);
            const shown = index < DETAILED_SEGMENTS ? sources : sources.filter(isPrimary);
            return [...segmentSwitch(segment, component), ...shown].map((source) => withName(source, segment));
          }),
        ];
  const byKey = new Map([...parts, ...lightSources(lists)].map((source) => [source.feature.key, source]));
  return {
    byKey,
    description: {
      externalId: info.mac,
      name: info.name,
      type: typeOf(segments),
      manufacturer: info.maker,
      model: info.model,
      firmware: info.version,
      features: [...byKey.values()].map(({ feature }) => feature),
      staleAfterMs: null,
    },
  };
}

function typeOf(segments: readonly Segment[]): DeviceType {
  const can = (ability: keyof Segment['abilities']): boolean => segments.some(({ abilities }) => abilities[ability]);
  if (can('color')) return 'extended_color_light';
  if (can('temperature')) return 'color_temperature_light';
  return can('white') || segments.length === 0 ? 'dimmable_light' : 'on_off_light';
}

function withName(source: Source, { id, name }: Segment): Source {
  const { feature } = source;
  return { ...source, feature: { ...feature, name: `${name ?? `Segment ${id}`}: ${feature.name}` } };
}

/**
 * The switch and brightness of the whole. Those of a single segment multiply with them and have no features of their
 * own: it shines only if both are on, and to be on or bright means both.
 */
function wholeSwitch(only: Segment | undefined): readonly Source[] {
  const segment = only && inSegment(only.id, 'main');
  const isRelay = only !== undefined && !Object.values(only.abilities).includes(true);
  const withSegment = (draft: Draft): Draft => segment?.put(draft, { on: true, bri: 255 }) ?? draft;
  const brightness = brightnessSource(
    inState,
    ({ bri }, status) => {
      const { bri: own = 255 } = segment?.find(status) ?? {};
      return mapByte(bri, (whole) => mapByte(own, (part) => (whole * part) / 255));
    },
    withSegment,
  );
  const on: Source = {
    feature: wordFeature('on', 'main', { writable: true }),
    read: (status) => {
      const { on: part = true } = segment?.find(status) ?? {};
      const whole = status.state['on'];
      if (whole === null || part === null) return null;
      return typeof whole === 'boolean' && typeof part === 'boolean' ? whole && part : undefined;
    },
    write: (value, draft) => {
      const next = value === true && segment !== undefined ? segment.put(draft, { on: true }) : draft;
      return { draft: inState.put(next, { on: value }), echo: value };
    },
  };
  return isRelay ? [on] : [brightness, on];
}

/** What a light has once, whatever its segments. */
function lightSources(lists: Lists): readonly Source[] {
  const read = (find: (status: LightStatus) => JsonValue | undefined, feature: Feature): Source => ({
    feature,
    read: find,
  });
  return [
    ...presetSource(lists),
    tenthsSource,
    numberSource({ member: 'lor', name: 'live_override', max: 2 }, inState),
    ...NESTED.map(nestedSource),
    restartSource,
    read(({ info }) => info.raw['live'], ownFeature('live', 'main', { valueType: 'boolean' })),
    read(
      ({ info }) => mapNumber(memberOf(info.raw, 'wifi')['rssi'], (rssi) => rssi),
      wordFeature('signal_strength', 'main'),
    ),
  ];
}

/** A playlist is a preset that goes on to others: while it runs, it is the chosen one. */
function presetSource({ presets }: Lists): readonly Source[] {
  const feature = ownFeature('preset', 'main', { valueType: 'enum', category: 'primary' });
  const source = nameSource(feature, { names: presets, member: 'ps', place: inState });
  if (source === undefined) return [];
  const nameOf = (value: JsonValue | undefined): string | null | undefined =>
    mapNumber(value, (id) => (id < 0 ? 'none' : (presets.get(id) ?? `${id}`)));
  const read: Source['read'] = ({ state }) => {
    const [list, own] = [nameOf(state['pl']), nameOf(state['ps'])];
    if (typeof list === 'string' && list !== 'none') return list;
    return own === undefined ? (list ?? 'none') : own;
  };
  return [{ ...source, read }];
}

const MOST_TENTHS = 65_535;

const tenthsSource: Source = {
  feature: ownFeature('transition', 'main', {
    valueType: 'number',
    writable: true,
    unit: 's',
    min: 0,
    max: MOST_TENTHS / 10,
    step: 0.1,
    description: 'How long changes take that say nothing of it themselves.',
  }),
  read: ({ state }) =>
    mapNumber(state['transition'], (tenths) => (tenths < 0 || tenths > MOST_TENTHS ? undefined : tenths / 10)),
  write: (seconds, draft) => {
    const transition = Math.round(Number(seconds) * 10);
    return { draft: inState.put(draft, { transition }), echo: transition / 10 };
  },
};

const restartSource: Source = {
  feature: { ...ownFeature('restart', 'main', { valueType: 'none', writable: true, readable: false }), kind: 'action' },
  read: () => undefined,
  write: (_value, draft) => ({ draft: inState.put(draft, { rb: true }), echo: null }),
};

type Nested = { readonly object: string; readonly member: string; readonly name: string; readonly max?: number };

const NESTED: readonly Nested[] = [
  { object: 'nl', member: 'on', name: 'nightlight' },
  { object: 'nl', member: 'dur', name: 'nightlight_minutes', max: 255 },
  { object: 'nl', member: 'tbri', name: 'nightlight_level', max: 255 },
  { object: 'udpn', member: 'send', name: 'sync_send' },
  { object: 'udpn', member: 'recv', name: 'sync_receive' },
];

/** A member of an object in the state. */
function nestedSource({ object, member, name, max }: Nested): Source {
  const place = {
    component: 'main',
    find: ({ state }: LightStatus) => memberOf(state, object),
    put: (draft: Draft, members: JsonObject) =>
      inState.put(draft, { [object]: { ...memberOf(draft.state, object), ...members } }),
    drafted: ({ state }: Draft) => memberOf(state, object),
  };
  return max === undefined ? flagSource({ member, name }, place) : numberSource({ member, name, max }, place);
}

function memberOf(value: JsonObject, name: string): JsonObject {
  const member = value[name];
  return isJsonObject(member) ? member : {};
}
