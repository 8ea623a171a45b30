import { spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { checkPort } from '#cli/doctor/doctor-port.ts';
import { needs } from '#test/support/machine/requires.ts';

/** Listens on a loopback address in this process. */
async function listen(port: number, host: string): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  onTestFinished(() => void server.close());
  return (server.address() as { port: number }).port;
}

const look = (port: number, hubPid: number | null) => checkPort({ port, file: '/etc/hearthd/hearthd.toml' }, hubPid);

test('a port of the hub alone is in order, and a free one is where no hub runs', async () => {
  const port = await listen(0, '127.0.0.1');
  await listen(port, '127.0.0.2');
  expect(look(port, process.pid)).toMatchObject({ level: 'ok', text: `${port} is held by the hub` });
  expect(look(1, null)).toMatchObject({ level: 'ok', text: '1 is free' });
  expect(look(1, process.pid)).toMatchObject({ level: 'warn' });
});

test.runIf(needs('python3'))('who has the port on another address is named, beside a hub too', async () => {
  const port = await listen(0, '127.0.0.1');
  const listener = `import socket, time
s = socket.create_server(("127.0.0.3", ${port}))
print("listening", flush=True)
time.sleep(60)`;
  const other = spawn('python3', ['-c', listener]);
  onTestFinished(() => void other.kill());
  await new Promise((resolve) => void other.stdout.once('data', resolve));
  const { level, text, advice } = look(port, process.pid);
  expect(level).toBe('fail');
  expect(text).toMatch(new RegExp(`^${port} is held by python3?[\\d.]* \\(process ${other.pid}[,)]`));
  expect(advice).toContain('or set another port in /etc/hearthd/hearthd.toml');
});
