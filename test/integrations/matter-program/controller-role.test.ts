import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { Logger, LogLevel } from '@matter/main';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { FromController } from '#integrations/matter/controller-message.ts';
import { createControllerRole } from '#integrations/matter-program/controller/controller-role.ts';

const HOME = { interface: 'lo', address: '127.0.0.1', prefix: 32, family: 4, beside: [] } as const;
const PORT = 5_549;
const socketCount = (): number => process.getActiveResourcesInfo().filter((kind) => kind === 'UDPWrap').length;

test('of a start that fails, and is tried again, no socket is left', async () => {
  Logger.level = LogLevel.FATAL;
  const other = createSocket('udp4');
  other.bind(PORT, HOME.address);
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const before = socketCount();
  const said: FromController[] = [];
  const role = createControllerRole({
    say: (message) => void said.push(message),
    fault: () => undefined,
    keep: async () => undefined,
    takeKept: () => undefined,
  });
  role.onMessage({ type: 'start', port: PORT, addresses: [HOME], kept: null, about: { name: 'Home' } });
  await vi.waitFor(() => expect(said).toMatchObject([{ type: 'failed', code: 'PORT_IN_USE' }]));
  await role.close();
  await vi.waitFor(() => expect(socketCount()).toBeLessThanOrEqual(before));
});
