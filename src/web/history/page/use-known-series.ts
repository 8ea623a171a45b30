import type { Feature, Mode, Presence, RecordedSeries, RecordedSeriesList } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { modeName, namesOfValues } from '#web/house/mode-words.ts';
import { useModes } from '#web/house/use-house.ts';
import { type Reading, useReading } from '#web/parts/use-reading.ts';
import type { HomeState } from '#web/state/home-state.ts';
import type { Drawing } from '#web/history/history-figure.tsx';
import { seriesId } from '#web/history/use-history.ts';
import { chartOf } from '#web/history/stretches.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { enumWords, type Readable } from '#web/strings/value-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** A feature that has a history, or will have one. */
export type KnownSeries = {
  /** `device selector/key`, as in the address. */
  readonly name: string;
  /** As `seriesId` makes it. */
  readonly id: string;
  readonly deviceName: string;
  readonly featureName: string;
  readonly roomName: string;
  readonly feature: Readable;
  readonly drawing: Drawing;
};

const DRAWINGS = { gauge: 'line', counter: 'increase', state: 'bars', event: 'ticks' } as const;
const DRAWING_OF_CHART = { line: 'line', counter: 'increase', bars: 'bars' } as const;

/** Reads which features have samples. */
export function useKnownSeries(): Reading<readonly KnownSeries[]> {
  const { home } = useHub();
  const reading = useReading<RecordedSeriesList>('/history/series');
  const { value: presence } = useReading<Presence>('/presence');
  const modes = useModes().value.value ?? [];
  // Names and rooms may change while the page is open.
  void home.entries.value;
  const people = new Map((presence?.people ?? []).map(({ user: { id, name } }) => [id, name]));
  return { ...reading, value: reading.value?.series.map((one) => seriesFrom(one, { home, people, modes })) };
}

type Names = {
  readonly home: HomeState;
  readonly people: ReadonlyMap<string, string>;
  readonly modes: readonly Mode[];
};

function seriesFrom(recorded: RecordedSeries, { home, people, modes }: Names): KnownSeries {
  const { series, device, key, kind, unit } = recorded;
  const found = device === null ? undefined : home.find(device.id)?.device.value;
  const feature = found?.features.find((one) => one.key === key);
  const [group = '', own = ''] = series.split('/');
  const mode = group === 'mode' ? modes.find((one) => one.key === own) : undefined;
  const ownName = mode === undefined ? people.get(own) : modeName(mode);
  return {
    name: series,
    id: seriesId(recorded),
    // A mode, a variable or a person: what it is stands for the device.
    deviceName: found?.name ?? device?.selector ?? historyWords.ofHome[group] ?? enumWords(group),
    featureName: feature === undefined ? (ownName ?? enumWords(key)) : nameOf(feature),
    roomName: found?.room?.name ?? (device === null ? pageWords.home.title : pageWords.home.noRoom),
    feature: feature ?? { capability: key, unit, step: null, names: mode === undefined ? {} : namesOfValues(mode) },
    drawing: DRAWINGS[kind],
  };
}

/** The series of a name in an address; `undefined` for what is not there, or not any more. */
export function findSeries(name: string, all: readonly KnownSeries[], home: HomeState): KnownSeries | undefined {
  const [selector = '', key = ''] = name.split('/');
  const device = home.find(selector)?.device.value;
  const id = `${device?.id ?? selector}/${key}`;
  const recorded = all.find((one) => one.id === id || one.name === name);
  const feature = device?.features.find((one) => one.key === key);
  const chart = feature === undefined ? null : chartOf(feature);
  if (recorded !== undefined || device === undefined || feature === undefined || chart === null) return recorded;
  return {
    name: `${device.selector}/${key}`,
    id,
    deviceName: device.name,
    featureName: nameOf(feature),
    roomName: device.room?.name ?? pageWords.home.noRoom,
    feature,
    drawing: DRAWING_OF_CHART[chart],
  };
}

function nameOf({ name, component }: Feature): string {
  return component === 'main' ? name : `${name} (${component})`;
}
