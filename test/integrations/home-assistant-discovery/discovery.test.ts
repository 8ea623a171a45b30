import { afterEach, describe, expect, test, vi } from 'vitest';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink, type RecordingSink } from '#test/support/hub/recording-sink.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { createBrokeredDiscovery } from '#test/support/kinds/discovery-instance.ts';
import { startBroker, type TestBroker } from '#test/support/peers/broker.ts';

const POLL = { interval: 20 };
const ends: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0).toReversed()) await end();
});

type World = {
  readonly broker: TestBroker;
  readonly sink: RecordingSink;
  readonly lines: readonly string[];
  readonly send: (topic: string, payload: unknown, retain?: boolean) => Promise<void>;
  readonly set: (externalId: string, key: string, value: boolean | number | string) => Promise<unknown>;
};

async function openWorld(): Promise<World> {
  const broker = await startBroker();
  ends.push(broker.close);
  const { log, lines } = createRecordingLog();
  const integration = createBrokeredDiscovery({ url: broker.url }, { log, ...createFastTime(10) });
  const sink = createRecordingSink();
  const abort = new AbortController();
  const running = integration.run(sink, abort.signal);
  ends.push(async () => {
    abort.abort();
    await running;
  });
  await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('connected'), POLL);
  await vi.waitFor(() => expect([...broker.subscriptions()]).toContain('homeassistant/+/+/config'), POLL);
  const send = async (topic: string, payload: unknown, retain = false): Promise<void> => {
    // A device is there before the broker has its subscriptions, and who does not listen yet misses what is not kept.
    const isHeard = retain || topic.startsWith('homeassistant/');
    await vi.waitFor(() => expect(isHeard || [...broker.subscriptions()].includes(topic)).toBe(true), POLL);
    const bytes = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload);
    await broker.publish(topic, bytes, retain);
  };
  const set: World['set'] = async (externalId, key, value) =>
    integration.sendCommand({ externalId, set: new Map([[key, value]]), action: null, transitionMs: null });
  return { broker, sink, lines, send, set };
}

const until = async (check: () => void): Promise<void> => vi.waitFor(check, POLL);
const sensor = (id: string, more: object = {}): object => ({
  uniq_id: id,
  stat_t: `s/${id}`,
  dev: { ids: 'd1', name: 'Box' },
  unit_of_meas: '°C',
  dev_cla: 'temperature',
  ...more,
});
const keysOf = (sink: RecordingSink, id: string): readonly string[] =>
  sink.devices.get(id)?.description.features.map(({ key }) => key) ?? [];

