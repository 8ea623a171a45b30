import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isGap } from '#core/past/history/sample.ts';
import type { StorageCalls } from '#storage/open/storage-operations.ts';
import { readNumbers, readRows } from '#test/storage/history/history-harness.ts';
import { makeDevice, NOW_MS } from '#test/storage/storage-makers.ts';
import type { Page } from '#storage/tables/devices/device-table.ts';

const DAY_MS = 86_400_000;
/** Where the samples of all histories are. This month is over since long: what is sealed is packed in the next seconds. */
export const MONTH_END = Date.UTC(2026, 8, 30, 23, 58);

/** What a hub has acknowledged, in its own form. */
export type Facts = {
  /** All that must not be lost, as one text. */
  readonly kept: string;
  /** Last values by device and feature, and last uses by session; they may be up to 30 s old. */
  readonly values: ReadonlyMap<string, string>;
  /** Samples by their numbers; they may be up to 30 s old. */
  readonly samples: ReadonlyMap<number, string>;
  /** Digest of each backup by its id. */
  readonly backups: ReadonlyMap<string, string>;
};

export const NO_FACTS: Facts = { kept: '', values: new Map(), samples: new Map(), backups: new Map() };

export function readKept(operations: StorageCalls): string {
  return JSON.stringify([
    operations.users.loadUsers(),
    operations.sessions.loadSessions().map((session) => ({ ...session, lastUsedAtMs: 0, address: '' })),
    operations.apiTokens.loadApiTokens(),
    operations.rooms.loadRooms(),
    readPages(operations.devices.loadDevicePage),
    operations.webhooks.loadWebhooks(),
    operations.runs.loadRuns(null).map((run) => ({ ...run, packed: [...run.packed] })),
    operations.runs.loadPasts(),
    operations.runs.loadCounts(0),
    HOUR_KEYS.map((key) => readHours(operations, `${makeDevice(1).id}/${key}`)),
    [...operations.meta.loadMeta()].toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ]);
}

const HOUR_KEYS = ['power', 'on', 'action'];

/** The hours that are shown of a series, and of which days they are known. */
function readHours({ hours }: StorageCalls, series: string): unknown {
  const { made, gaps, hours: list } = hours.readHours(series, { fromMs: MONTH_END - DAY_MS, toMs: MONTH_END + DAY_MS });
  return [made, gaps, list.map((hour) => (hour.kind === 'state' ? { ...hour, heldMs: [...hour.heldMs] } : hour))];
}

export function readValues(operations: StorageCalls): Map<string, string> {
  return new Map([
    ...readPages(operations.devices.loadValuePage).map((value): [string, string] => [
      `${value.deviceId} ${value.key}`,
      JSON.stringify(value.value),
    ]),
    ...readUses(operations),
  ]);
}

/** Throws if two samples have the same number, or a series gives other samples than reading by number. */
export function readSamples(operations: StorageCalls): Map<number, string> {
  const numbered = readNumbers({ operations });
  const found = new Map(numbered.map(({ number, series, value }) => [number, JSON.stringify([series, value])]));
  if (found.size !== numbered.length) throw new Error('samples are doubled');
  for (const { name } of operations.history.listSeries(null).series) {
    const ofSeries = numbered.filter(({ series }) => series === name).map(({ atMs, value }) => [atMs - NOW_MS, value]);
    const rowsOfSeries = readRows({ operations }, name).filter(([, value]) => !isGap(value) || value.gap !== 'deleted');
    // The last value of a month that was removed holds on, without a number.
    const fromMs = operations.hours.readSamplesFrom(name) - NOW_MS;
    // A clock that went back gives a later number to an earlier time.
    const texts = [ofSeries, rowsOfSeries].map((rows) =>
      rows.flatMap((row) => (Number(row[0]) < fromMs ? [] : JSON.stringify(row))).toSorted(),
    );
    if (JSON.stringify(texts[0]) !== JSON.stringify(texts[1])) throw new Error(`the samples of ${name} differ`);
  }
  return found;
}

/** As the database has them, without those that only the journal has. */
export function readUses(operations: StorageCalls): [string, string][] {
  return operations.sessions.loadSessions().map(({ id, lastUsedAtMs }) => [`session ${id}`, String(lastUsedAtMs)]);
}

export function readBackups(operations: StorageCalls): Map<string, string> {
  return new Map(
    operations.backups.list().map(({ id }) => {
      const bytes = readFileSync(operations.backups.findPath(id) ?? '');
      return [id, createHash('sha256').update(bytes).digest('base64')];
    }),
  );
}

function readPages<Item>(loadPage: (after: number) => Page<Item>): Item[] {
  const items: Item[] = [];
  for (let after: number | null = 0; after !== null;) {
    const page: Page<Item> = loadPage(after);
    items.push(...page.items);
    after = page.next;
  }
  return items;
}
