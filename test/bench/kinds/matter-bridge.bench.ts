import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { percentile } from '#test/bench/support/figure.ts';
import { type BridgeWorld, HUB, openBridgeWorld } from '#test/support/matter/bridge-world.ts';
import type { Controller } from '#test/support/matter/controller-process.ts';
import { bringDevices, nameOf, type ProvidedHome } from '#test/support/matter/provided-home.ts';

/** Lamps on the bridge; it shows 150 at most. */
const DEVICES = Number(process.env['DEVICES'] ?? 150);
/** Wrong codes; each opening takes twenty. */
const CODES = Number(process.env['CODES'] ?? 1_000);
const OF_OPENING = 20;
const FLOOD = 2_000;
const LATER = { timeout: 300_000, interval: 50 };
const GUESS = join(import.meta.dirname, '../../support/matter/neighbours/guess.mjs');

const LAMPS = Array.from({ length: DEVICES }, (_, at) => ({
  id: `lamp-${at}`,
  type: 'dimmable_light',
  features: { on: {}, brightness: { min: 0, max: 100 } },
  values: { on: false, brightness: 50 },
}));

let world: BridgeWorld;
let lamps: ProvidedHome;
let chip: Controller;
let app: Controller;
let numbers: ReadonlyMap<string, number>;

const mb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1_024;
const memory = (): string =>
  `the program ${mb(world.program()).toFixed(0)} MB, the hub ${mb(world.hub().pid).toFixed(0)} MB`;
const say = (text: string): void => void process.stdout.write(`${text}\n`);
const numberOf = (at: number): number => numbers.get(nameOf(`lamp-${at}`)) ?? 0;
const timeOf = async (task: () => Promise<unknown>): Promise<string> => {
  const startedMs = performance.now();
  await task();
  return `${((performance.now() - startedMs) / 1_000).toFixed(2)} s`;
};
const switchLamp = async (at: number, isOn: boolean): Promise<void> => {
  await chip.call('command', { number: numberOf(at), cluster: 'OnOff', command: isOn ? 'On' : 'Off' });
  await chip.call('await_value', { number: numberOf(at), cluster: 'OnOff', attribute: 'OnOff', value: isOn });
};
const untilSwitched = async (at: number, isOn: boolean): Promise<void> => {
  await expect.poll(() => switchLamp(at, isOn).then(() => 'done', String), LATER).toBe('done');
};
/** Asks the hub until it is called, and returns what its answers took. */
function askMeanwhile(): () => Promise<string> {
  const over = new AbortController();
  const tookMs: number[] = [];
  const asked = (async () => {
    while (!over.signal.aborted) {
      const startedMs = performance.now();
      expect((await world.ask('GET', '/integration')).status).toBe(200);
      tookMs.push(performance.now() - startedMs);
    }
  })();
  return async () => {
    over.abort();
    await asked;
    const [p50, p99] = [percentile(tookMs, 0.5), percentile(tookMs, 0.99)];
    return `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, at most ${percentile(tookMs, 1).toFixed(0)} ms`;
  };
}

beforeAll(async () => {
  world = await openBridgeWorld();
  app = await world.startController('first');
  chip = await world.startChip('chip');
}, 300_000);
afterAll(async () => {
  await lamps.stop();
  await world.close();
});

test('the bridge is switched on, and a home takes it in', async () => {
  const stop = askMeanwhile();
  lamps = await bringDevices(world, LAMPS);
  say(`${DEVICES} lamps, the bridge off: the hub ${mb(world.hub().pid).toFixed(0)} MB, answers ${await stop()}`);
  const up = await timeOf(async () => {
    await world.offer(lamps.ids, []);
    await expect.poll(async () => (await world.bridge()).status, LATER).toBe('connected');
  });
  say(`up after ${up}: ${memory()}`);
  expect(await world.bridge()).toMatchObject({ error: null, offering: { devices: DEVICES } });
  const code = await world.openBridge();
  let attributes: unknown;
  const joined = await timeOf(async () => (attributes = await chip.call('pair', { code })));
  const all = (await chip.call('endpoints')) as readonly { readonly name: string; readonly number: number }[];
  numbers = new Map(all.map(({ name, number }) => [name, number]));
  expect(numbers.size).toBe(DEVICES);
  say(`joined after ${joined}, ${String(attributes)} attributes: ${memory()}`);
  const next = await world.openBridge();
  say(`a second home joined after ${await timeOf(() => app.call('pair', { code: next }))}: ${memory()}`);
});

