import { createHash } from 'node:crypto';
import { isJsonObject, parseJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { KeptFile } from '#integrations/ports.ts';

/** What the node must remember, on disk. */
export type NodeFile = {
  /** `null` for a new node. A damaged file is set aside: `isLost` says so. */
  readonly load: () => Promise<{ readonly kept: string | null; readonly isLost: boolean }>;
  /** On disk once resolved. */
  readonly save: (kept: string) => Promise<void>;
};

const VERSION = 1;

export function createNodeFile(file: KeptFile, log: Log): NodeFile {
  return {
    load: async () => {
      const text = await file.read();
      if (text === undefined) return { kept: null, isLost: false };
      const kept = keptFrom(text);
      if (kept !== undefined) return { kept, isLost: false };
      await file.setAside();
      log.error('what Matter must remember is damaged: the file is set aside, and Matter begins anew');
      return { kept: null, isLost: true };
    },
    save: (kept) => file.write(JSON.stringify({ version: VERSION, sha256: hashOf(kept), node: kept })),
  };
}

function keptFrom(text: string): string | undefined {
  const json = parseJson(text);
  if (!isJsonObject(json)) return undefined;
  const { version, sha256, node } = json;
  return version === VERSION && typeof node === 'string' && sha256 === hashOf(node) ? node : undefined;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
