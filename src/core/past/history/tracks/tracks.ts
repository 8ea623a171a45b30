import type { StartTimer } from '#base/time/timer.ts';
import type { HistoryStore } from '#core/past/history/history-store.ts';
import type { FeatureRecording } from '#core/past/history/recording-settings.ts';
import type { RecorderClock, SampleSender } from '#core/past/history/sample-sender.ts';
import { type GapReason, type SampleValue, type SeriesDescription, USUAL_TEXT } from '#core/past/history/sample.ts';
import { createThinning, type Line, markOf } from '#core/past/history/thinning.ts';
import { type House, houseSeriesOf, holdsWhileOff, isPresence } from '#core/past/history/house-series.ts';
import type { RecordingBudget } from './recording-budget.ts';

type TracksDeps = {
  readonly store: Pick<HistoryStore, 'describeSeries'>;
  readonly house: House;
  readonly hubClock: RecorderClock;
  readonly startTimer: StartTimer;
  readonly budget: Pick<RecordingBudget, 'take'>;
};

/** A device, or a noun of the home. */
type Owner = { readonly id: string; readonly integration?: string };

/** How a series goes on. It begins in a gap, because nothing is known when a run begins. */
type Track = {
  readonly series: string;
  readonly line: Line;
  readonly owner: Owner;
  isGap: boolean;
  /** Its day or month is used up. */
  isPaused: boolean;
  /** Hub time of its last sample, or of the beginning of this run. */
  atMs: number;
};

type Noted = { readonly ageMs: number; readonly limits: FeatureRecording };

/** How the series of the present devices go on. */
export function createTracks({ store, house, hubClock, startTimer, budget }: TracksDeps, add: SampleSender['add']) {
  const tracks = new Map<string, Map<string, Track>>();
  const none: ReadonlyMap<string, Track> = new Map();
  const { nowMs } = hubClock;
  const openedMs = nowMs();
  const findTrack = (series: string): Track | undefined => {
    const slash = series.indexOf('/');
    return tracks.get(series.slice(0, slash))?.get(series.slice(slash + 1));
  };
  const write = createBudgetedWrite(budget, findTrack, add);
  const thinning = createThinning({
    nowMs,
    startTimer,
    write: (series, value, atMs) => write(series, value, Math.max(0, nowMs() - atMs)),
  });
  const settle = ({ line }: Track): void => thinning.settle(line, nowMs());
  const gap = (track: Track, reason: GapReason): void => {
    // What happens is over at once: no time is between two samples in which it holds.
    if (track.line.isEvent) return settle(track);
    if (track.isGap) return;
    settle(track);
    track.line.recorded = undefined;
    track.line.newest = undefined;
    track.isGap = true;
    track.atMs = nowMs();
    add(track.series, { gap: reason });
  };
  const ofDevice = ({ id }: Owner): ReadonlyMap<string, Track> => tracks.get(id) ?? none;
  const forget = ({ id }: Owner, key: string): void => {
    const left = tracks.get(id);
    left?.delete(key);
    if (left?.size === 0) tracks.delete(id);
  };
  return {
    gap,
    settle,
    /** What the hub itself keeps stays known while it is off. */
    gapAll: (reason: GapReason): void => {
      const people = new Set(house.presences().map(({ key }) => houseSeriesOf('presence', key)));
      for (const ofDevice of tracks.values()) {
        for (const track of ofDevice.values())
          if (holdsWhileOff(track.series)) settle(track);
          // The samples of a person without an account are deleted: no gap may follow them.
          else if (!isPresence(track.series) || people.has(track.series)) gap(track, reason);
      }
    },
    ofDevice,
    forget,
    end: (owner: Owner, reason: GapReason, isOver: (key: string) => boolean): void => {
      for (const [key, track] of ofDevice(owner)) {
        if (!isOver(key)) continue;
        gap(track, reason);
        forget(owner, key);
      }
    },
    /** The track of a series, which is described when it begins. */
    take: (device: Owner, key: string, describe: () => Omit<SeriesDescription, 'name'>): Track => {
      const ofDevice = tracks.get(device.id) ?? new Map<string, Track>();
      if (ofDevice.size === 0) tracks.set(device.id, ofDevice);
      const known = ofDevice.get(key);
      if (known !== undefined) return known;
      const series = `${device.id}/${key}`;
      const description = describe();
      const line = thinning.startLine(series, description.kind === 'event');
      const fresh: Track = { series, line, owner: device, isGap: true, isPaused: false, atMs: openedMs };
      ofDevice.set(key, fresh);
      store.describeSeries([{ name: series, ...description }]);
      return fresh;
    },
    note: (track: Track, value: SampleValue, { ageMs, limits }: Noted): void => {
      if (!track.line.isEvent && !track.isGap && track.line.newest === value) return;
      if (isTooLong(track, value, limits)) return gap(track, 'not_recorded');
      const atMs = nowMs();
      // A value that is older than the gap that it ends counts from the gap on: samples keep the order of the reports.
      const sinceMs = Math.min(ageMs, Math.max(0, atMs - track.atMs));
      track.isGap = false;
      track.atMs = atMs - sinceMs;
      thinning.note(track.line, { value, atMs: track.atMs }, limits);
    },
  };
}

/** Texts of the hub itself have limits of their own. */
function isTooLong({ owner }: Track, value: SampleValue, { mode }: FeatureRecording): boolean {
  return typeof value === 'string' && value.length > USUAL_TEXT && mode !== 'on' && owner.integration !== undefined;
}

/** Writes a sample, or instead of the first that there is no room for the beginning of a gap. */
function createBudgetedWrite(
  budget: Pick<RecordingBudget, 'take'>,
  findTrack: (series: string) => Track | undefined,
  add: SampleSender['add'],
): SampleSender['add'] {
  return (series, value, ageMs) => {
    const track = findTrack(series);
    // What the hub itself keeps has no budget.
    const integration = track?.owner.integration;
    if (track === undefined || integration === undefined || typeof value === 'object') return add(series, value, ageMs);
    const { line, isPaused } = track;
    track.isPaused = !budget.take({ id: track.owner.id, integration }, value);
    if (!track.isPaused) return add(series, value, ageMs);
    line.recorded = undefined;
    line.newest = undefined;
    track.isGap = true;
    if (isPaused) return;
    if (line.isEvent) add(markOf(series), true);
    else add(series, { gap: 'paused' });
  };
}
