import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createTimeZone } from '#base/time/time-zone.ts';
import type { DeviceId, DeviceRecord, StoredValue } from '#core/device/device.ts';
import type { Feature } from '#core/feature/feature.ts';
import { RUN_SERIES, type SeriesDescription } from '#core/past/history/sample.ts';
import { rollUp } from '#core/past/hour/roll-up.ts';
import { loadSqlite } from '#storage/engine/database.ts';
import { openEngine, type StorageEngine } from '#storage/open/storage-engine.ts';
import { storageInProcess } from '#storage/storage.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { RESULTS_FOLDER } from '#test/bench/support/figure.ts';
import { type Change, createReferenceHome } from './reference-home.ts';

/** A state folder of the reference home with so many days of history behind it. */
export type Past = {
  readonly folder: string;
  readonly series: readonly SeriesDescription[];
  readonly fromMs: number;
  /** The last midnight in UTC: nothing is known after it. */
  readonly toMs: number;
};

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const SEED = 1;
/** Of the device with this series; the API finds it under this name. */
export const deviceSelector = (index: number): string => `device-${index + 1}`;

/**
 * Writes the past of the reference home through the hub's own storage, hour by hour on a clock of its own: the journal, the
 * months with their packing, and the hours of each day. A year takes about ten minutes, so it is kept: in `var/bench`, or in
 * the folder that PASTS names, which several checkouts may share. The folder is a copy of what is kept.
 */
export async function makePast(days: number, folder: string): Promise<Past> {
  const keepIn = process.env['PASTS'] ?? RESULTS_FOLDER;
  mkdirSync(keepIn, { recursive: true });
  const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
  const known = findKept(keepIn, days, today);
  const toMs = known ?? today;
  const fromMs = toMs - days * DAY_MS;
  const kept = join(keepIn, nameOf(days, toMs));
  const home = createReferenceHome(SEED, fromMs);
  if (known === undefined) {
    const unfinished = `${kept}.${process.pid}.unfinished`;
    mkdirSync(unfinished, { recursive: true });
    try {
      await writePast(unfinished, home, { fromMs, toMs });
      renameSync(unfinished, kept);
    } finally {
      rmSync(unfinished, { recursive: true, force: true });
    }
  }
  cpSync(kept, folder, { recursive: true });
  return { folder, series: home.series, fromMs, toMs };
}

/** Samples are kept for 400 days, so that a year may lie back so far. */
const MAX_AGE_MS = 30 * DAY_MS;

/** The end of the newest past that the same code has made. */
function findKept(folder: string, days: number, today: number): number | undefined {
  const ends = readdirSync(folder).flatMap((name) => {
    const toMs = Date.parse(name.slice(-'2026-11-22'.length));
    return name === nameOf(days, toMs) && toMs > today - MAX_AGE_MS ? toMs : [];
  });
  return ends.toSorted((left, right) => right - left)[0];
}

/** Another home, or another way to write it, is another past. */
function nameOf(days: number, toMs: number): string {
  const hash = createHash('sha256');
  for (const file of ['reference-home.ts', 'reference-past.ts'])
    hash.update(readFileSync(join(import.meta.dirname, file)));
  const date = Number.isNaN(toMs) ? '' : new Date(toMs).toISOString().slice(0, 10);
  return `past-${days}d-${hash.digest('hex').slice(0, 8)}-${date}`;
}

async function writePast(
  state: string,
  home: ReturnType<typeof createReferenceHome>,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): Promise<void> {
  const time = createManualTime(fromMs);
  const { log } = createRecordingLog();
  const engine = openEngine({
    sqlite: await loadSqlite(),
    folders: { state, runtime: join(state, 'run') },
    log,
    wallMs: time.clock.wallMs,
    startTimer: time.startTimer,
    onFailure: (cause) => {
      throw cause;
    },
  });
  const { operations } = engine;
  operations.devices.saveDevices(home.series.map(deviceOf));
  operations.history.describeSeries([...home.series, { name: RUN_SERIES, kind: 'state', unit: null }]);
  append(engine, [{ series: RUN_SERIES, atMs: fromMs, value: true }]);
  const last = new Map<string, StoredValue>();
  const storage = storageInProcess({ ...engine, close: async () => engine.close() });
  const hubClock = { nowMs: time.clock.wallMs, isSynced: () => true };
  const zone = createTimeZone('UTC');
  for (let dayMs = fromMs; dayMs < toMs; dayMs += DAY_MS) {
    const changes = home.nextDay();
    let at = 0;
    for (let endMs = dayMs + HOUR_MS; endMs <= dayMs + DAY_MS; endMs += HOUR_MS) {
      let end = at;
      while ((changes[end]?.atMs ?? Infinity) < endMs) end += 1;
      append(engine, changes.slice(at, end).map(sampleOf(home.series)));
      at = end;
      await time.advance(HOUR_MS);
    }
    for (const change of changes) {
      const value = valueOf(home.series, change);
      last.set(`${value.deviceId}/${value.key}`, value);
    }
    await rollUp({ ...storage, timeZone: () => zone, hubClock, log });
  }
  for (const value of last.values()) operations.devices.saveValue(value);
  // The end of a run that ended in order: the next start has nothing to make up for.
  append(engine, [{ series: RUN_SERIES, atMs: toMs, value: { gap: 'hub_off' } }]);
  engine.close();
}

type Samples = Parameters<StorageEngine['operations']['history']['append']>[0]['samples'];

function append({ operations }: StorageEngine, samples: Samples): void {
  operations.history.append({ epoch: 'past', samples });
}

const sampleOf =
  (series: readonly SeriesDescription[]) =>
  ({ series: number, atMs, value }: Change): Samples[number] => ({ series: series[number]?.name ?? '', atMs, value });

function placeOf({ name }: SeriesDescription): { readonly deviceId: DeviceId; readonly key: string } {
  const [id = '', key = ''] = name.split('/');
  return { deviceId: id as DeviceId, key };
}

function valueOf(series: readonly SeriesDescription[], { series: number, atMs, value }: Change): StoredValue {
  const described = series[number];
  if (described === undefined) throw new Error(`there is no series ${number}`);
  return { ...placeOf(described), value, observedAtMs: atMs, changedAtMs: atMs };
}

/** A device of an integration that does not run, with the one feature of the series. */
function deviceOf(described: SeriesDescription, index: number): DeviceRecord {
  const { deviceId: id, key } = placeOf(described);
  return {
    id,
    integration: 'another',
    externalId: `past-${index}`,
    selector: deviceSelector(index),
    name: `Device ${index + 1}`,
    ownName: null,
    roomId: null,
    type: 'other',
    manufacturer: 'Reference',
    model: null,
    firmware: null,
    features: [featureOf(described, key)],
    parentExternalId: null,
    staleAfterMs: null,
    revision: 1,
    createdAtMs: 0,
    updatedAtMs: 0,
    removedAtMs: null,
  };
}

function featureOf({ kind, unit }: SeriesDescription, key: string): Feature {
  return {
    key,
    capability: key as Feature['capability'],
    component: 'main',
    kind: 'state',
    category: 'primary',
    name: key,
    description: null,
    valueType: kind === 'state' ? 'boolean' : 'number',
    readable: true,
    writable: false,
    unit,
    min: null,
    max: null,
    step: null,
    options: null,
    schema: null,
  };
}
