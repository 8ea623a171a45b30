import { withTitle } from '#integrations/peer/source.ts';
import { type JsonValue, objectOf } from '#base/json.ts';
import type { DeviceDescription, DeviceType } from '#core/device/device.ts';
import { mapNumber, mapNumberBetween } from '#core/feature/peer-value.ts';
import { ownFeature, wordFeature, ownAction } from '#core/feature/new-feature.ts';
import type { Codec } from '#integrations/peer/codec.ts';
import { brightnessSource, segmentSources, segmentSwitch } from './segments.ts';
import {
  inObject,
  inSegment,
  inState,
  memberSource,
  nameSources,
  type Plain,
  plainSource,
  type Source,
} from './source.ts';
import { type LightStatus, type Lists, mapByte, NO_LISTS, type Segment } from './wled-message.ts';

/** A light as the hub sees it: one device, with a component for each segment if there are several. */
export type Light = { readonly description: DeviceDescription; readonly sources: readonly Source[] };

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
            const title = segment.name ?? `Segment ${segment.id}`;
            return [...segmentSwitch(segment, component), ...shown].map((source) => withTitle(source, title));
          }),
        ];
  const sources = [...parts, ...lightSources(lists)];
  return {
    sources,
    description: {
      externalId: info.mac,
      name: info.name,
      type: typeOf(segments),
      manufacturer: info.maker,
      model: info.model,
      firmware: info.version,
      features: sources.map(({ feature }) => feature),
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

/**
 * The switch and brightness of the whole. Those of a single segment multiply with them and have no features of their
 * own: it shines only if both are on, and to be on or bright means both.
 */
function wholeSwitch(only: Segment | undefined): readonly Source[] {
  const segment = only && inSegment(only.id, 'main');
  const isRelay = only !== undefined && !Object.values(only.abilities).includes(true);
  const brightness = brightnessSource(
    inState,
    (status) => {
      const { bri: own = 255 } = segment?.find(status) ?? {};
      return mapByte(status.state['bri'], (whole) => mapByte(own, (part) => (whole * part) / 255));
    },
    segment?.change({ on: true, bri: 255 }),
  );
  const on: Source = {
    feature: wordFeature('on', 'main', { writable: true }),
    read: (status) => {
      const { on: part = true } = segment?.find(status) ?? {};
      const whole = status.state['on'];
      if (whole === null || part === null) return null;
      return typeof whole === 'boolean' && typeof part === 'boolean' ? whole && part : undefined;
    },
    write: (value) => {
      const also = value === true ? segment?.change({ on: true }) : {};
      return { change: { ...also, on: value }, echo: value };
    },
  };
  return isRelay ? [on] : [brightness, on];
}

/** Makes the parts that a light has once, whatever its segments. */
function lightSources(lists: Lists): readonly Source[] {
  return [
    ...presetSource(lists),
    TRANSITION,
    plainSource({ member: 'lor', name: 'live_override', max: 2 }, inState),
    ...NESTED.flatMap(([object, ...plain]) => plain.map((one) => plainSource(one, inObject(object)))),
    RESTART,
    {
      feature: ownFeature('live', 'main', { valueType: 'boolean' }),
      read: ({ info }) => info.raw['live'],
    },
    {
      feature: wordFeature('signal_strength', 'main'),
      read: ({ info }) => mapNumber(objectOf(info.raw['wifi'])['rssi'], (rssi) => rssi),
    },
  ];
}

/** A playlist is a preset that goes on to others: while it runs, it is the chosen one. */
function presetSource({ presets }: Lists): readonly Source[] {
  const feature = ownFeature('preset', 'main', { valueType: 'enum', category: 'primary' });
  const nameOf = (value: JsonValue | undefined): string | null | undefined =>
    mapNumber(value, (id) => (id < 0 ? 'none' : (presets.get(id) ?? `${id}`)));
  const read: Source['read'] = ({ state }) => {
    const [list, own] = [nameOf(state['pl']), nameOf(state['ps'])];
    if (typeof list === 'string' && list !== 'none') return list;
    return own === undefined ? (list ?? 'none') : own;
  };
  return nameSources(feature, { names: presets, member: 'ps', place: inState }).map((source) => ({ ...source, read }));
}

const MOST_TENTHS = 65_535;
const transition = ownFeature('transition', 'main', {
  valueType: 'number',
  writable: true,
  unit: 's',
  min: 0,
  max: MOST_TENTHS / 10,
  step: 0.1,
  description: 'How long changes take that say nothing of it themselves.',
});
const TENTHS: Codec = {
  read: (raw) => mapNumberBetween(raw, [0, MOST_TENTHS], (tenths) => tenths / 10),
  write: (seconds) => Math.round(Number(seconds) * 10),
};
const TRANSITION = memberSource(transition, inState, { member: 'transition', codec: TENTHS });

const RESTART: Source = {
  feature: ownAction('restart', 'main'),
  write: () => ({ change: { rb: true }, echo: null }),
};

/** Members of objects in the state. */
const NESTED: readonly (readonly [object: string, ...plain: readonly Plain[]])[] = [
  [
    'nl',
    { member: 'on', name: 'nightlight' },
    { member: 'dur', name: 'nightlight_minutes', max: 255 },
    { member: 'tbri', name: 'nightlight_level', max: 255 },
  ],
  ['udpn', { member: 'send', name: 'sync_send' }, { member: 'recv', name: 'sync_receive' }],
];
