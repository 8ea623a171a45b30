import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { JsonObject } from '#base/json.ts';
import { findFreePort } from '#test/support/peers/free-port.ts';

/** A simulated Hue bridge in a process of its own. */
export type HueBridge = {
  /** `127.0.0.1:…` */
  readonly host: string;
  readonly bridgeId: string;
  /** SHA-256 of its certificate, in hex. */
  readonly fingerprint: string;
  /** A key that it accepts without pairing. */
  readonly key: string;
  /** Something that happens in the house or to the bridge: a method of `house` in simulated-bridge.mjs. */
  readonly act: (what: string, details?: JsonObject) => Promise<void>;
  readonly state: () => Promise<BridgeState>;
  /** Id of the device of this name. */
  readonly idOf: (name: string) => Promise<string>;
  readonly close: () => Promise<void>;
};

export type BridgeState = {
  readonly streams: number;
  /** Requests with a key since the certificate was changed. */
  readonly keysSeen: number;
  /** All but readings: `PUT light/… {…}`. */
  readonly requests: readonly { readonly at: number; readonly text: string }[];
  readonly keys: readonly string[];
  readonly resources: readonly (JsonObject & { readonly id: string; readonly type: string })[];
};

const FIXTURES = join(import.meta.dirname, '../../fixtures/hue');

export async function startHueBridge(
  options: { readonly batch?: number; readonly latency?: number; readonly lamps?: number } = {},
): Promise<HueBridge> {
  // It comes back on the same port.
  const flags = Object.entries({ ...options, port: await findFreePort() }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]);
  const program = join(import.meta.dirname, 'simulated-bridge.mjs');
  const child = spawn(process.execPath, [program, FIXTURES, ...flags], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { port, controlPort } = JSON.parse(line) as { port: number; controlPort: number };
  const post = async (what: string, details: JsonObject): Promise<unknown> => {
    const url = `http://127.0.0.1:${controlPort}/${what}`;
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify(details) });
    const result: unknown = await answer.json();
    if (!answer.ok) throw new Error(`the simulated bridge cannot ${what}: ${JSON.stringify(result)}`);
    return result;
  };
  const state = async (): Promise<BridgeState> => (await post('state', {})) as BridgeState;
  return {
    host: `127.0.0.1:${port}`,
    bridgeId: '001788fffe01a0b0',
    fingerprint: fingerprintOf('bridge'),
    key: 'sim-application-key',
    act: async (what, details = {}) => void (await post(what, details)),
    state,
    idOf: async (name) => {
      const { resources } = await state();
      const found = resources.find(({ type, metadata }) => type === 'device' && nameOf(metadata) === name);
      if (found === undefined) throw new Error(`the simulated bridge has no ${name}`);
      return found.id;
    },
    close: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.stdin.end();
      await ended;
    },
  };
}

function nameOf(metadata: unknown): unknown {
  return typeof metadata === 'object' && metadata !== null && 'name' in metadata ? metadata.name : undefined;
}

function fingerprintOf(name: string): string {
  const certificate = new X509Certificate(readFileSync(join(FIXTURES, `${name}.cert.pem`)));
  return certificate.fingerprint256.replaceAll(':', '').toLowerCase();
}
