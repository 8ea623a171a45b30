import { createHash } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import { createMatterBridge } from '#integrations/matter-bridge/matter-bridge.ts';
import { createSharedPrograms } from '#hub/integration/shared-programs.ts';
import type { FromNode, ToNode } from '#integrations/matter-bridge/node-message.ts';
import type { HomePort, KeptFile } from '#integrations/ports.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { NO_HOME } from '#test/support/kinds/no-home.ts';
import { simulatedDevice } from '#test/support/matter/simulated-device.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

const DEVICES = ['kitchen-ceiling', 'kitchen-fridge'].map((id) => simulatedDevice(id));
const [LAMP = '', PLUG = ''] = DEVICES.map(({ id }): string => id);

type Started = {
  readonly said: ToNode[];
  readonly say: (message: FromNode) => void;
  readonly end: (why: string) => void;
};

/** A bridge whose program is played by the test. */
function openBridge(text?: string, remembered: JsonObject = {}) {
  const time = createManualTime();
  const { log, lines } = createRecordingLog();
  const sink = createRecordingSink();
  const programs: Started[] = [];
  const asked: { readonly token: string; readonly device: string }[] = [];
  let kept = text;
  let memory = remembered;
  let setAside = 0;
  const home: HomePort = {
    ...NO_HOME,
    devices: () => DEVICES,
    findDevice: (id) => DEVICES.find((one) => one.id === id),
    command: (token, device) => {
      if (token === 'gone') throw new HubError('INVALID_TOKEN', 'It is gone.');
      asked.push({ token, device: device.id });
    },
  };
  const file: KeptFile = {
    read: async () => kept,
    write: async (next) => void (kept = next),
    setAside: async () => {
      setAside += 1;
      kept = undefined;
    },
  };
  const settings = { expose: { rooms: [], devices: [LAMP] }, token: 'first', port: 5540 };
  const bridge = createMatterBridge(
    { name: 'Matter bridge', settings },
    {
      ...time,
      random: () => 0.5,
      log,
      home,
      file,
      state: { load: async () => memory, save: async (next) => void (memory = next) },
      lanAddresses: () => [],
      joinProgram: createSharedPrograms({
        ...time,
        random: () => 0.5,
        log,
        startProgram: (_name, onMessage) => {
          const said: ToNode[] = [];
          let end: (why: string) => void = () => undefined;
          const ended = new Promise<string>((resolve) => (end = resolve));
          programs.push({ said, say: (message) => onMessage({ part: 'bridge', message }), end });
          return {
            send: (message) => {
              if ('isPing' in message) onMessage({ isPong: true });
              else if ('message' in message) said.push(message.message as ToNode);
              else onMessage({ part: 'bridge', isEnded: true });
            },
            ended,
            kill: () => end('killed'),
          };
        },
      }),
    },
  );
  const ending = new AbortController();
  const ran = bridge.run(sink, ending.signal);
  onTestFinished(async () => {
    ending.abort();
    for (const { end } of programs) end('stopped');
    await ran;
  });
  const program = async (count: number): Promise<Started> => {
    await vi.waitFor(() => expect([programs.length, programs.at(-1)?.said[0]?.type]).toEqual([count, 'start']));
    const found = programs.at(-1);
    if (found === undefined) throw new Error('no program was started');
    return found;
  };
  const endpointOf = (device: string, { said }: Started): string => {
    const all = said.flatMap((one) =>
      one.type === 'start' ? one.endpoints : one.type === 'put' ? [one.endpoint] : [],
    );
    return all.find(({ id }) => id.startsWith(device.replaceAll('-', '')))?.id ?? '';
  };
  let seq = 0;
  /** What the bridge answers to a command of a home. */
  const give = (to: Started, fabric: number, device = LAMP): string | null => {
    seq += 1;
    const endpoint = endpointOf(device, to);
    to.say({ type: 'command', command: { seq, endpoint, name: 'on_off.on', value: {}, fabric } });
    const answer = to.said.findLast((one) => one.type === 'answer' && one.seq === seq);
    return answer?.type === 'answer' ? answer.refusal : 'none';
  };
  return {
    bridge,
    sink,
    time,
    lines,
    settings,
    asked,
    program,
    give,
    endpointOf,
    setAside: () => setAside,
    memory: () => memory,
    starts: () => programs.length,
  };
}

