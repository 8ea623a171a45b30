import { expect, test } from 'vitest';
import { openMdnsSocket } from '#lan/mdns/mdns-socket.ts';

test('N: a question from port 0, which no answer can reach, does not end the socket', async () => {
  const failures: unknown[] = [];
  const place = { interface: 'lo', family: 4, address: '127.0.0.1' } as const;
  const socket = await openMdnsSocket(place, {
    onMessage: () => undefined,
    onFailure: (cause) => void failures.push(cause),
  });
  try {
    expect(() => socket.send(Buffer.of(0), { address: '127.0.0.1', port: 0 })).not.toThrow();
    expect(failures).toEqual([expect.objectContaining({ code: 'ERR_SOCKET_BAD_PORT' })]);
  } finally {
    socket.close();
  }
});