describe('devices that announce themselves', () => {
  test('both layouts make one device of what has an identifier or a connection in common', async () => {
    const { sink, send } = await openWorld();
    await send(
      'homeassistant/sensor/box/t/config',
      sensor('t', { dev: { ids: ['d1'], cns: [['mac', 'AA:BB']], name: 'Box' } }),
    );
    await send('homeassistant/device/box/config', {
      dev: { cns: [['mac', 'aa:bb']] },
      o: { name: 'test' },
      '~': 'b',
      cmps: {
        relay: { p: 'switch', uniq_id: 'r', name: null, cmd_t: '~/set', stat_t: '~/state' },
        old: { p: 'sensor' },
      },
    });
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['on', 'temperature']));
    expect(sink.devices.size).toBe(1);
    expect(sink.device('d1').description.features.map(({ source }) => source)).toEqual(['r', 't']);
  });

  test('an empty message removes its entities, and the last one its device', async () => {
    const { sink, send } = await openWorld();
    await send('homeassistant/sensor/a/config', sensor('a'));
    await send('homeassistant/sensor/b/config', sensor('b', { dev_cla: 'humidity', unit_of_meas: '%' }));
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['temperature', 'humidity']));
    await send('homeassistant/sensor/a/config', '');
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['humidity']));
    await send('homeassistant/sensor/b/config', '');
    await until(() => expect(sink.devices.has('d1')).toBe(false));
  });

  test('a message may change component, unique id and device', async () => {
    const { sink, send } = await openWorld();
    await send('homeassistant/sensor/a/config', sensor('a'));
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['temperature']));
    await send(
      'homeassistant/sensor/a/config',
      sensor('other', { dev: { ids: 'd2' }, dev_cla: 'humidity', unit_of_meas: '%' }),
    );
    await until(() => expect(keysOf(sink, 'd2')).toEqual(['humidity']));
    await until(() => expect(sink.devices.has('d1')).toBe(false));
  });

  test('a device moves from single messages to one message without being lost', async () => {
    const { sink, send } = await openWorld();
    await send('homeassistant/sensor/a/config', sensor('a'));
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['temperature']));
    await send('homeassistant/sensor/a/config', { migrate_discovery: true });
    await send('homeassistant/device/d1/config', {
      dev: { ids: 'd1', name: 'Box' },
      o: { name: 'x' },
      cmps: { a: { p: 'sensor', ...sensor('a') }, b: { p: 'sensor', ...sensor('b', { name: 'Outside' }) } },
    });
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['temperature', 'outside.temperature']));
    expect(sink.calls.get('removeDevice') ?? 0).toBe(0);
  });

  test('values come with units and templates, a kept one as kept, and commands go out as Home Assistant sends them', async () => {
    const { broker, sink, send, set } = await openWorld();
    await send('s/t', { t: '68' }, true);
    await send(
      'homeassistant/sensor/t/config',
      sensor('t', { val_tpl: '{{ value_json.t | float }}', unit_of_meas: '°F' }),
    );
    await send('homeassistant/number/n/config', {
      uniq_id: 'n',
      name: 'Level',
      dev: { ids: 'd1' },
      cmd_t: 'n/set',
      cmd_tpl: '{"v": {{ value }}}',
      max: 50,
    });
    await until(() => expect(sink.device('d1').values.get('temperature')).toBe(20));
    expect(sink.calls.get('reportKeptValues')).toBe(1);
    await set('d1', 'x.level', 30);
    await until(() =>
      expect(broker.received).toContainEqual(expect.objectContaining({ topic: 'n/set', payload: '{"v": 30}' })),
    );
    await expect(set('d1', 'x.level', 60)).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });

  test('a press that the broker kept is none, a live one is', async () => {
    const { sink, send } = await openWorld();
    await send('button', 'press', true);
    await send('homeassistant/device_automation/b/config', {
      automation_type: 'trigger',
      topic: 'button',
      payload: 'press',
      type: 'button_short_press',
      subtype: 'button_1',
      device: { ids: 'd1' },
    });
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['button_1.button']));
    await send('button', 'press');
    await until(() =>
      expect(sink.device('d1').occurrences).toEqual([
        { key: 'button_1.button', occurrence: { action: 'single', raw: 'button_short_press' } },
      ]),
    );
  });

  test('devices of Zigbee2MQTT are left to its own integration', async () => {
    const { sink, send } = await openWorld();
    await send(
      'homeassistant/sensor/z/config',
      sensor('z', { dev: { ids: ['zigbee2mqtt_0x1'] }, o: { name: 'Zigbee2MQTT' } }),
    );
    await send('homeassistant/sensor/a/config', sensor('a'));
    await until(() => expect(sink.devices.size).toBe(1));
    expect([...sink.devices.keys()]).toEqual(['d1']);
  });
});