describe('new settings of a bridge that runs', () => {
  test('reach its program without a new start: the name, the devices, the token', async () => {
    const { bridge, settings, program, time, give, endpointOf, asked, starts } = openBridge();
    const first = await program(1);
    first.say({ type: 'started' });
    expect(give(first, 1)).toBeNull();
    const next = { expose: { rooms: [], devices: [PLUG] }, token: 'second', port: 5540 };
    expect(bridge.takeSettings?.({ name: `Our home ${'ü'.repeat(40)}`, settings: next })).toBe(true);
    await time.advance(50);
    const [lamp, plug] = [endpointOf(LAMP, first), endpointOf(PLUG, first)];
    expect(first.said.slice(2)).toMatchObject([
      { type: 'rename', name: `Our home ${'ü'.repeat(11)}` },
      { type: 'remove', id: lamp },
      { type: 'put', endpoint: { id: plug, kind: 'on_off_plug' } },
    ]);
    expect([give(first, 1), give(first, 1, PLUG)]).toEqual(['failure', null]);
    expect(asked.map(({ token, device }) => `${token} ${device}`)).toEqual([`first ${LAMP}`, `second ${PLUG}`]);
    expect(bridge.report?.().offering).toMatchObject({ devices: 1, entities: 1 });
    const same = { name: 'Matter bridge', settings };
    expect(bridge.takeSettings?.({ ...same, settings: { ...settings, port: 5541 } })).toBe(false);
    expect(starts()).toBe(1);
  });

  test('wait for a new start where no program runs', async () => {
    const { bridge, settings, program } = openBridge();
    await program(1);
    expect(bridge.takeSettings?.({ name: 'Other', settings })).toBe(false);
  });
});

test('a home that floods commands has its own ration, and another home its own', async () => {
  const { bridge, program, give, time } = openBridge();
  const node = await program(1);
  node.say({ type: 'started' });
  const answers = Array.from({ length: 1_000 }, () => give(node, 1));
  expect([answers.filter((one) => one === null).length, answers.filter((one) => one === 'busy').length]).toEqual([
    100, 900,
  ]);
  expect(give(node, 2)).toBeNull();
  await time.advance(50);
  expect([give(node, 1), give(node, 1)]).toEqual([null, 'busy']);
  expect(bridge.report?.().offering).toMatchObject({ error: { code: 'TOO_MANY_COMMANDS' } });
});

test('a program that cannot run is started five times, and from then on less often, which it says', async () => {
  const { program, sink, time, starts } = openBridge();
  for (let count = 1; count <= 5; count += 1) {
    (await program(count)).end('code 1, Error: no such instruction');
    await vi.waitFor(() => expect(sink.statuses.at(-1)).toMatchObject({ state: 'error' }));
    await time.advance(60_000);
  }
  expect(starts()).toBe(5);
  expect(sink.statuses.map(({ code }) => code)).toEqual([
    ...Array.from({ length: 4 }, () => [null, 'NODE_DOWN']).flat(),
    null,
    'NODE_FAILED',
  ]);
  await time.advance(300_000);
  (await program(6)).say({ type: 'started' });
  expect(sink.statuses.at(-1)).toMatchObject({ state: 'connected', code: null });
});

test('a damaged file is set aside and told, until a home has the bridge again', async () => {
  const { program, sink, setAside, lines } = openBridge('{"version":1,"sha256":"00","node":"{}"}');
  const node = await program(1);
  expect(node.said[0]).toMatchObject({ type: 'start', memory: null });
  expect(setAside()).toBe(1);
  node.say({ type: 'started' });
  expect(sink.statuses.at(-1)).toMatchObject({ state: 'connected', code: 'STATE_LOST' });
  expect(lines.join('\n')).toContain('is damaged');
  node.say({ type: 'fabrics', fabrics: [{ index: 1, label: 'Apple', vendorId: 0x1349 }] });
  expect(sink.statuses.at(-1)).toMatchObject({ state: 'connected', code: null });
});

test('once the last home has left, nothing is sent before the new start', async () => {
  const { bridge, program, sink } = openBridge();
  const node = await program(1);
  node.say({ type: 'started' });
  await bridge.openBridge?.(200);
  node.say({ type: 'left' });
  await expect(bridge.openBridge?.(200)).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
  expect(node.said.filter(({ type }) => type === 'open_window')).toHaveLength(1);
  expect(sink.statuses.at(-1)?.state).toBe('connecting');
});

