import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, dirname, join, relative, resolve } from 'node:path';
import type { DiskEvent, DiskImage, Place } from './disk-event.ts';

type Call = (...args: unknown[]) => unknown;
type Around = (call: () => unknown, args: readonly unknown[]) => unknown;
/** Syncs that do not reach the disk, as with a disk that lies or a program that forgot them. */
export type Swallowed = 'file syncs' | 'folder syncs' | undefined;

export type DiskRecorder = {
  readonly start: DiskImage;
  readonly events: readonly DiskEvent[];
  readonly isFolder: (node: number) => boolean;
  readonly stop: () => void;
};

/**
 * Notes every change that this thread makes below a folder by the synchronous calls of `node:fs`, which both SQLite and
 * the storage's own code use. The calls take effect as ever.
 */
export function recordDisk(root: string, swallowed: Swallowed): DiskRecorder {
  const events: DiskEvent[] = [];
  const tree = createLiveTree(root);
  const open = new Map<number, number>();
  const note = (event: DiskEvent): void => {
    events.push(event);
  };
  const noteName = (path: string, node: number | null): void => {
    const place = tree.placeOf(path);
    if (place === undefined) return;
    tree.setName(place, node);
    note({ type: 'name', ...place, node });
  };
  const noteContent = (path: string): void => {
    const file = tree.find(path);
    if (file === undefined) return;
    note({ type: 'truncate', file, size: 0 });
    note({ type: 'write', file, offset: 0, bytes: originals.readFileSync(path) });
  };
  const noteCreated = (path: string): void => {
    if (tree.find(path) === undefined) noteName(path, tree.newNode('file'));
  };

  const around: Record<string, Around> = {
    openSync: (call, [path, flags]) => {
      const existed = tree.find(String(path)) !== undefined;
      const fd = call() as number;
      if (!existed && originals.existsSync(String(path))) noteCreated(String(path));
      const file = tree.find(String(path));
      open.delete(fd);
      if (file === undefined) return fd;
      open.set(fd, file);
      const truncates = typeof flags === 'number' ? (flags & fs.constants.O_TRUNC) !== 0 : String(flags).includes('w');
      if (existed && truncates) note({ type: 'truncate', file, size: 0 });
      return fd;
    },
    closeSync: (call, [fd]) => {
      open.delete(Number(fd));
      return call();
    },
    writeSync: (call, [fd, bytes, from, length, position]) => {
      const written = call() as number;
      const file = open.get(Number(fd));
      if (file === undefined) return written;
      if (typeof position !== 'number') throw new Error('a write without a position cannot be replayed');
      const start = Number(from);
      const part = Buffer.from((bytes as Uint8Array).subarray(start, start + Math.min(Number(length), written)));
      note({ type: 'write', file, offset: position, bytes: part });
      return written;
    },
    ftruncateSync: (call, [fd, size]) => {
      const answer = call();
      const file = open.get(Number(fd));
      if (file !== undefined) note({ type: 'truncate', file, size: Number(size) });
      return answer;
    },
    fsyncSync: (call, [fd]) => {
      const answer = call();
      const node = open.get(Number(fd));
      if (node !== undefined && swallowed !== `${tree.kindOf(node)} syncs`) note({ type: 'sync', node });
      return answer;
    },
    writeFileSync: (call, [path]) => {
      const answer = call();
      noteCreated(String(path));
      noteContent(String(path));
      return answer;
    },
    copyFileSync: (call, [, to]) => {
      const answer = call();
      noteCreated(String(to));
      noteContent(String(to));
      return answer;
    },
    mkdirSync: (call, [path]) => {
      const missing: string[] = [];
      let above = resolve(String(path));
      for (; isBelow(root, above) && tree.find(above) === undefined; above = dirname(above)) missing.unshift(above);
      const answer = call();
      for (const folder of missing) noteName(folder, tree.newNode('folder'));
      return answer;
    },
    linkSync: (call, [from, to]) => {
      const answer = call();
      noteName(String(to), tree.find(String(from)) ?? null);
      return answer;
    },
    renameSync: (call, [from, to]) => {
      const node = tree.find(String(from));
      const answer = call();
      const places = { from: tree.placeOf(String(from)), to: tree.placeOf(String(to)) };
      if (node === undefined || places.from === undefined || places.to === undefined) return answer;
      tree.setName(places.from, null);
      tree.setName(places.to, node);
      note({ type: 'rename', from: places.from, to: places.to, node });
      return answer;
    },
    unlinkSync: (call, [path]) => {
      const answer = call();
      noteName(String(path), null);
      return answer;
    },
    rmdirSync: (call, [path]) => {
      const answer = call();
      noteName(String(path), null);
      return answer;
    },
    rmSync: (call, [path]) => {
      const gone = tree.listBelow(String(path));
      const answer = call();
      for (const each of gone) if (!originals.existsSync(each)) noteName(each, null);
      return answer;
    },
  };
  const start = tree.image();
  return { start, events, isFolder: (node) => tree.kindOf(node) === 'folder', stop: patch(around) };
}

