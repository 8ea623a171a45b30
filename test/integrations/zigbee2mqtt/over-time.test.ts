import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test, vi } from 'vitest';
import type { AvailabilityState } from '#core/device/device.ts';
import { createAvailability } from '#integrations/zigbee2mqtt/availability.ts';
import { type BridgeEvent, readDeviceEntry } from '#integrations/zigbee2mqtt/bridge-message.ts';
import { createFaults } from '#integrations/zigbee2mqtt/faults.ts';
import { knownDeviceFromEntry, type KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';
import { createLinkStatus } from '#integrations/zigbee2mqtt/link-status.ts';
import { createPairing } from '#integrations/zigbee2mqtt/pairing.ts';
import { deviceEntry } from '#test/support/peers/device-definitions.ts';
import { expectBelow, readMemory } from '#test/support/machine/bounds.ts';
import { createFastTime } from '#test/support/machine/fast-time.ts';
import { runs } from '#test/support/machine/runs.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';
import { openZigbee2mqtt } from '#test/support/hub/zigbee2mqtt-harness.ts';

const HOUR_MS = 3_600_000;
const PLUG = knownDevice('Tuya/TS011F_plug_1');
const SENSOR = knownDevice('SONOFF/SNZB-02D');

function knownDevice(name: string): KnownDevice {
  const entry = readDeviceEntry(JSON.parse(JSON.stringify(deviceEntry(name))));
  if (entry === null || entry === undefined) throw new Error(`${name} is no entry`);
  return knownDeviceFromEntry(entry);
}

describe('a device without an availability topic', () => {
  const open = () => {
    const time = createManualTime();
    const devices = new Map([PLUG, SENSOR].map((device) => [device.description.externalId, device]));
    const seen = new Map<string, readonly [AvailabilityState, string | null]>();
    const availability = createAvailability({
      devices,
      monotonicMs: time.clock.monotonicMs,
      sink: { reportAvailability: (id, state, reason) => void seen.set(id, [state, reason]) },
    });
    availability.setLink(true);
    const of = (device: KnownDevice) => seen.get(device.description.externalId);
    return { time, availability, of };
  };

  test('is unknown until its first message', () => {
    const { of } = open();
    expect(of(SENSOR)).toEqual(['unknown', 'no_report']);
  });

  test('is online for 25 hours after a message; then offline on batteries, unknown on mains', async () => {
    const { time, availability, of } = open();
    for (const device of [PLUG, SENSOR]) availability.onMessage(device, 0, true);
    await time.advance(25 * HOUR_MS - 1);
    availability.review();
    expect([of(PLUG), of(SENSOR)]).toEqual([
      ['online', null],
      ['online', null],
    ]);
    await time.advance(1);
    availability.review();
    expect([of(PLUG), of(SENSOR)]).toEqual([
      ['unknown', 'no_report'],
      ['offline', 'no_report'],
    ]);
    availability.onMessage(SENSOR, 0, true);
    expect(of(SENSOR)).toEqual(['online', null]);
  });

  test('goes by the time that its message gives, which cannot be in the future', () => {
    const { availability, of } = open();
    availability.onMessage(SENSOR, 26 * HOUR_MS, true);
    expect(of(SENSOR)).toEqual(['offline', 'no_report']);
    availability.onMessage(SENSOR, -1_000 * HOUR_MS, true);
    expect(of(SENSOR)).toEqual(['online', null]);
  });
});

test('a kept "offline" gives way to a message that says it was sent just now', () => {
  const seen: string[] = [];
  const devices = new Map([[PLUG.description.externalId, PLUG]]);
  const sink = { reportAvailability: (_id: string, state: AvailabilityState) => void seen.push(state) };
  const availability = createAvailability({ devices, sink, monotonicMs: () => 0 });
  availability.setLink(true);
  availability.onAvailability(PLUG, false);
  availability.onMessage(PLUG, 0, false);
  availability.onMessage(PLUG, 120_000, true);
  expect(seen.at(-1)).toBe('offline');
  availability.onMessage(PLUG, 1_000, true);
  expect(seen.at(-1)).toBe('online');
});

describe('the state of the link', () => {
  const open = (devices = 0) => {
    const time = createManualTime();
    const sink = createRecordingSink();
    const { log, lines } = createRecordingLog();
    const count = { devices };
    const link = createLinkStatus({
      sink,
      log,
      baseTopic: 'zigbee2mqtt',
      startTimer: time.startTimer,
      monotonicMs: time.clock.monotonicMs,
      hasList: () => count.devices > 0,
      onChange: () => undefined,
    });
    return { time, link, lines, count, last: () => sink.statuses.at(-1) };
  };

  test('reports a broker without a Zigbee2MQTT', async () => {
    const { time, link, last } = open();
    link.brokerUp();
    await time.advance(9_999);
    expect(last()).toBeUndefined();
    await time.advance(1);
    expect(last()).toMatchObject({ state: 'error', code: 'BRIDGE_SILENT' });
    link.bridge(true);
    expect(last()?.state).toBe('connected');
  });

  test('reports a broker that has lost the list of devices', async () => {
    const { time, link, last, count } = open();
    link.brokerUp();
    link.bridge(true);
    link.split(true);
    expect(last()).toMatchObject({ state: 'connected', code: 'STATES_NOT_READ' });
    await time.advance(10_000);
    expect(last()).toMatchObject({ state: 'error', code: 'DEVICES_MISSING' });
    count.devices = 1;
    link.bridgeHeard();
    expect(last()?.state).toBe('connected');
    await time.advance(60_000);
    expect(last()?.state).toBe('connected');
  });

  test('is up with the first message of Zigbee2MQTT if the broker keeps no state of it', () => {
    const { link, last } = open(1);
    link.brokerUp();
    link.bridgeHeard();
    expect(last()?.state).toBe('connected');
  });

  test('is not up for late messages of an offline bridge', () => {
    const { link, last } = open(1);
    link.brokerUp();
    link.bridge(false);
    link.bridgeHeard();
    expect(last()).toMatchObject({ state: 'error', code: 'BRIDGE_OFFLINE' });
  });

  test('is logged once per loss, however often the reason changes', () => {
    const { link, lines } = open(1);
    link.brokerUp();
    link.bridge(true);
    for (const code of ['CONNECTION_LOST', 'CONNECTION_REFUSED', 'UNREACHABLE']) {
      link.brokerDown({ code, message: code });
      link.brokerDown({ code, message: code });
    }
    link.brokerUp();
    link.bridge(true);
    expect(lines.filter((line) => !line.startsWith('<7>'))).toEqual([
      '<6>connected',
      '<4>CONNECTION_LOST code=CONNECTION_LOST',
      '<6>connected',
    ]);
  });

  test('a bridge that flips without end is followed now and then, and ends in its last state', async () => {
    const { time, link, last, lines } = open(1);
    link.brokerUp();
    link.bridge(true);
    for (let second = 0; second < 60; second += 1) {
      for (let times = 0; times < 1_000; times += 1) link.bridge(times % 2 === 1);
      await time.advance(1_000);
    }
    link.bridge(false);
    await time.advance(5_000);
    expect(last()).toMatchObject({ state: 'error', code: 'BRIDGE_OFFLINE' });
    expect(lines.filter((line) => !line.startsWith('<7>')).length).toBeLessThan(30);
    link.bridge(true);
    link.stop();
    expect(time.pendingMs()).toEqual([]);
  });
});

describe('pairing', () => {
  const LAMP = '0x0000000000000001';
  const open = () => {
    const time = createManualTime();
    const sink = createRecordingSink();
    const asked: unknown[] = [];
    const requests = {
      ask: async (_request: string, payload: object) => {
        asked.push(payload);
        return {};
      },
      onResponse: () => undefined,
      fail: () => undefined,
    };
    const pairing = createPairing({ sink, requests, clock: time.clock, startTimer: time.startTimer });
    const hear = (ieeeAddress: string, said: Partial<BridgeEvent> = {}): void =>
      pairing.onEvent({
        type: 'device_joined',
        ieeeAddress,
        name: null,
        status: null,
        isSupported: null,
        model: null,
        vendor: null,
        ...said,
      });
    const interview = (status: BridgeEvent['status']): void => hear(LAMP, { type: 'device_interview', status });
    const steps = (): string[] => sink.pairing.splice(0).map(({ step }) => step);
    return { time, asked, pairing, hear, interview, steps };
  };

  test('closes when its time is over, and leaves no timer', async () => {
    const { time, asked, pairing, steps } = open();
    await pairing.open(10_000);
    expect(asked).toEqual([{ value: true, time: 254 }]);
    await time.advance(253_999);
    expect(steps()).toEqual(['opened']);
    await time.advance(1);
    expect(steps()).toEqual(['closed']);
    await pairing.open(60);
    pairing.stop();
    expect(time.pendingMs()).toEqual([]);
  });

  test('reports no device while it is closed, except events that were under way when it closed', async () => {
    const { time, pairing, hear, interview, steps } = open();
    hear(LAMP);
    interview('started');
    expect([steps(), pairing.isListening()]).toEqual([[], false]);
    await pairing.open(60);
    hear(LAMP);
    interview('started');
    await time.advance(69_000);
    hear('0x0000000000000002');
    expect(steps()).toEqual(['opened', 'device_found', 'interview_started', 'closed', 'device_found']);
    await time.advance(600_000);
    hear(LAMP);
    hear('0x0000000000000003');
    interview('successful');
    interview('failed');
    interview('started');
    expect(steps()).toEqual(['interview_done']);
  });

  test('that another program opened is open too, for as long as the bridge says', async () => {
    const { time, pairing, hear, steps } = open();
    const inMs = (ms: number): number => time.clock.wallMs() + ms;
    pairing.onPermitJoin({ isOpen: true, endMs: inMs(-1) }, true);
    pairing.onPermitJoin({ isOpen: false, endMs: null }, false);
    expect(pairing.isListening()).toBe(false);
    pairing.onPermitJoin({ isOpen: true, endMs: inMs(100_000) }, true);
    await time.advance(109_999);
    hear(LAMP);
    expect(steps()).toEqual(['device_found']);
    // The clock of the other machine may be wrong, but a fresh message is true now.
    pairing.onPermitJoin({ isOpen: true, endMs: 0 }, false);
    await time.advance(200_000);
    hear(LAMP, { name: 'Lamp' });
    pairing.onPermitJoin({ isOpen: false, endMs: null }, false);
    await time.advance(10_000);
    hear('0x0000000000000002');
    expect(steps()).toEqual(['device_found']);
  });

  test('reports each step of a device once, and at most a hundred devices', async () => {
    const { pairing, hear, interview, steps } = open();
    await pairing.open(60);
    for (let times = 0; times < 1_000; times += 1) hear(LAMP);
    for (let times = 0; times < 1_000; times += 1) interview('started');
    expect(steps()).toEqual(['opened', 'device_found', 'interview_started']);
    for (let index = 2; index < 1_000; index += 1) hear(`0x${index.toString(16).padStart(16, '0')}`);
    expect(steps()).toHaveLength(99);
    await pairing.open(0);
  });
});

test('I1: made-up senders fill neither the log nor the memory', () => {
  const { log, lines } = createRecordingLog();
  const faults = createFaults(log);
  for (let index = 0; index < 5_000; index += 1) faults.note(`sender ${index}`, 'nonsense');
  expect(faults.count()).toBe(5_000);
  expect(lines).toHaveLength(1_000);
});

test('I2: memory stays flat while the broker comes and goes', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const time = createFastTime(20);
  const { broker, sink, settled } = await openZigbee2mqtt([deviceEntry('IKEA/LED1624G9')], time);
  const flap = async (times: number): Promise<number> => {
    for (let done = 0; done < times; done += 1) {
      await broker.stop();
      await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('error'), { interval: 5 });
      await broker.start();
      await vi.waitFor(() => expect(sink.statuses.at(-1)?.state).toBe('connected'), { interval: 5 });
      sink.statuses.splice(0, sink.statuses.length - 1);
    }
    collect();
    return readMemory().heap;
  };
  const before = await flap(runs(30, 3));
  const after = await flap(runs(100, 10));
  expectBelow('more heap after as many losses again, KiB', (after - before) / 1024, 2 * 1024);
  await vi.waitFor(() => expect(broker.connections()).toBe(2));
  await settled();
});

test('two devices that swap names are not mistaken for each other while that is being saved', async () => {
  const plug = deviceEntry('Tuya/TS011F_plug_1');
  const heater = { ...plug, ieee_address: '0x00000000000000a1', friendly_name: 'Heater' };
  const pump = { ...plug, ieee_address: '0x00000000000000b2', friendly_name: 'Pump' };
  const { peer, sink, settled } = await openZigbee2mqtt([heater, pump]);
  let save = (): void => undefined;
  const saved = new Promise<boolean>((resolve) => (save = () => resolve(true)));
  vi.spyOn(sink, 'describeDevice').mockImplementation(() => saved);
  await peer.setDevices([
    { ...heater, friendly_name: 'Pump' },
    { ...pump, friendly_name: 'Heater' },
  ]);
  await settled();
  await peer.publish('Pump', { state: 'ON' });
  await settled();
  const isOn = [heater, pump].map((entry) => sink.device(entry.ieee_address).values.get('on'));
  save();
  expect(isOn).toEqual([true, undefined]);
});
