import { describe, expect, test, vi } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { createAvailability } from '#integrations/zigbee2mqtt/availability.ts';
import { readDefinition } from '#integrations/zigbee2mqtt/exposes/definition.ts';
import { createFaults } from '#integrations/zigbee2mqtt/faults.ts';
import { createInventory } from '#integrations/zigbee2mqtt/inventory/inventory.ts';
import { createInventorySync } from '#integrations/zigbee2mqtt/inventory/inventory-sync.ts';
import { deviceEntry, deviceEntryTexts } from '#test/support/peers/device-definitions.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink, type RecordingSink } from '#test/support/hub/recording-sink.ts';

describe('the list of devices', () => {
  const open = (sink: RecordingSink) => {
    const time = createManualTime();
    const { log, lines } = createRecordingLog();
    const nothing = (): undefined => undefined;
    const inventory = createInventory(() => undefined);
    const { monotonicMs } = time.clock;
    const sync = createInventorySync({
      sink,
      inventory,
      availability: createAvailability({ sink, devices: inventory.devices, monotonicMs }),
      topics: {
        find: nothing,
        findNamed: nothing,
        release: () => [],
        claim: () => [],
        setTopicOf: () => '',
        getTopicOf: () => '',
        groupSetTopicOf: () => '',
      },
      traffic: {
        onMessage: nothing,
        onSetFailure: nothing,
        onSent: nothing,
        hasReported: () => false,
        reset: nothing,
        forget: nothing,
      },
      faults: createFaults(log),
      link: { subscribe: nothing },
      log,
      startTimer: time.startTimer,
      monotonicMs,
      signal: new AbortController().signal,
      onDevice: nothing,
    });
    const take = (entries: readonly unknown[]): void => sync.take(Buffer.from(JSON.stringify(entries)));
    return { time, lines, sync, take };
  };

  test('S9: is saved after a full disk once there is space again', async () => {
    const recording = createRecordingSink();
    let isFull = true;
    const { time, lines, sync, take } = open({
      ...recording,
      syncDevices: async (list) => {
        if (isFull) throw new HubError('STORAGE_FULL', 'full');
        return recording.syncDevices(list);
      },
    });
    take([deviceEntry('SONOFF/SNZB-02D')]);
    await vi.waitFor(() => expect(time.pendingMs()).toEqual([10_000]));
    await time.advance(35_000);
    isFull = false;
    await time.advance(10_000);
    await sync.idle();
    expect(recording.devices.size).toBe(1);
    expect(lines.filter((line) => line.includes('could not be saved'))).toHaveLength(1);
  });

  test('I1: that differs each time is taken only as often as the disk bears, and the last one in the end', async () => {
    const recording = createRecordingSink();
    const { time, sync, take } = open(recording);
    const entriesOf = (turn: number): unknown[] =>
      Array.from({ length: 500 }, (_, index) => ({
        ieee_address: `0x${index.toString(16).padStart(16, '0')}`,
        friendly_name: `${turn} ${index}`,
        definition: null,
      }));
    // The first twenty contain as many changes as may come at once.
    for (let turn = 0; turn < 20; turn += 1) {
      take(entriesOf(turn));
      await sync.idle();
    }
    for (let turn = 20; turn < 60; turn += 1) {
      take(entriesOf(turn));
      await time.advance(1_000);
    }
    expect(recording.calls.get('syncDevices')).toBeGreaterThan(22);
    expect(recording.calls.get('syncDevices')).toBeLessThan(30);
    await time.advance(6_000);
    await sync.idle();
    expect(recording.device('0x0000000000000001').description.name).toBe('59 1');
    expect(time.pendingMs()).toEqual([]);
  });

  const address = (index: number): string => `0x${index.toString(16).padStart(16, 'a')}`;
  const described = (index: number, exposes: unknown, more: object = {}): object => ({
    ieee_address: address(index),
    friendly_name: `Device ${index}`,
    supported: true,
    definition: { vendor: 'V', model: 'M', description: '', exposes },
    ...more,
  });
  const numeric = (index: number): object => ({ type: 'numeric', name: `n${index}`, property: `n${index}`, access: 1 });
  const many = <Item>(count: number, item: (index: number) => Item): Item[] =>
    Array.from({ length: count }, (_, at) => item(at));

  test('I1: has a device with a too large description without features, and logs that once', async () => {
    const recording = createRecordingSink();
    const { lines, sync, take } = open(recording);
    const list = [
      described(1, many(500, numeric)),
      described(2, many(501, numeric)),
      described(3, [{ type: 'enum', name: 'mode', property: 'mode', access: 1, values: many(3_000, String) }]),
      described(4, [{ type: 'enum', name: 'mode', property: 'mode', access: 1, values: many(3_001, String) }]),
      // As large as with many endpoints, bindings and scenes.
      described(5, [numeric(1)], { endpoints: 'x'.repeat(79 * 1024) }),
      described(6, [numeric(1)], { endpoints: 'x'.repeat(81 * 1024) }),
      described(7, [{ type: 'composite', name: 'c', property: 'c', features: many(500, numeric) }]),
    ];
    take(list);
    await sync.idle();
    take([...list, described(8, [])]);
    await sync.idle();
    const featuresOf = (index: number): number => recording.device(address(index)).description.features.length;
    expect([1, 2, 3, 4, 5, 6, 7].map(featuresOf)).toEqual([500, 0, 1, 0, 1, 0, 0]);
    expect(recording.device(address(6)).description).toMatchObject({ name: 'Device 6', model: 'M', type: 'other' });
    expect(lines.filter((line) => line.includes('too large')).map((line) => line.match(/0x\w+/)?.[0])).toEqual(
      [2, 4, 6, 7].map(address),
    );
  });

  test('I1: skips an entry that is larger still, and loses no other device', async () => {
    const recording = createRecordingSink();
    const { lines, sync, take } = open(recording);
    take([described(1, [numeric(1)]), described(2, [numeric(1)])]);
    await sync.idle();
    take([described(1, [numeric(1)]), described(2, [numeric(1)], { endpoints: 'x'.repeat(200 * 1024) })]);
    await sync.idle();
    expect(recording.devices.size).toBe(2);
    expect(lines.filter((line) => line.includes('cannot be read'))).toHaveLength(1);
  });

  test('has all features of each real device, also with many endpoints', async () => {
    const left = deviceEntryTexts().filter((text) => {
      const { definition } = JSON.parse(text) as { definition: unknown };
      return readDefinition(definition)?.isTooLarge !== false || text.length > 64 * 1024;
    });
    expect(left).toEqual([]);
  });
});
