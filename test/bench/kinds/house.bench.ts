import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { expect, test, vi } from 'vitest';
import { claimHub, createHubFolder } from '#test/support/daemon/hub-process.ts';
import { type Point, slopePerS } from '#test/soak/support/slope.ts';
import { recordFigure } from '#test/bench/support/figure.ts';
import { heapMb } from '#test/bench/support/house/heap.ts';
import { startHouseOfKinds } from '#test/bench/support/house/house-of-kinds.ts';
import { UNIT_FLAGS } from '#test/bench/support/unit-flags.ts';

const FAST_TIME = pathToFileURL(join(import.meta.dirname, '../../soak/support/fast-time.mjs')).href;
/** How much faster the hub's own clocks run: five minutes of a home are 6 s. */
const SPEED = 50;
const PER_SECOND = 500;
const TICK_MS = 20;
const EVERY_MS = 5_000;
/** The events of features that the hub keeps (`src/hub/hub.ts`). */
const KEPT_EVENTS = 16_384;
const SECONDS_BEYOND = Number(process.env['SECONDS'] ?? 100);

test('what grows in a house with all kinds is the log of events, up to its bound', async () => {
  const house = await startHouseOfKinds();
  const hubs = createHubFolder();
  let ticker: NodeJS.Timeout | undefined;
  try {
    const hub = await hubs.serve({
      HEARTHD_SIMULATE: '0',
      HEARTHD_MQTT_URL: house.brokerUrl,
      NODE_OPTIONS: `${UNIT_FLAGS} --import ${FAST_TIME} ${process.env['HUB_OPTIONS'] ?? ''}`,
      SOAK_SPEED: String(SPEED),
    });
    const { access_token: token } = await claimHub(hub);
    await house.join(hub, token);
    const headers = async (): Promise<Headers> => (await hub.ask('GET', '/api/v1/device?limit=1', { token })).headers;
    const devices = async (): Promise<number> => Number((await headers()).get('x-total-count'));
    await vi.waitFor(async () => expect(await devices()).toBe(house.devices), { timeout: 60_000, interval: 500 });
    const events = async (): Promise<number> => Number((await headers()).get('event-cursor')?.split('-')[1]);
    const emptyMb = await heapMb(hub);
    let due = 0;
    ticker = setInterval(() => {
      for (due += (PER_SECOND * TICK_MS) / 1_000; due >= 1; due -= 1) house.report();
    }, TICK_MS);
    const before = await events();
    while ((await events()) < before + KEPT_EVENTS * 1.1) await wait(EVERY_MS);
    const fullMb = await heapMb(hub);
    const points: Point[] = [];
    const sinceMs = performance.now();
    for (let atS = 0; atS < SECONDS_BEYOND; atS = (performance.now() - sinceMs) / 1_000) {
      await wait(EVERY_MS);
      points.push({ atS: atS * SPEED, value: await heapMb(hub) });
    }
    const beyond = (await events()) - before - KEPT_EVENTS;
    const perHourMb = slopePerS(points) * 3_600;
    recordFigure({
      what: `heap of a house of five kinds and ${house.devices} devices, with as many events as the hub keeps`,
      hub: `${fullMb.toFixed(1)} MB, ${Math.round(((fullMb - emptyMb) * 2 ** 20) / KEPT_EVENTS)} bytes an event`,
      reference: `${emptyMb.toFixed(1)} MB before`,
      ratio: fullMb / emptyMb,
    });
    recordFigure({
      what: `the same ${beyond} events later, in an hour of the hub`,
      hub: `${perHourMb.toFixed(2)} MB more`,
      reference: '1 MB',
      ratio: perHourMb,
      target: { atMost: 1 },
    });
  } finally {
    clearInterval(ticker);
    await hubs.close();
    await house.close();
  }
});
