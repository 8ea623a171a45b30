import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { StorageOperations } from '#storage/thread/storage-operations.ts';
import type { Page } from '#storage/tables/device-table.ts';

/** What a hub has acknowledged, as it would tell it itself. */
export type Facts = {
  /** All that must not be lost, as one text. */
  readonly kept: string;
  /** Last values by device and feature; they may be up to 30 s old. */
  readonly values: ReadonlyMap<string, string>;
  /** Digest of each backup by its id. */
  readonly backups: ReadonlyMap<string, string>;
};

export const NO_FACTS: Facts = { kept: '', values: new Map(), backups: new Map() };

export function readKept(operations: StorageOperations): string {
  return JSON.stringify([
    operations.loadUsers(),
    operations.loadSessions(),
    operations.loadApiTokens(),
    operations.loadRooms(),
    readPages(operations.loadDevicePage),
    operations.loadWebhooks(),
    [...operations.loadMeta()].toSorted(([left], [right]) => (left < right ? -1 : 1)),
  ]);
}

export function readValues(operations: StorageOperations): Map<string, string> {
  return new Map(
    readPages(operations.loadValuePage).map((value) => [`${value.deviceId} ${value.key}`, JSON.stringify(value.value)]),
  );
}

export function readBackups(operations: StorageOperations): Map<string, string> {
  return new Map(
    operations.listBackups().map(({ id }) => {
      const bytes = readFileSync(operations.findBackupPath(id) ?? '');
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
