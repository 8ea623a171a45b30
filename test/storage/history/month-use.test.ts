import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createBench } from '#test/storage/storage-harness.ts';
import { makeDevice, NOW_MS } from '#test/storage/storage-makers.ts';

const MONTH = new Date(NOW_MS).toISOString().slice(0, 7);
const NEXT_MS = Date.UTC(Number(MONTH.slice(0, 4)), Number(MONTH.slice(5)));

/** Texts that get hardly smaller, each another one. */
const noise = (seed: string): string => createHash('sha512').update(seed).digest('base64').repeat(2);

test('the month says what its file takes, and what each device and integration has of it, also after a restart', () => {
  const bench = createBench();
  const [lamp, sensor, other] = [makeDevice(1), makeDevice(2), { ...makeDevice(3), integration: 'hue' }];
  const fill = (id: string, count: number, atMs: number) =>
    Array.from({ length: count }, (_, at) => ({
      series: `${id}/note`,
      atMs: atMs + at * 1_000,
      value: noise(`${id} ${at}`),
    }));
  const first = bench.open();
  const { devices, history } = first.operations;
  devices.saveDevices([lamp, sensor, other]);
  expect(history.readMonthUse(NOW_MS)).toEqual({ bytes: 0, ofDevices: new Map(), ofIntegrations: new Map() });
  const samples = [fill(lamp.id, 400, NOW_MS), fill(sensor.id, 100, NOW_MS), fill(other.id, 50, NOW_MS)].flat();
  const hubs = [{ series: 'mode/home', atMs: NOW_MS, value: 'home' }];
  history.importSamples(
    [],
    [...samples, ...hubs].toSorted((left, right) => left.atMs - right.atMs),
  );
  history.importSamples([], fill(lamp.id, 10, NEXT_MS));
  history.seal();

  first.close();
  const { size } = statSync(join(bench.folders.state, 'history', `${MONTH}.db`));
  const again = bench.open().operations;
  const check = (): void => {
    const { bytes, ofDevices, ofIntegrations } = again.history.readMonthUse(NOW_MS);
    expect(bytes).toBe(size);
    const [ofLamp = 0, ofSensor = 0] = [lamp.id, sensor.id].map((id) => ofDevices.get(id));
    expect(ofLamp / ofSensor).toBeCloseTo(4, 0);
    expect([...ofDevices.keys()].toSorted()).toEqual([lamp.id, sensor.id, other.id].toSorted());
    expect(ofIntegrations.get(lamp.integration)).toBe(ofLamp + ofSensor);
    expect(ofIntegrations.get('hue')).toBe(ofDevices.get(other.id));
    expect([...again.history.readMonthUse(NEXT_MS).ofDevices.keys()]).toEqual([lamp.id]);
  };
  check();
  again.devices.saveDevices([{ ...sensor, removedAtMs: NOW_MS }]);
  check();
});

test('what a person deletes makes room in the month at once', () => {
  const bench = createBench();
  const lamp = makeDevice(1);
  const { devices, history } = bench.open().operations;
  devices.saveDevices([lamp]);
  const series = `${lamp.id}/note`;
  history.importSamples(
    [],
    Array.from({ length: 1_000 }, (_, at) => ({ series, atMs: NOW_MS + at * 1_000, value: noise(String(at)) })),
  );
  history.seal();
  const before = history.readMonthUse(NOW_MS);
  expect(before.bytes).toBeGreaterThan(100_000);
  history.deleteSamples([{ series, fromMs: NOW_MS, toMs: NOW_MS + 900_000 }]);
  while (history.eraseDeleted());
  const after = history.readMonthUse(NOW_MS);
  expect(after.bytes).toBeLessThan(before.bytes / 2);
  expect(after.ofDevices.get(lamp.id)).toBeLessThan((before.ofDevices.get(lamp.id) ?? 0) / 3);
});
