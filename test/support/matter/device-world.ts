import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { OWNER } from '#test/support/daemon/hub-process.ts';
import {
  HUB_PORT,
  type NamespaceHub,
  type NamespaceHubPlace,
  startNamespaceHub,
} from '#test/support/daemon/namespace-hub.ts';
import { connectNamespaces, createNamespaces, runIn } from '#test/support/machine/namespaces.ts';
import { type Ask, type HubAnswer, SOON } from './bridge-world.ts';
import { awaitController, type Controller } from './controller-process.ts';

const HUB = '192.168.62.1';
const DEVICES = '192.168.62.2';

export type DeviceJson = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly type: string;
  readonly integration: string;
  readonly firmware: string | null;
  readonly parent: string | null;
  readonly availability: { readonly state: string; readonly reason: string | null };
  readonly features: readonly { readonly key: string; readonly value: unknown; readonly quality: string }[];
};

/** A hub that takes Matter devices in, and such devices in the same LAN. */
export type DeviceWorld = {
  readonly hub: () => NamespaceHub;
  readonly ask: Ask;
  /** Starts a device; one with the same name has what the earlier one remembered. */
  readonly startDevice: (name: string, options?: object) => Promise<Controller>;
  /** Starts so many lamps in one process, each a node of its own; the first is the so many-th of all. */
  readonly startMany: (first: number, count: number, options?: { readonly sleeps?: boolean }) => Promise<Controller>;
  /** Starts another home's app beside the devices. */
  readonly startApp: (label: string) => Promise<Controller>;
  /** Runs a program beside the devices until it ends; resolves with what it printed. */
  readonly runInLan: (file: string, ...args: readonly string[]) => Promise<string>;
  /** From now on says of a device with this discriminator that it is in a home and lets nobody in. */
  readonly announceClosed: (discriminator: number) => Promise<Controller>;
  /** Begins to take in the device with this code, and resolves with what became of it. */
  readonly pair: (code: string) => Promise<PairingEnd>;
  /** Answers a step of a set-up, and resolves with what came of it once it waits for a person or is over. */
  readonly setUp: (id: string | null, answer: object) => Promise<SetupEnd>;
  readonly devices: () => Promise<readonly DeviceJson[]>;
  readonly close: () => Promise<void>;
};

export type PairingEnd = {
  readonly steps: readonly string[];
  readonly fault: { readonly code: string; readonly message: string } | null;
};

export type SetupEnd = {
  readonly id: string;
  readonly status: string;
  /** What it said on the way. */
  readonly said: readonly string[];
  readonly step: { readonly type: string; readonly errors?: readonly { readonly message: string }[] } | null;
};

type SetupJson = Omit<SetupEnd, 'said'> & { readonly step: { readonly text?: string } | null };
type PairingJson = { readonly pairing: { readonly step: string; readonly detail: Detail } };
type Detail = { readonly step?: string; readonly code?: string; readonly message?: string } | null;

function isPairing(heard: Partial<PairingJson>): heard is PairingJson {
  return heard.pairing !== undefined;
}

export async function openDeviceWorld(place: NamespaceHubPlace = {}): Promise<DeviceWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-matter-device-'));
  const spaces = createNamespaces('hub', 'device');
  connectNamespaces([spaces.hub, 'eth0'], [spaces.device, 'eth0']);
  spaces.hub.ip('link set eth0 up', `addr add ${HUB}/24 dev eth0`);
  spaces.device.ip('link set eth0 up', `addr add ${DEVICES}/24 dev eth0`);
  const hub = await startNamespaceHub(spaces.hub, { HEARTHD_INTERFACES: 'eth0' }, place);
  const running: Controller[] = [];
  const start = async (script: string, args: readonly string[]): Promise<Controller> => {
    const path = join(import.meta.dirname, script);
    const started = await awaitController(spaces.device.start(process.execPath, [path, ...args], {}));
    running.push(started);
    return started;
  };
  const caller = await start('lan-caller.mjs', []);
  const url = (path: string): string => `http://${HUB}:${HUB_PORT}/api/v1${path}`;
  const claim = { claim_code: hub.claimCode, ...OWNER };
  const setUp = (await caller.call('ask', { method: 'POST', url: url('/setup'), body: claim })) as HubAnswer;
  const { access_token: token } = setUp.json as { access_token: string };
  await caller.call('listen', { url: url('/event?types=pairing.changed,integration_setup.changed'), token });
  const ask: Ask = async (method, path, body) =>
    (await caller.call('ask', { method, url: url(path), token, body })) as HubAnswer;
  const ports = new Map<string, string>();
  return {
    hub: () => hub,
    ask,
    startDevice: (name, options = {}) => {
      const port = ports.get(name) ?? String(5560 + ports.size);
      ports.set(name, port);
      return start('device.mjs', [join(folder, name), port, JSON.stringify(options)]);
    },
    startMany: (first, count, options = {}) => {
      const numbers = [6_000 + first, first + 1, count].map(String);
      return start('many.mjs', [join(folder, `many-${first}`), ...numbers, JSON.stringify(options)]);
    },
    startApp: (label) => start('controller.mjs', [join(folder, label), label, '5590']),
    runInLan: (file, ...args) => runIn(spaces.device, file, args),
    announceClosed: (discriminator) => start('neighbours/announce-closed.mjs', [DEVICES, String(discriminator)]),
    pair: async (code) => {
      // The stream has notes of its own, too.
      const all = async (): Promise<readonly PairingJson[]> =>
        ((await caller.call('heard')) as readonly Partial<PairingJson>[]).filter(isPairing);
      const seen = (await all()).length;
      const begun = await ask('POST', '/integration/matter/pairing', { code });
      expect(begun).toMatchObject({ status: 200 });
      const heard = async (): Promise<readonly PairingJson[]> => (await all()).slice(seen);
      const patience = { ...SOON, timeout: 100_000 };
      await expect.poll(async () => (await heard()).at(-1)?.pairing.step, patience).toBe('closed');
      const steps = (await heard()).map(({ pairing }) => pairing);
      const failed = steps.find(({ step }) => step === 'interview_failed')?.detail ?? null;
      return {
        steps: steps.map(({ step, detail }) => detail?.step ?? step),
        fault: failed && { code: failed.code ?? '', message: failed.message ?? '' },
      };
    },
    setUp: async (id, answer) => {
      const said = async (): Promise<readonly string[]> => {
        const all = (await caller.call('heard')) as readonly { readonly setup?: SetupJson }[];
        const steps = all.flatMap(({ setup }) => (setup?.step?.type === 'busy' ? (setup.step.text ?? '') : []));
        return steps;
      };
      const seen = (await said()).length;
      const begun = id ?? ((await ask('POST', '/integration_setup', { kind: 'matter' })).json as SetupJson).id;
      const path = `/integration_setup/${begun}`;
      expect(await ask('POST', path, { answer })).toMatchObject({ status: 200 });
      let shown = { id: begun, status: 'running', step: null } as SetupJson;
      const isWaiting = async (): Promise<boolean> => {
        shown = (await ask('GET', path)).json as SetupJson;
        return shown.status !== 'running' || shown.step?.type === 'form';
      };
      await expect.poll(isWaiting, { ...SOON, timeout: 100_000 }).toBe(true);
      return { ...shown, said: (await said()).slice(seen) };
    },
    devices: async () => (await ask('GET', '/device')).json as readonly DeviceJson[],
    close: async () => {
      for (const { kill } of running) kill();
      await hub.stop();
      spaces.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
