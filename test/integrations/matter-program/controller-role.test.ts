import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Logger, LogLevel } from '@matter/main';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FromController } from '#integrations/matter/controller-message.ts';
import { createControllerRole } from '#integrations/matter-program/controller/controller-role.ts';
import { NotKeptError } from '#integrations/matter-program/process/hub-channel.ts';

const HOME = { interface: 'lo', address: '127.0.0.1', prefix: 32, family: 4, beside: [] } as const;
const PORT = 5_549;
const socketCount = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap').length;

/** The part of the program, with a disk that may be full. */
function openRole(kept: string | null = null) {
  Logger.level = LogLevel.FATAL;
  const disk = { text: kept, isFull: false, refusals: 0 };
  const said: FromController[] = [];
  const role = createControllerRole({
    say: (message) => void said.push(message),
    fault: () => undefined,
    keep: async (text) => {
      if (disk.isFull) {
        disk.refusals += 1;
        throw new NotKeptError();
      }
      disk.text = text;
    },
    takeKept: () => undefined,
  });
  const start = (): void =>
    role.onMessage({ type: 'start', port: PORT, addresses: [HOME], kept, about: { name: 'Home' } });
  return { role, said, disk, start };
}

test('of a start that fails, and is tried again, no socket is left', async () => {
  const other = createSocket('udp4');
  other.bind(PORT, HOME.address);
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const before = socketCount();
  const { role, said, start } = openRole();
  start();
  await vi.waitFor(() => expect(said).toMatchObject([{ type: 'failed', code: 'PORT_IN_USE' }]));
  await role.close();
  await vi.waitFor(() => expect(socketCount()).toBeLessThanOrEqual(before));
});

test('what a full disk did not take at the start is written once it has room', async () => {
  const first = openRole();
  first.start();
  await vi.waitFor(() => expect(first.said).toMatchObject([{ type: 'started' }]));
  await first.role.close();
  const { role, said, disk, start } = openRole(first.disk.text);
  onTestFinished(() => role.close());
  disk.isFull = true;
  start();
  await vi.waitFor(() => expect(said).toMatchObject([{ type: 'started' }]));
  await vi.waitFor(() => expect(disk.refusals).toBeGreaterThan(0));
  disk.isFull = false;
  disk.text = null;
  await vi.waitFor(() => expect(disk.text).not.toBeNull(), 10_000);
});