test('what it keeps comes back whole, and a file of before is taken', async () => {
  const node = 'text of the node';
  const sha256 = createHash('sha256').update(node).digest('hex');
  const { program } = openBridge(JSON.stringify({ version: 1, sha256, node }));
  expect((await program(1)).said[0]).toMatchObject({ type: 'start', memory: node });
});

describe('what the hub remembers of it', () => {
  const NUMBERS = { lamp: 7 };
  const APPLE = { index: 1, label: 'Apple', vendorId: 0x1349 };

  test('the bridge says that a missing file is lost where homes had it, also later, until one has it again', async () => {
    const { program, sink, memory } = openBridge(undefined, { numbers: NUMBERS, homes: 2 });
    const node = await program(1);
    expect(node.said[0]).toMatchObject({ memory: null, numbers: NUMBERS });
    node.say({ type: 'started' });
    node.say({ type: 'fabrics', fabrics: [] });
    expect(sink.statuses.at(-1)).toMatchObject({ state: 'connected', code: 'STATE_LOST' });
    expect(memory()).toEqual({ numbers: NUMBERS, homes: 0, isLost: true });
    const later = openBridge('{}', memory());
    const next = await later.program(1);
    next.say({ type: 'started' });
    expect(later.sink.statuses.at(-1)).toMatchObject({ code: 'STATE_LOST' });
    next.say({ type: 'fabrics', fabrics: [APPLE] });
    expect(later.sink.statuses.at(-1)).toMatchObject({ state: 'connected', code: null });
    expect(later.memory()).toMatchObject({ homes: 1, isLost: false });
  });

  test('a bridge that no home has loses nothing with its file, and its numbers are kept', async () => {
    const { program, sink, memory } = openBridge(undefined, { homes: 0 });
    const node = await program(1);
    expect(node.said[0]).toMatchObject({ numbers: {} });
    node.say({ type: 'started' });
    expect(sink.statuses.at(-1)).toMatchObject({ state: 'connected', code: null });
    node.say({ type: 'numbers', numbers: NUMBERS });
    expect(memory()).toMatchObject({ numbers: NUMBERS });
  });

  test('of very many numbers the newest are kept', async () => {
    const { program, memory } = openBridge();
    const all = Array.from({ length: 2_000 }, (_, at) => [`${at}-${'x'.repeat(30)}`, at + 2]);
    (await program(1)).say({ type: 'numbers', numbers: Object.fromEntries(all) as Record<string, number> });
    const numbers = Object.values(memory()['numbers'] as Record<string, number>);
    expect([numbers.length, Math.max(...numbers), Math.min(...numbers)]).toEqual([900, 2_001, 1_102]);
    expect(JSON.stringify(memory()).length).toBeLessThan(64 * 1024);
  });
});

test('a start that failed is tried again, in the same program', async () => {
  const { program, sink, time, starts } = openBridge();
  const node = await program(1);
  node.say({ type: 'failed', code: 'PORT_IN_USE', message: 'port 5540 is in use' });
  expect(sink.statuses.at(-1)).toMatchObject({ state: 'error', code: 'PORT_IN_USE' });
  await time.advance(10_000);
  await vi.waitFor(() => expect(node.said.filter(({ type }) => type === 'start')).toHaveLength(2));
  node.say({ type: 'started' });
  expect([sink.statuses.at(-1)?.state, starts()]).toEqual(['connected', 1]);
});

test('a start that worked meanwhile is not undone by the try that was to come', async () => {
  const { program, time } = openBridge();
  const node = await program(1);
  node.say({ type: 'failed', code: 'PORT_IN_USE', message: 'port 5540 is in use' });
  node.end('signal SIGKILL');
  await time.advance(1_500);
  const next = await program(2);
  next.say({ type: 'started' });
  await time.advance(60_000);
  expect(next.said.filter(({ type }) => type === 'start')).toHaveLength(1);
});

test('a home that could not be kept is undone by a new start from what is on disk', async () => {
  const { program, lines, starts } = openBridge();
  const node = await program(1);
  node.say({ type: 'started' });
  node.say({ type: 'not_joined' });
  await vi.waitFor(() => expect(node.said.filter(({ type }) => type === 'start')).toHaveLength(2));
  expect(lines.join('\n')).toContain('could not be kept');
  expect(starts()).toBe(1);
});
