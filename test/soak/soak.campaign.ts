import { describe, expect, test } from 'vitest';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';
import { runSoak, type SoakOptions } from './support/soak.ts';
import { figuresOf, writeSample, writeSoakReport } from './support/soak-report.ts';

/** As part of a campaign. `SOAK_MINUTES=60` says more: an hour of the hub is 25 s. */
const MINUTES = Number(process.env['SOAK_MINUTES'] ?? 10);
const numberOf = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const clients = numberOf('SOAK_CLIENTS', 20);
const OPTIONS: SoakOptions = {
  seconds: MINUTES * 60,
  speed: numberOf('SOAK_SPEED', 144),
  sampleEveryMs: 10_000,
  flapEveryMs: 40_000,
  devices: numberOf('SOAK_DEVICES', 50),
  changesPerS: numberOf('SOAK_CHANGES', 50),
  clients,
  neverReading: Math.ceil(clients / 10),
};
/** Enough for a leak of some 40 KB for each event client. */
const SHORT = { seconds: 30, speed: 720, sampleEveryMs: 1_500, flapEveryMs: 25_000 };
const LEAK_MB_PER_H = 600;
const TIMEOUT_MS = (OPTIONS.seconds + 300) * 1_000;
/**
 * The requirement is 1 MB/h. What clients happen to have under way moves the line by some 0.5 MB, which is 5 MB/h over
 * ten minutes and less the longer it lasts: twice that is a leak of some 2 KB for each event client.
 */
const HEAP_MB_PER_H = Math.max(1, 100 / MINUTES);
/** S6 allows 512; here what is written each hour and day, and each login, comes 144 times as often. */
const BYTES_PER_CHANGE = 1_024;

describe.skipIf(!needs('mosquitto'))('I2, X, S6: in a house with a broker that comes and goes', () => {
  test('nothing grows, nothing is lost and nothing is written while idle', { timeout: TIMEOUT_MS }, async () => {
    const result = await runSoak({ ...OPTIONS, onSample: writeSample });
    const figures = figuresOf(result);
    console.log(`${writeSoakReport(OPTIONS, result)}: ${JSON.stringify(figures)}`);
    expect(result.faults).toEqual([]);
    // The end of a session takes a number as well, but only its own clients get that event.
    expect(result.unreceived).toBeLessThanOrEqual(result.revoked);
    expect(result.received).toBeGreaterThan(result.published * 2);
    expect(result.descriptorsAfter).toBeLessThanOrEqual(result.descriptorsBefore + 2);
    expect(result.idleBytes).toBe(0);
    expect(result.hubLog).not.toContain(' error ');
    expectBelow(`memory in use over ${MINUTES} min, MB/h`, figures.heapMbPerH, HEAP_MB_PER_H);
    expectBelow('written for each change, bytes', figures.bytesPerChange, BYTES_PER_CHANGE);
  });

  test('the test finds a hub that keeps what its event clients had', { timeout: TIMEOUT_MS }, async () => {
    const result = await runSoak({ ...OPTIONS, ...SHORT, preload: 'leak.mjs' });
    const figures = figuresOf(result);
    expect(figures.heapMbPerH).toBeGreaterThan(LEAK_MB_PER_H);
  });
});
