import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Logger, LogLevel } from '@matter/main';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FromController } from '#integrations/matter/controller-message.ts';
import { createControllerRole } from '#integrations/matter-program/controller/controller-role.ts';
import { NotKeptError } from '#integrations/matter-program/process/hub-channel.ts';

const HOME = { interface: 'lo', address: '127.0.0.1', prefix: 32, family: 4, beside: [] } as const;

/** A socket on a port that nobody has. */
async function takePort() {
  const socket = createSocket('udp4').bind(0, HOME.address);
  await once(socket, 'listening');
  const close = (): Promise<void> => new Promise((resolve) => void socket.close(() => resolve()));
  return { port: socket.address().port, close };
}
async function findPort(): Promise<number> {
  const { port, close } = await takePort();
  await close();
  return port;
}

const socketCount = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap').length;

/** The part of the program, with a disk that may be full. */
function openRole(port: number, kept: string | null = null) {
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
    takeAnswer: () => undefined,
  });
  const start = (): void =>
    role.onMessage({ type: 'start', port, addresses: [HOME], memory: kept, about: { name: 'Home' } });
  return { role, said, disk, start };
}

test('of a start that fails, and is tried again, no socket is left', async () => {
  const { port, close } = await takePort();
  onTestFinished(close);
  const before = socketCount();
  const { role, said, start } = openRole(port);
  start();
  await vi.waitFor(() => expect(said).toMatchObject([{ type: 'failed', code: 'PORT_IN_USE' }]));
  await role.close();
  await vi.waitFor(() => expect(socketCount()).toBeLessThanOrEqual(before));
});

test('what a full disk did not take at the start is written once it has room', async () => {
  const port = await findPort();
  const first = openRole(port);
  first.start();
  await vi.waitFor(() => expect(first.said).toMatchObject([{ type: 'started' }]));
  await first.role.close();
  const { role, said, disk, start } = openRole(port, first.disk.text);
  onTestFinished(() => role.close());
  disk.isFull = true;
  start();
  await vi.waitFor(() => expect(said).toMatchObject([{ type: 'started' }]));
  await vi.waitFor(() => expect(disk.refusals).toBeGreaterThan(0));
  disk.isFull = false;
  disk.text = null;
  await vi.waitFor(() => expect(disk.text).not.toBeNull());
});
