import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below the range from which the kernel takes a port for a program that names none (ip_local_port_range). */
const [FIRST, LAST] = [20_000, 32_000];

/** A port for a program that cannot listen on any, or that comes back on the same one. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}
