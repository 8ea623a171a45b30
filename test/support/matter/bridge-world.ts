import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { HUB_PORT, type NamespaceHub, startNamespaceHub } from '#test/support/daemon/namespace-hub.ts';
import { OWNER } from '#test/support/daemon/hub-process.ts';
import { connectNamespaces, createNamespaces, type Namespace } from '#test/support/machine/namespaces.ts';

const CONTROLLER = join(import.meta.dirname, 'controller.mjs');
const HUB = '192.168.61.1';
export const SOON = { timeout: 30_000, interval: 100 };

/** An app of another maker, as a process in the LAN. */
export type Controller = {
  readonly call: (call: string, args?: object) => Promise<unknown>;
  /** It keeps its sockets, and answers nothing any more. */
  readonly freeze: () => void;
  readonly kill: () => void;
};

export type HubAnswer = { readonly status: number; readonly json: unknown };

/** A hub with the simulated home and a Matter bridge, and apps in the same LAN. */
export type BridgeWorld = {
  readonly hub: () => NamespaceHub;
  /** A request of the owner. */
  readonly ask: (method: string, path: string, body?: unknown) => Promise<HubAnswer>;
  readonly startController: (label: string) => Promise<Controller>;
  /** Opens the bridge for another home, and returns the number that a person types. */
  readonly openBridge: () => Promise<string>;
  readonly bridge: () => Promise<BridgeJson>;
  readonly state: (selector: string, key: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
};

export type BridgeJson = {
  readonly status: string;
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly offering?: {
    readonly devices: number;
    readonly entities: number;
    readonly commands: number;
    readonly refused: number;
  };
  readonly pairing?: { readonly manual_code: string; readonly qr: string; readonly remaining_s: number };
  readonly fabrics?: readonly { readonly id: number; readonly label: string }[];
};

export async function openBridgeWorld(): Promise<BridgeWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-matter-'));
  const spaces = createNamespaces('hub', 'app');
  connectNamespaces([spaces.hub, 'eth0'], [spaces.app, 'eth0']);
  spaces.hub.ip('link set eth0 up', `addr add ${HUB}/24 dev eth0`);
  spaces.app.ip('link set eth0 up', 'addr add 192.168.61.2/24 dev eth0');
  const hub = await startNamespaceHub(spaces.hub, {
    HEARTHD_INTERFACES: 'eth0',
    HEARTHD_SIMULATE: '1',
  });
  const controllers: Controller[] = [];
  const startIn = async (space: Namespace, label: string): Promise<Controller> => {
    const port = String(5550 + controllers.length);
    const child = space.start(process.execPath, [CONTROLLER, join(folder, label), label, port], {});
    const lines = createInterface({ input: child.stdout ?? process.stdin });
    let printed = '';
    child.stderr?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    const waiting = new Map<number, (answer: { result?: unknown; error?: string }) => void>();
    let last = 0;
    const ready = new Promise<void>((resolve, reject) => {
      lines.on('line', (line) => {
        if (!line.startsWith('{')) return;
        const said = JSON.parse(line) as { ready?: true; id?: number; result?: unknown; error?: string };
        if (said.ready === true) resolve();
        else waiting.get(said.id ?? 0)?.(said);
      });
      child.once('exit', (code) => {
        reject(new Error(`the controller ended with ${code}: ${printed}`));
        for (const end of waiting.values()) end({ error: `the controller ended: ${printed}` });
      });
    });
    await ready;
    const controller: Controller = {
      freeze: () => void child.kill('SIGSTOP'),
      kill: () => void child.kill('SIGKILL'),
      call: async (call, args = {}) => {
        last += 1;
        const id = last;
        const answered = new Promise<{ result?: unknown; error?: string }>((resolve) => waiting.set(id, resolve));
        child.stdin?.write(`${JSON.stringify({ ...args, id, call })}\n`);
        const { result, error } = await answered;
        waiting.delete(id);
        if (error !== undefined) throw new Error(`${call} ${JSON.stringify(args)}: ${error}`);
        return result;
      },
    };
    controllers.push(controller);
    return controller;
  };
  const first = await startIn(spaces.app, 'first');
  const url = (path: string): string => `http://${HUB}:${HUB_PORT}/api/v1${path}`;
  const claim = { claim_code: hub.claimCode, ...OWNER };
  const setUp = (await first.call('hub', { method: 'POST', url: url('/setup'), body: claim })) as HubAnswer;
  const { access_token: token } = setUp.json as { access_token: string };
  const ask: BridgeWorld['ask'] = async (method, path, body) =>
    (await first.call('hub', { method, url: url(path), token, body })) as HubAnswer;
  const bridge = async (): Promise<BridgeJson> => (await ask('GET', '/integration/matter_bridge')).json as BridgeJson;
  return {
    hub: () => hub,
    ask,
    startController: async (label) => (label === 'first' ? first : startIn(spaces.app, label)),
    bridge,
    openBridge: async () => {
      expect(await ask('POST', '/integration/matter_bridge/pairing', { seconds: 200 })).toMatchObject({ status: 200 });
      await expect.poll(async () => (await bridge()).pairing, SOON).toBeDefined();
      return (await bridge()).pairing?.manual_code ?? '';
    },
    state: async (selector, key) => {
      const { json } = await ask('GET', `/device/${selector}`);
      const { features } = json as { features: readonly { key: string; value: unknown }[] };
      return features.find((one) => one.key === key)?.value;
    },
    close: async () => {
      for (const { kill } of controllers) kill();
      await hub.stop();
      spaces.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
