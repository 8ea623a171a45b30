import type { Device } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { seriesKindOf } from '#core/past/history/recorded-feature.ts';
import { seriesOf } from '#core/past/history/recorder.ts';
import type { SeriesKind } from '#core/past/history/sample.ts';
import {
  HOUSE_NOUNS,
  type House,
  houseSeriesFrom,
  type HouseNoun,
  houseSeriesOf,
  variableKind,
} from '#core/past/history/house-series.ts';
import type { VariableType } from '#core/variable/variable.ts';

/** A series of the present home: of a feature, or of the home itself. */
export type NamedSeries = {
  /** In storage. */
  readonly name: string;
  /** As callers read and write it. */
  readonly shown: string;
  /** `null`: of the home itself. */
  readonly device: Pick<Device, 'id' | 'selector'> | null;
  readonly key: string;
  readonly kind: SeriesKind;
  readonly unit: string | null;
  readonly valueType: 'number' | 'boolean' | 'text';
  /** `null` of a feature. */
  readonly noun: HouseNoun | null;
};

type NamedDevice = Pick<Device, 'id' | 'selector' | 'features'>;

export type SeriesFinderDeps = {
  readonly registry: { readonly findDevice: (idOrSelector: string) => NamedDevice | undefined };
  readonly house: House;
};

/** Finds series of the home, for every caller alike. */
export type SeriesFinder = ReturnType<typeof createSeriesFinder>;

export function createSeriesFinder({ registry, house }: SeriesFinderDeps) {
  const ofDevice = (device: NamedDevice | undefined, key: string): NamedSeries | undefined => {
    const feature = device?.features.find((one) => one.key === key);
    const kind = feature === undefined ? null : seriesKindOf(feature);
    if (device === undefined || feature === undefined || kind === null) return undefined;
    const { id, selector } = device;
    return {
      name: seriesOf(device, key),
      // A device may have the name of a noun.
      shown: `${isNoun(selector) ? id : selector}/${key}`,
      device: { id, selector },
      key,
      kind,
      unit: feature.unit,
      valueType: valueTypeOf(kind, feature.valueType),
      noun: null,
    };
  };
  const ofHouse = (noun: HouseNoun, key: string): NamedSeries | undefined => {
    const type = typeOf(house, noun, key);
    if (type === undefined) return undefined;
    const name = houseSeriesOf(noun, key);
    const kind = variableKind({ type });
    return {
      name,
      shown: name,
      device: null,
      key,
      kind,
      unit: null,
      valueType: valueTypeOf(kind, type),
      noun,
    };
  };
  return {
    /** By what a caller wrote. */
    find: (shown: string): NamedSeries | undefined => {
      const found = houseSeriesFrom(shown);
      const slash = shown.indexOf('/');
      return (
        (found && ofHouse(found.noun, found.key)) ??
        (slash < 0 ? undefined : ofDevice(registry.findDevice(shown.slice(0, slash)), shown.slice(slash + 1)))
      );
    },
    /** By the name in storage. */
    findStored: (name: string): NamedSeries | undefined => {
      const found = houseSeriesFrom(name);
      if (found !== undefined) return ofHouse(found.noun, found.key);
      const slash = name.indexOf('/');
      const device = registry.findDevice(name.slice(0, slash));
      // Other series of no device have names that may be the selector of one.
      return device?.id === name.slice(0, slash) ? ofDevice(device, name.slice(slash + 1)) : undefined;
    },
  };
}

function isNoun(selector: string): boolean {
  return HOUSE_NOUNS.some((noun) => noun === selector);
}

function typeOf({ modes, variables, presences }: House, noun: HouseNoun, key: string): VariableType | undefined {
  const isKey = (one: { readonly key: string }): boolean => one.key === key;
  if (noun === 'variable') return variables().find(isKey)?.type;
  const isThere = (noun === 'mode' ? modes() : presences()).some(isKey);
  return isThere ? 'string' : undefined;
}

function valueTypeOf(kind: SeriesKind, type: Feature['valueType'] | VariableType): NamedSeries['valueType'] {
  return kind !== 'event' && (type === 'number' || type === 'boolean') ? type : 'text';
}