test('messages in another encoding and of raw bytes are read from the wire and sent on it', async () => {
  const { broker, sink, send, set } = await openWorld();
  const base = { dev: { ids: 'd1' }, cmd_t: 'set' };
  await send('homeassistant/text/t/config', { ...base, uniq_id: 't', name: 'Words', stat_t: 's/t', e: 'latin-1' });
  await send('homeassistant/number/n/config', {
    ...base,
    uniq_id: 'n',
    name: 'Level',
    max: 65_535,
    stat_t: 's/n',
    e: '',
    val_tpl: "{{ value | unpack('>H') }}",
    cmd_tpl: "{{ value | pack('>H') }}",
  });
  await until(() => expect(keysOf(sink, 'd1')).toEqual(['x.level', 'x.words']));
  await send('s/t', Buffer.from('Küche', 'latin1'));
  await send('s/n', Buffer.from([0x00, 0xff]));
  await until(() =>
    expect(Object.fromEntries(sink.device('d1').values)).toEqual({ 'x.words': 'Küche', 'x.level': 255 }),
  );
  const bytes: Buffer[] = [];
  broker.onPublish(({ topic, bytes: payload }) => void (topic === 'set' && bytes.push(payload)));
  await set('d1', 'x.words', 'Öl');
  await set('d1', 'x.level', 65_280);
  await until(() => expect(bytes.map((one) => one.toString('hex'))).toEqual(['d66c', 'ff00']));
  await expect(set('d1', 'x.words', '€')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
});

describe('I1: hostile publishers', () => {
  test('a template that is not understood, and a component that is not known, say so in their feature', async () => {
    const { sink, send } = await openWorld();
    await send('homeassistant/sensor/a/config', sensor('a', { val_tpl: "{{ states('sun.sun') }}" }));
    await send('homeassistant/camera/v/config', { uniq_id: 'v', dev: { ids: 'd1' } });
    await until(() =>
      expect(sink.device('d1').description.features.map(({ description }) => description)).toEqual([
        expect.stringContaining("{{ states('sun.sun') }}"),
        expect.stringContaining('camera'),
      ]),
    );
  });

  test('two messages with one unique id: the first stays', async () => {
    const { sink, send, lines } = await openWorld();
    await send('homeassistant/sensor/a/config', sensor('a'));
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['temperature']));
    await send('homeassistant/sensor/b/config', sensor('a', { dev: { ids: 'd2' } }));
    await send('homeassistant/sensor/c/config', sensor('c', { dev: { ids: 'd3' } }));
    await until(() => expect(sink.devices.has('d3')).toBe(true));
    expect(sink.devices.has('d2')).toBe(false);
    expect(lines.filter((line) => line.includes('two messages announce one entity'))).toHaveLength(1);
  });

  test('a message takes over what it announced second, once the first is removed', async () => {
    const { sink, send } = await openWorld();
    const second = {
      dev: { ids: 'd1' },
      o: { name: 'x' },
      cmps: {
        a: { p: 'sensor', ...sensor('a') },
        b: { p: 'sensor', ...sensor('b', { dev_cla: 'humidity', unit_of_meas: '%' }) },
      },
    };
    await send('homeassistant/sensor/a/config', sensor('a'));
    await send('homeassistant/device/d1/config', second);
    await send('homeassistant/sensor/c/config', sensor('a', { dev: { ids: 'd2' } }));
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['temperature', 'humidity']));
    expect(sink.devices.has('d2')).toBe(false);
    // The first says something else of the same entity: it is still its own.
    await send('homeassistant/sensor/a/config', sensor('a', { name: 'Inside' }));
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['inside.temperature', 'humidity']));
    await send('homeassistant/sensor/a/config', '');
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['temperature', 'humidity']));
    expect(sink.calls.get('removeDevice') ?? 0).toBe(0);
    await send('homeassistant/device/d1/config', '');
    await until(() => expect(keysOf(sink, 'd2')).toEqual(['temperature']));
    expect(sink.devices.has('d1')).toBe(false);
  });

  test.each<[string, unknown]>([
    ['1 MiB', { ...sensor('x'), name: 'x'.repeat(1_048_576) }],
    ['no UTF-8', Buffer.from([0x7b, 0xff, 0x7d])],
    ['no object', '[1]'],
    ['a wildcard in a command topic', { uniq_id: 'x', cmd_t: 'a/#', dev: { ids: 'bad' } }],
    [
      'ten thousand components',
      {
        dev: { ids: 'bad' },
        cmps: Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`c${at}`, { p: 'sensor' }])),
      },
    ],
    [
      'names of the prototype',
      JSON.stringify({ uniq_id: 'x' }).replace('}', ',"__proto__":{"dev":{"ids":"evil"}},"constructor":1}'),
    ],
    [
      'a template that never ends',
      sensor('x', {
        val_tpl: '{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}',
        stat_t: 's/a',
        dev: { ids: 'bad' },
      }),
    ],
  ])('%s does no harm to others', async (_what, payload) => {
    const { sink, send } = await openWorld();
    await send('homeassistant/sensor/a/config', sensor('a'));
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['temperature']));
    for (const component of ['switch', 'sensor', 'device'])
      await send(`homeassistant/${component}/bad/config`, payload);
    await send('s/a', '21');
    await until(() => expect(sink.device('d1').values.get('temperature')).toBe(21));
    expect(sink.statuses.at(-1)?.state).toBe('connected');
    expect(sink.devices.has('evil')).toBe(false);
  });

  test('a state with a byte that is no UTF-8 changes nothing', async () => {
    const { sink, send } = await openWorld();
    await send('homeassistant/sensor/a/config', { uniq_id: 'a', name: 'Words', stat_t: 's/a', dev: { ids: 'd1' } });
    await until(() => expect(keysOf(sink, 'd1')).toEqual(['x.words']));
    await send('s/a', Buffer.from([0xff]));
    await send('s/a', 'fine');
    await until(() => expect(sink.calls.get('reportValues')).toBe(1));
    expect(sink.device('d1').values.get('x.words')).toBe('fine');
  });
});