test('all lamps are switched at once, and their reports come', async () => {
  const all = Array.from({ length: DEVICES }, (_, at) => at);
  for (const isOn of [true, false]) {
    const stop = askMeanwhile();
    const took = await timeOf(async () => {
      for (let from = 0; from < DEVICES; from += 25) {
        await Promise.all(all.slice(from, from + 25).map((at) => untilSwitched(at, isOn)));
      }
    });
    say(`${DEVICES} lamps ${isOn ? 'on' : 'off'} after ${took}; the hub answers ${await stop()}; ${memory()}`);
  }
  expect((await world.bridge()).error).toBeNull();
});

test('after a new start and after a kill', async () => {
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    await lamps.stop();
    const took = await timeOf(async () => {
      await world.restartHub(signal);
      await expect.poll(async () => (await world.bridge()).status, LATER).toBe('connected');
    });
    await lamps.goOn();
    const used = await timeOf(() => untilSwitched(0, signal === 'SIGTERM'));
    say(`${signal} of the hub: up after ${took}, used ${used} later: ${memory()}`);
  }
  process.kill(world.program(), 'SIGKILL');
  await expect.poll(async () => (await world.bridge()).error?.code, LATER).toBe('NODE_DOWN');
  const took = await timeOf(async () => {
    await expect.poll(async () => (await world.bridge()).status, LATER).toBe('connected');
  });
  say(`kill of the program: up after ${took}, used ${await timeOf(() => untilSwitched(0, true))} later: ${memory()}`);
  expect((await world.bridge()).fabrics).toHaveLength(2);
});

test('a home floods commands', async () => {
  const before = memory();
  const orders = ['On', 'Off'].map((command) => ({ number: numberOf(0), cluster: 'OnOff', command }));
  for (const atOnce of [1, 16, 64]) {
    const stop = askMeanwhile();
    let answers: unknown;
    const took = await timeOf(
      async () => (answers = await chip.call('flood', { orders, count: FLOOD, at_once: atOnce })),
    );
    say(
      `${FLOOD} commands, ${atOnce} at once, in ${took}: ${JSON.stringify(answers)}; the hub answers ${await stop()}`,
    );
  }
  say(`before: ${before}; after: ${memory()}`);
  await untilSwitched(1, true);
  // The other home has a ration of its own.
  await app.call('command', { name: nameOf('lamp-2'), cluster: 'onOff', command: 'on' });
  await expect.poll(() => lamps.asked('lamp-2'), LATER).toEqual({ on: true });
});

test('wrong codes', async () => {
  const before = memory();
  const stop = askMeanwhile();
  const startedMs = performance.now();
  const sum = { refused: 0, joined: 0 };
  for (let tried = 0; tried < CODES; tried += OF_OPENING) {
    await world.openBridge();
    const ended = await world.nextEnd();
    const answers = JSON.parse(await world.runInLan(GUESS, HUB, '5540', String(OF_OPENING), '250')) as typeof sum;
    sum.refused += answers.refused;
    sum.joined += answers.joined;
    expect(await ended()).toBe('too many wrong codes came');
  }
  say(
    `${JSON.stringify(sum)} in ${((performance.now() - startedMs) / 1_000).toFixed(0)} s; the hub answers ${await stop()}`,
  );
  say(`before: ${before}; after: ${memory()}`);
  expect(sum).toEqual({ refused: CODES, joined: 0 });
  const late = await world.startController('late');
  say(`the right code after ${await timeOf(async () => late.call('pair', { code: await world.openBridge() }))}`);
  await untilSwitched(2, true);
  expect((await world.bridge()).fabrics).toHaveLength(3);
});
