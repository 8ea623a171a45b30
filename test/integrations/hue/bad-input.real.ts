import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { startHueBridge } from '#test/support/hue/hue-bridge.ts';
import { createHueWorld } from '#test/support/hue/hue-world.ts';
import { expectBelow, readMemory, startStopwatch } from '#test/support/machine/bounds.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';

const POLL = { interval: 10 };
const MIB = 1024 * 1024;

async function openHome(factor = 20) {
  const bridge = await startHueBridge();
  onTestFinished(bridge.close);
  const world = createHueWorld(bridge, createFastTime(factor));
  const sink = createRecordingSink();
  const abort = new AbortController();
  const hue = world.create();
  const running = hue.run(sink, abort.signal);
  onTestFinished(async () => {
    abort.abort();
    await running;
  });
  const untilStatus = (expected: string): Promise<void> =>
    vi.waitFor(() => {
      const last = sink.statuses.at(-1);
      expect([last?.state, last?.code ?? []].flat().join(' ')).toBe(expected);
    }, POLL);
  await untilStatus('connected');
  return { bridge, world, sink, hue, untilStatus };
}

const RESOURCE = '{"id":"0000","type":"light","on":{"on":true}},';

describe('I1: a bridge that answers with', () => {
  test.each([
    ['100 MB', { text: 'x'.repeat(100_000), repeat: 1_000 }],
    ['100 MB of resources', { text: `{"data":[${RESOURCE.repeat(2_000)}`, repeat: 1_000 }],
    ['broken JSON', { text: '{"errors":[],"data":[{"id":"a","type":"light"},{' }],
    ['another form', { text: '[{"id":"a","type":"light"}]' }],
    ['no data', { text: '{"errors":[]}' }],
    ['HTML', { text: '<html>Busy</html>' }],
    ['nesting without end', { text: `{"data":[${'['.repeat(100_000)}` }],
    ['more resources than there can be', { text: `{"data":[${distinct(21_000)}]}` }],
  ])('%s shows it, keeps its devices, and is back when it is well', async (_what, answer) => {
    const { bridge, sink, untilStatus } = await openHome();
    const before = readMemory().resident;
    await bridge.act('answer', answer);
    await bridge.act('drop');
    await untilStatus('error BAD_ANSWER');
    expect(sink.devices.size).toBe(9);
    expectBelow('more memory, MiB', (readMemory().resident - before) / MIB, 200);
    await bridge.act('answer');
    await untilStatus('connected');
  });

  test('nothing for long is unreachable, and back when it is well', async () => {
    const { bridge, sink, untilStatus } = await openHome();
    const { devices } = sink;
    await bridge.act('answer', { slow: true });
    await bridge.act('drop');
    await untilStatus('error BRIDGE_UNREACHABLE');
    expect(devices.size).toBe(9);
    await bridge.act('answer');
    await untilStatus('connected');
  });

  test('resources that are none has the others', async () => {
    const { bridge, sink, untilStatus } = await openHome();
    const device =
      '{"id":"d1","type":"device","metadata":{"name":"<b>One</b>"},"services":[{"rid":"l1","rtype":"light"},7]}';
    const light = '{"id":"l1","type":"light","on":{"on":true},"dimming":{"brightness":1e999},"color":null}';
    const wrong = ['null', '7', '[]', '{}', '{"id":"../x","type":"light"}', '{"id":"a","type":"LIGHT"}', '"text"'];
    await bridge.act('answer', { text: `{"data":[${[...wrong, device, light, ...wrong].join(',')}]}` });
    await bridge.act('drop');
    await vi.waitFor(() => expect([...sink.devices.keys()]).toEqual(['d1']), POLL);
    await untilStatus('connected');
    expect(Object.fromEntries(sink.device('d1').values)).toEqual({ on: true });
  });
});

describe('I1: a stream that says', () => {
  test('too much in one event is opened again', async () => {
    const { bridge, sink, untilStatus } = await openHome();
    await bridge.act('says', { text: `data: ${'x'.repeat(100_000)}`, repeat: 30 });
    await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).not.toBe('connected'), POLL);
    await untilStatus('connected');
  });

  test('a flood of updates holds up nothing, and the last value counts', async () => {
    const { bridge, sink, hue } = await openHome();
    const hall = [...sink.devices.values()].find(({ description }) => description.name === 'Hall');
    const light = (await bridge.state()).resources.find(
      ({ type, owner }) => type === 'light' && JSON.stringify(owner).includes(hall?.description.externalId ?? '?'),
    );
    const update = (brightness: number): string =>
      `data: ${JSON.stringify([{ type: 'update', data: [{ id: light?.id, type: 'light', dimming: { brightness } }] }])}\n\n`;
    const before = readMemory().resident;
    await bridge.act('says', { text: update(1) + update(2), repeat: 20_000 });
    await bridge.act('says', { text: update(77) });
    await vi.waitFor(() => expect(hall?.values.get('brightness')).toBe(77), POLL);
    expect(sink.calls.get('reportValues')).toBeGreaterThan(40_000);
    expectBelow('more memory, MiB', (readMemory().resident - before) / MIB, 200);
    const command = {
      externalId: hall?.description.externalId ?? '',
      set: new Map([['on', true]]),
      action: null,
      transitionMs: null,
    };
    await expect(hue.sendCommand(command)).resolves.toBe('transport_ack');
  });

  test('that things come and go without end makes one reading a second', async () => {
    const { bridge, sink } = await openHome(1);
    const event = (type: string): string => `data: [{"type":"${type}","data":[{"id":"x","type":"device"}]}]\n\n`;
    const lists = sink.calls.get('syncDevices') ?? 0;
    const tookMs = startStopwatch();
    await bridge.act('says', { text: event('add') + event('delete'), repeat: 5_000 });
    await vi.waitFor(() => expect(sink.calls.get('syncDevices')).toBeGreaterThan(lists), POLL);
    const readings = (sink.calls.get('syncDevices') ?? 0) - lists;
    expect(readings).toBeLessThanOrEqual(1 + tookMs() / 1_000);
  });
});

function distinct(count: number): string {
  return Array.from({ length: count }, (_, index) => `{"id":"${index}","type":"light"}`).join(',');
}