/** The functions before patching, which the recorder itself calls. */
const originals = { readFileSync: fs.readFileSync, existsSync: fs.existsSync };

function patch(around: Readonly<Record<string, Around>>): () => void {
  const target = fs as unknown as Record<string, Call>;
  const before = new Map<string, Call>();
  let depth = 0;
  for (const [name, wrap] of Object.entries(around)) {
    const original = target[name] as Call;
    before.set(name, original);
    target[name] = (...args) => {
      if (depth > 0) return original(...args);
      depth += 1;
      try {
        return wrap(() => original(...args), args);
      } finally {
        depth -= 1;
      }
    };
  }
  syncBuiltinESMExports();
  return () => {
    for (const [name, original] of before) target[name] = original;
    syncBuiltinESMExports();
  };
}

function isBelow(root: string, path: string): boolean {
  return !relative(root, resolve(path)).startsWith('..');
}

/** Which number each name below the root has at the moment. */
function createLiveTree(root: string) {
  const folders = new Map<number, Map<string, number>>();
  const files = new Map<number, Buffer>();
  let last = -1;
  const newNode = (kind: 'file' | 'folder'): number => {
    last += 1;
    if (kind === 'folder') folders.set(last, new Map());
    return last;
  };
  const load = (path: string): number => {
    if (!fs.statSync(path).isDirectory()) {
      const file = newNode('file');
      files.set(file, fs.readFileSync(path));
      return file;
    }
    const folder = newNode('folder');
    for (const name of fs.readdirSync(path)) folders.get(folder)?.set(name, load(join(path, name)));
    return folder;
  };
  load(root);
  const find = (path: string): number | undefined => {
    if (!isBelow(root, path)) return undefined;
    const names = relative(root, resolve(path)).split('/').filter(Boolean);
    return names.reduce<number | undefined>((node, name) => folders.get(node ?? -1)?.get(name), 0);
  };
  const listBelow = (path: string): string[] => {
    const names = folders.get(find(path) ?? -1)?.keys() ?? [];
    const inner = [...names].flatMap((name) => listBelow(join(path, name)));
    return find(path) === undefined ? [] : [...inner, path];
  };
  return {
    newNode,
    find,
    listBelow,
    kindOf: (node: number): 'file' | 'folder' => (folders.has(node) ? 'folder' : 'file'),
    placeOf: (path: string): Place | undefined => {
      const folder = find(dirname(resolve(path)));
      return folder === undefined ? undefined : { folder, name: basename(path) };
    },
    setName: ({ folder, name }: Place, node: number | null): void => {
      if (node === null) folders.get(folder)?.delete(name);
      else folders.get(folder)?.set(name, node);
    },
    image: (): DiskImage => ({
      folders: new Map([...folders].map(([node, names]) => [node, new Map(names)])),
      files: new Map(files),
    }),
  };
}
