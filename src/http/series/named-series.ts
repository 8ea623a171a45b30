import { type Caller, canCaller } from '#auth/caller.ts';
import { visibilityFor } from '#auth/visibility.ts';
import {
  createSeriesFinder,
  type NamedSeries,
  type SeriesFinder,
  type SeriesFinderDeps,
} from '#core/past/archive/series-finder.ts';
import { isUuid } from '#base/uuid.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import { rightOfEvent } from '#http/answer/home-events.ts';
import type { HistoryStore, SeriesSummary } from '#core/past/history/history-store.ts';
import { AVAILABILITY } from '#core/past/history/recorder.ts';
import { type HouseNoun, houseSeriesFrom } from '#core/past/history/house-series.ts';

/** A series, and which callers see it. */
export type SeenSeries = NamedSeries & {
  /** As of now: devices move, and rights end. */
  readonly isSeenBy: (caller: Caller) => boolean;
};

/** Finds series of the home. Which callers see them is still to be asked. */
export type SeenSeriesFinder = { readonly [Find in keyof SeriesFinder]: (name: string) => SeenSeries | undefined };

const RIGHT = 'history:read';

/** Finds the series that are kept of devices, features, modes and variables that are gone. */
export type RemovedSeriesFinder = ReturnType<typeof createRemovedSeriesFinder>;

type SeenSeriesDeps = Omit<SeriesFinderDeps, 'registry'> & {
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
};

export function createSeenSeriesFinder(deps: SeenSeriesDeps): SeenSeriesFinder {
  const { find, findStored } = createSeriesFinder(deps);
  const seen = (series: NamedSeries | undefined): SeenSeries | undefined =>
    series && { ...series, isSeenBy: (caller) => isSeen(deps, series, caller) };
  return { find: (shown) => seen(find(shown)), findStored: (name) => seen(findStored(name)) };
}

function isSeen(
  { registry }: Pick<SeenSeriesDeps, 'registry'>,
  { device, noun }: NamedSeries,
  caller: Caller,
): boolean {
  if (noun !== null) return seesHouse(caller, noun);
  const present = device === null ? undefined : registry.findDevice(device.id);
  return present !== undefined && visibilityFor(caller, RIGHT).seesDevice(present);
}

/** A caller that sees the whole home sees what was in it. */
export function createRemovedSeriesFinder(
  deps: SeenSeriesDeps & { readonly history: Pick<HistoryStore, 'findSeries'> },
) {
  const { registry, history } = deps;
  const { findStored } = createSeriesFinder(deps);
  const fromSummary = ({ name, kind, unit }: SeriesSummary): SeenSeries | undefined => {
    const noun = houseSeriesFrom(name)?.noun ?? null;
    const slash = name.indexOf('/');
    const [id, key] = [name.slice(0, slash) as DeviceId, name.slice(slash + 1)];
    const isOwn = key === AVAILABILITY || (noun === null && !isUuid(id));
    if (isOwn || noun === 'presence' || findStored(name) !== undefined) return undefined;
    const isSeenBy = (caller: Caller): boolean => {
      if (noun !== null) return seesHouse(caller, noun);
      const device = registry.findDevice(id);
      return device === undefined ? canCaller(caller, RIGHT, 'home') : visibilityFor(caller, RIGHT).seesDevice(device);
    };
    const device = noun === null ? { id, selector: registry.findDevice(id)?.selector ?? id } : null;
    const shown = device === null ? name : `${device.selector}/${key}`;
    return { name, shown, device, key, kind, unit, valueType: 'text', noun, isSeenBy };
  };
  return {
    /** `undefined` of what is still there, and of what the hub writes for itself. */
    fromSummary,
    find: async (shown: string): Promise<SeenSeries | undefined> => {
      const slash = shown.indexOf('/');
      const owner = registry.findDevice(shown.slice(0, slash))?.id ?? shown.slice(0, slash);
      const name = houseSeriesFrom(shown) === undefined ? owner + shown.slice(slash) : shown;
      const summary = slash < 0 ? null : await history.findSeries(name);
      return summary === null ? undefined : fromSummary(summary);
    },
  };
}

const EVENT_OF = { mode: 'mode.changed', variable: 'variable.changed', presence: 'presence.changed' } as const;

/** A caller that sees the present value sees the earlier ones, if it may read the history of the whole home. */
export function seesHouse(caller: Caller, noun: HouseNoun): boolean {
  return canCaller(caller, RIGHT, 'home') && seesHouseNow(caller, noun);
}

/** Whether a caller sees the present values. */
export function seesHouseNow(caller: Caller, noun: HouseNoun): boolean {
  return canCaller(caller, rightOfEvent(EVENT_OF[noun]) ?? RIGHT, 'home');
}
