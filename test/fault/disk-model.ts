import fs from 'node:fs';
import { join } from 'node:path';
import type { DiskEvent, DiskImage } from './disk-event.ts';

const SECTOR = 512;

/** Decides which changes without a sync reach the disk. Synced ones always do. */
export type Survival = {
  /** Asked for each sector of each write. */
  readonly sector: () => boolean;
  /** Asked for each change of a size that shrinks a file. */
  readonly truncate: () => boolean;
  /** Asked for each name that came, went or changed, in order. */
  readonly name: () => boolean;
  /** The content where the size reached the disk and the bytes did not. */
  readonly hole: 'short' | 'zeros' | 'garbage';
};

export const NOTHING: Survival = { sector: () => false, truncate: () => false, name: () => false, hole: 'short' };
export const EVERYTHING: Survival = { sector: () => true, truncate: () => true, name: () => true, hole: 'short' };

/** Draws one of the ways in which a power cut can leave changes that were under way. */
export function drawSurvival(dice: () => number): Survival {
  const pick = <Item>(items: readonly [Item, ...Item[]]): Item => items[Math.floor(dice() * items.length)] ?? items[0];
  const share = pick([0.1, 0.5, 0.9, 0.98]);
  const hole = pick(['short', 'zeros', 'garbage'] as const);
  const all = (): boolean => true;
  const none = (): boolean => false;
  const some = (): boolean => dice() < share;
  const changing = (first: boolean) => {
    let kept = first;
    return (): boolean => {
      if (dice() > share) kept = !first;
      return kept;
    };
  };
  return pick<Survival>([
    { sector: some, truncate: some, name: some, hole },
    { sector: some, truncate: some, name: all, hole },
    // The oldest alone, and the newest alone: reordered.
    { sector: changing(true), truncate: some, name: changing(true), hole },
    { sector: changing(false), truncate: some, name: changing(false), hole },
    { sector: none, truncate: all, name: all, hole },
    { sector: all, truncate: none, name: none, hole },
  ]);
}

/** A disk with a cache: synced changes are on it, the rest wait in their order. */
export type DiskModel = {
  readonly apply: (event: DiskEvent) => void;
  /** Writes the disk as a power cut now would leave it into an empty folder. */
  readonly writeCut: (survival: Survival, into: string) => void;
};

type NameEvent = Extract<DiskEvent, { type: 'name' | 'rename' }>;
type ByteEvent = Extract<DiskEvent, { type: 'write' | 'truncate' }>;

export function createDiskModel(start: DiskImage, isFolder: (node: number) => boolean): DiskModel {
  const folders = new Map([...start.folders].map(([node, names]) => [node, new Map(names)]));
  const files = new Map(start.files);
  let names: NameEvent[] = [];
  const bytes = new Map<number, ByteEvent[]>();

  const sync = (node: number): void => {
    const waiting = bytes.get(node);
    if (waiting !== undefined) {
      files.set(node, playBytes(files.get(node), waiting, EVERYTHING));
      bytes.delete(node);
    }
    const ofFolder = names.filter((event) => touches(event, node));
    names = names.filter((event) => !touches(event, node));
    for (const event of ofFolder) {
      playName(folders, event);
      // A journal keeps the order: a name that moved on is no longer at its first place.
      if (event.type === 'rename') names = names.filter((other) => !isBirth(other, event));
    }
  };
  return {
    apply: (event) => {
      if (event.type === 'sync') sync(event.node);
      else if (event.type === 'name' || event.type === 'rename') names.push(event);
      else bytes.set(event.file, [...(bytes.get(event.file) ?? []), event]);
    },
    writeCut: (survival, into) => {
      const left = new Map([...folders].map(([node, inside]) => [node, new Map(inside)]));
      for (const event of names) if (survival.name()) playName(left, event);
      const write = (node: number, path: string): void => {
        if (!isFolder(node)) {
          fs.writeFileSync(path, playBytes(files.get(node), bytes.get(node) ?? [], survival), { mode: 0o600 });
          return;
        }
        fs.mkdirSync(path, { mode: 0o700, recursive: true });
        for (const [name, inner] of left.get(node) ?? []) write(inner, join(path, name));
      };
      write(0, into);
    },
  };
}

function touches(event: NameEvent, folder: number): boolean {
  return event.type === 'name' ? event.folder === folder : event.from.folder === folder || event.to.folder === folder;
}

function isBirth(event: NameEvent, { from, node }: Extract<NameEvent, { type: 'rename' }>): boolean {
  return event.type === 'name' && event.folder === from.folder && event.name === from.name && event.node === node;
}

function playName(folders: Map<number, Map<string, number>>, event: NameEvent): void {
  const inside = (folder: number): Map<string, number> => {
    const known = folders.get(folder) ?? new Map<string, number>();
    folders.set(folder, known);
    return known;
  };
  if (event.type === 'name') {
    if (event.node === null) inside(event.folder).delete(event.name);
    else inside(event.folder).set(event.name, event.node);
    return;
  }
  const { from, to, node } = event;
  if (inside(from.folder).get(from.name) === node) inside(from.folder).delete(from.name);
  inside(to.folder).set(to.name, node);
}

/** The bytes of a file after the waiting changes of which `survival` lets some through, sector by sector. */
function playBytes(durable: Buffer | undefined, waiting: readonly ByteEvent[], survival: Survival): Buffer {
  const before = durable ?? Buffer.alloc(0);
  if (waiting.length === 0) return before;
  const ends = waiting.map((event) => (event.type === 'write' ? event.offset + event.bytes.length : event.size));
  const content = Buffer.alloc(Math.max(before.length, ...ends));
  before.copy(content);
  let size = before.length;
  const resize = (to: number, filler: number): void => {
    content.fill(filler, Math.min(size, to), Math.max(size, to));
    size = to;
  };
  for (const event of waiting) {
    if (event.type === 'truncate') {
      if (survival.truncate()) resize(event.size, 0);
      continue;
    }
    const kept = keptSectors(event, survival);
    const end = survival.hole === 'short' ? (kept.at(-1)?.[1] ?? 0) : event.bytes.length;
    if (end > 0 && event.offset + end > size) resize(event.offset + end, survival.hole === 'garbage' ? 0xa5 : 0);
    for (const [start, stop] of kept) event.bytes.copy(content, event.offset + start, start, stop);
  }
  return content.subarray(0, size);
}

/** Ranges of a write, cut where the sectors of the disk end. */
function keptSectors({ offset, bytes }: Extract<ByteEvent, { type: 'write' }>, { sector }: Survival) {
  const kept: (readonly [number, number])[] = [];
  for (let start = 0; start < bytes.length;) {
    const end = Math.min(bytes.length, start + SECTOR - ((offset + start) % SECTOR));
    if (sector()) kept.push([start, end]);
    start = end;
  }
  return kept;
}
