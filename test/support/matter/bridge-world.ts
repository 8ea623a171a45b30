import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import {
  HUB_PORT,
  type NamespaceHub,
  type NamespaceHubPlace,
  startNamespaceHub,
} from '#test/support/daemon/namespace-hub.ts';
import { OWNER } from '#test/support/daemon/hub-process.ts';
import { awaitController, type Controller } from '#test/support/matter/controller-process.ts';
import { startChip } from '#test/support/matter/chip/start-chip.ts';
import { connectNamespaces, createNamespaces, type Namespace, runIn } from '#test/support/machine/namespaces.ts';

const CONTROLLER = join(import.meta.dirname, 'controller.mjs');
const DEVICE = join(import.meta.dirname, 'device.mjs');
export const HUB = '192.168.61.1';
export const SOON = { timeout: 90_000, interval: 100 };

export type Ask = (method: string, path: string, body?: unknown) => Promise<HubAnswer>;

export type HubAnswer = { readonly status: number; readonly json: unknown };

/** A hub with the simulated home and a Matter bridge, and apps in the same LAN. */
export type BridgeWorld = {
  readonly hub: () => NamespaceHub;
  /** Ends the hub, and starts it with the same state. */
  readonly restartHub: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>;
  /** A request of the owner. */
  readonly ask: Ask;
  readonly askWith: (token: string) => Ask;
  readonly startController: (label: string) => Promise<Controller>;
  /** An app by the SDK of the alliance. */
  readonly startChip: (label: string) => Promise<Controller>;
  /** A device of Matter, for the hub itself. */
  readonly startDevice: (label: string, options?: object) => Promise<Controller>;
  /** Opens the bridge for another home, and returns the number that a person types. */
  readonly openBridge: () => Promise<string>;
  readonly bridge: () => Promise<BridgeJson>;
  readonly state: (selector: string, key: string) => Promise<unknown>;
  /** Offers these devices, and those of all rooms, with a token for all commands. */
  readonly offer: (devices?: readonly string[], rooms?: readonly string[]) => Promise<BridgeToken>;
  readonly untilUp: () => Promise<void>;
  /** The process that speaks Matter. */
  readonly program: () => number;
  /** What the events say of why the bridge closed next. */
  readonly nextEnd: () => Promise<() => Promise<unknown>>;
  /** Runs a program in the LAN until it ends; resolves with what it printed. */
  readonly runInLan: (file: string, ...args: readonly string[]) => Promise<string>;
  readonly close: () => Promise<void>;
};

export type BridgeToken = { readonly id: string; readonly token: string };

type EventPage = {
  readonly cursor: string;
  readonly events: readonly {
    readonly data: { readonly pairing?: { readonly step: string; readonly detail: unknown } };
  }[];
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

export async function openBridgeWorld(place: NamespaceHubPlace = {}): Promise<BridgeWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-matter-'));
  const spaces = createNamespaces('hub', 'app');
  connectNamespaces([spaces.hub, 'eth0'], [spaces.app, 'eth0']);
  spaces.hub.ip('link set eth0 up', `addr add ${HUB}/24 dev eth0`);
  spaces.app.ip('link set eth0 up', 'addr add 192.168.61.2/24 dev eth0');
  const env = { HEARTHD_INTERFACES: 'eth0', HEARTHD_SIMULATE: '1' };
  let hub = await startNamespaceHub(spaces.hub, env, place);
  const controllers: Controller[] = [];
  const startIn = async (space: Namespace, label: string): Promise<Controller> => {
    const port = String(5550 + controllers.length);
    const child = space.start(process.execPath, [CONTROLLER, join(folder, label), label, port], {});
    const controller = await awaitController(child);
    controllers.push(controller);
    return controller;
  };
  const first = await startIn(spaces.app, 'first');
  const url = (path: string): string => `http://${HUB}:${HUB_PORT}/api/v1${path}`;
  const claim = { claim_code: hub.claimCode, ...OWNER };
  const setUp = (await first.call('hub', { method: 'POST', url: url('/setup'), body: claim })) as HubAnswer;
  const { access_token: owner } = setUp.json as { access_token: string };
  const askWith =
    (token: string): Ask =>
    async (method, path, body) =>
      (await first.call('hub', { method, url: url(path), token, body })) as HubAnswer;
  const ask = askWith(owner);
  const bridge = async (): Promise<BridgeJson> => (await ask('GET', '/integration/matter_bridge')).json as BridgeJson;
  return {
    hub: () => hub,
    restartHub: async (signal) => {
      await hub.end(signal);
      hub = await startNamespaceHub(spaces.hub, env, { ...place, stateDir: hub.stateDir });
    },
    ask,
    askWith,
    startController: async (label) => (label === 'first' ? first : startIn(spaces.app, label)),
    startChip: async (label) => {
      const chip = await startChip(spaces.app, join(folder, label));
      controllers.push(chip);
      return chip;
    },
    startDevice: async (label, options = {}) => {
      const args = [DEVICE, join(folder, label), String(5550 + controllers.length), JSON.stringify(options)];
      const device = await awaitController(spaces.app.start(process.execPath, args, {}));
      controllers.push(device);
      return device;
    },
    bridge,
    offer: async (devices = [], rooms) => {
      const scopes = ['device:read', 'device:control', 'device:control_sensitive'];
      const { json: made } = await ask('POST', '/api_token', { name: 'Matter', scopes });
      const { json: all } = await ask('GET', '/room');
      const { id, token } = made as BridgeToken;
      const expose = { rooms: rooms ?? (all as { id: string }[]).map((room) => room.id), devices };
      const wanted = { kind: 'matter_bridge', settings: { expose, token } };
      expect(await ask('POST', '/integration', wanted)).toMatchObject({ status: 201 });
      return { id, token };
    },
    untilUp: async () => {
      await vi.waitFor(async () => expect((await bridge()).status).toBe('connected'), SOON);
    },
    program: () => hub.children().find(({ command }) => command.includes('matter-process'))?.pid ?? 0,
    nextEnd: async () => {
      let { cursor } = (await ask('GET', '/event?wait=0')).json as EventPage;
      return async () => {
        for (;;) {
          const page = (await ask('GET', `/event?types=pairing.changed&wait=20&since=${cursor}`)).json as EventPage;
          ({ cursor } = page);
          const found = page.events.find(({ data }) => data.pairing?.step === 'closed');
          if (found !== undefined || page.events.length === 0) return found?.data.pairing?.detail;
        }
      };
    },
    runInLan: (file, ...args) => runIn(spaces.app, file, args),
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
