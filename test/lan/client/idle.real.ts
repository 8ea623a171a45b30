import { expect, test, vi } from 'vitest';
import { createTestClient, serveHttp } from '#test/support/lan/lan-world.ts';

test('a connection that waits for the next request ends after four seconds, one in use does not', async () => {
  let finish: (() => void) | undefined;
  const { url, sockets, server } = await serveHttp((request, response) => {
    if (request.url === '/slow') finish = () => void response.end('slow');
    else response.end();
  });
  server.keepAliveTimeout = 60_000;
  const { http } = createTestClient();
  // Both connections have waited before, which started the time of each.
  await Promise.all([http.request({ url }), http.request({ url })]);
  const slow = http.request({ url: `${url}/slow` });
  const open = (): number => sockets.filter(({ destroyed }) => !destroyed).length;
  expect(open()).toBe(2);
  await vi.waitFor(() => expect(open()).toBe(1), { interval: 50 });
  finish?.();
  expect(Buffer.from((await slow).body).toString()).toBe('slow');
  expect(sockets).toHaveLength(2);
});
