import { parseJson } from '#base/json.ts';
import type { StoredEntry } from '#core/automation-run/live.ts';
import type { Database } from '#storage/engine/database.ts';

/** Automations keep entries while they run: for each key the newest, written with the next flush. */
export type KeptEntries = {
  readonly add: (entries: readonly StoredEntry[]) => void;
  readonly isEmpty: () => boolean;
  /** About how many bytes the next flush writes of it. */
  readonly bytes: () => number;
  /** Inside the caller's transaction. */
  readonly write: () => void;
  /** To call once that is committed, or can never be. Returns how many there were. */
  readonly clear: () => number;
  /** The entries on disk. */
  readonly load: () => readonly StoredEntry[];
};

export function createKeptEntries(file: Database): KeptEntries {
  const waiting = new Map<string, Pick<StoredEntry, 'epoch'> & { readonly text: string | null }>();
  let bytes = 0;
  return {
    add: (entries) => {
      for (const { key, epoch, value } of entries) {
        const text = value === null ? null : JSON.stringify(value);
        waiting.set(key, { epoch, text });
        bytes += key.length + (text?.length ?? 0);
      }
    },
    isEmpty: () => waiting.size === 0,
    bytes: () => bytes,
    write: () => {
      for (const [key, { epoch, text }] of waiting) {
        if (text === null) file.run('DELETE FROM entry WHERE key = ?', [key]);
        else file.run('INSERT OR REPLACE INTO entry (key, epoch, value) VALUES (?, ?, ?)', [key, epoch, text]);
      }
    },
    clear: () => {
      const count = waiting.size;
      waiting.clear();
      bytes = 0;
      return count;
    },
    load: () =>
      file.all('SELECT key, epoch, value FROM entry ORDER BY key').flatMap(({ key, epoch, value: text }) => {
        // One that a bad disk changed is as good as none: its run is abandoned, and the trace says so.
        const value = parseJson(String(text));
        return value === undefined ? [] : [{ key: String(key), epoch: String(epoch), value }];
      }),
  };
}
