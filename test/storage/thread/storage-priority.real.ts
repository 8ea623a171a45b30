import { readdirSync, readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createHubFolder, type HubProcess } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';

/** Field 19 of proc(5) for each thread of a process. */
function nicenesses(pid: number): number[] {
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
}

async function serve(through: readonly string[]): Promise<HubProcess> {
  const hubs = createHubFolder();
  onTestFinished(hubs.close);
  return await hubs.serve({ HEARTHD_LOG: 'debug' }, through);
}

test('S6b: the thread of the storage lets the others go first, and no other thread does', async () => {
  const hub = await serve(['nice', '-n', '2']);
  const [first, ...others] = nicenesses(hub.pid).toSorted((left, right) => left - right);
  const [last, ...usual] = others.toReversed();
  expect(last).toBe(Math.min((first ?? 0) + 5, 19));
  expect(new Set(usual)).toEqual(new Set([first]));
  expect(hub.stderr()).not.toContain('keeps the priority');
});

test.runIf(needs('root'))(
  'where the numbers in /proc are not its own, it touches no other process and says so',
  async () => {
    // The folder /proc stays that of the outer namespace.
    const hub = await serve(['unshare', '--pid', '--fork', '--kill-child']);
    const [child] = readFileSync(`/proc/${hub.pid}/task/${hub.pid}/children`, 'utf8').split(' ').map(Number);
    expect(new Set(nicenesses(child ?? 0)).size).toBe(1);
    expect(hub.stderr().match(/debug storage: the storage keeps the priority of the program/g)).toHaveLength(1);
    expect((await hub.ask('GET', '/api/v1/health')).status).toBe(200);
  },
);
