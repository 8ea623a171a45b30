import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createNotifier, type Notifier } from '#systemd/notify.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { needs } from '#test/support/machine/requires.ts';

const PID = 4711;

/** A socket of this process in the place of the one that systemd passes, and what arrives at its other end. */
async function openSocket(): Promise<{ descriptor: number; received: () => string; peer: Socket }> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-notify-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let received = '';
  const server = createServer();
  const accepted = new Promise<Socket>((resolve) => void server.once('connection', resolve));
  await new Promise<void>((resolve) => void server.listen(join(folder, 'notify'), resolve));
  const socket = connect(join(folder, 'notify'));
  const peer = await accepted;
  peer.on('data', (chunk: Buffer) => (received += chunk.toString()));
  onTestFinished(() => void server.close());
  onTestFinished(() => void socket.destroy());
  onTestFinished(() => void peer.destroy());
  const { fd } = (socket as unknown as { _handle: { fd: number } })._handle;
  return { descriptor: fd, received: () => received, peer };
}

/** Names so many descriptors that the last one is this. */
function passing(descriptor: number): Record<string, string> {
  const names = [...Array.from({ length: descriptor - 3 }, () => 'other'), 'notify'];
  return { LISTEN_PID: String(PID), LISTEN_FDS: String(names.length), LISTEN_FDNAMES: names.join(':') };
}

function create(environment: Record<string, string>): { notifier: Notifier; lines: string[] } {
  const { log, lines } = createRecordingLog();
  return { notifier: createNotifier({ environment, pid: PID, log }), lines };
}

test('a status with line ends stays one field of the message', async () => {
  const { descriptor, received } = await openSocket();
  const { notifier, lines } = create(passing(descriptor));
  expect(notifier.way).toBe('socket');
  notifier.notify({ STATUS: 'serving\nMAINPID=1\r\n\0and more', WATCHDOG: '1' });
  await expect.poll(received).toBe('STATUS=serving MAINPID=1 and more\nWATCHDOG=1');
  expect(lines).toEqual([]);
});

test('a manager that is gone is logged once and throws nothing', async () => {
  const { descriptor, peer } = await openSocket();
  const { notifier, lines } = create(passing(descriptor));
  peer.destroy();
  await expect
    .poll(() => {
      notifier.notify({ WATCHDOG: '1' });
      return lines.length;
    })
    .toBe(1);
  notifier.notify({ WATCHDOG: '1' });
  expect(lines).toEqual([expect.stringMatching(/^<3>systemd takes no message about the service \(EPIPE/)]);
});

test.each([
  ['of another process', { LISTEN_PID: '1', LISTEN_FDS: '1', LISTEN_FDNAMES: 'notify' }],
  ['of another name', { LISTEN_PID: String(PID), LISTEN_FDS: '1', LISTEN_FDNAMES: 'http' }],
  ['that was not passed', { LISTEN_PID: String(PID), LISTEN_FDS: '0', LISTEN_FDNAMES: 'notify' }],
  ['none', {}],
])('a descriptor %s is not written to', (_, environment) => {
  const { notifier } = create(environment);
  expect(notifier.way).toBe('none');
  expect(() => notifier.notify({ READY: '1' })).not.toThrow();
});

describe.runIf(needs('python3') && needs('systemd-notify'))('the program systemd-notify', () => {
  test('reports readiness and status without the descriptor, as one line', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearthd-notify-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'notify');
    const listen = `import socket
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(${JSON.stringify(path)})
print("bound", flush=True)
# The program also asks, in a message of its own, whether the first was taken.
while True:
  print(repr(s.recv(4096).decode()), flush=True)`;
    const listener = spawn('python3', ['-c', listen]);
    onTestFinished(() => void listener.kill());
    let printed = '';
    listener.stdout.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    await expect.poll(() => printed).toContain('bound');

    vi.stubEnv('NOTIFY_SOCKET', path);
    onTestFinished(() => void vi.unstubAllEnvs());
    const { notifier, lines } = create({ NOTIFY_SOCKET: path });
    expect(notifier.way).toBe('program');
    notifier.notify({ WATCHDOG: '1' });
    notifier.notify({ READY: '1', STATUS: 'serving\nMAINPID=1' });
    await expect.poll(() => printed).toContain('READY=1');
    expect(printed).toContain('STATUS=serving MAINPID=1');
    expect(lines).toEqual([]);
  });
});

test('a missing program is logged', async () => {
  vi.stubEnv('PATH', '/nowhere');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { notifier, lines } = create({ NOTIFY_SOCKET: '/run/systemd/notify' });
  notifier.notify({ READY: '1' });
  await expect.poll(() => lines).toEqual([expect.stringContaining('spawn systemd-notify ENOENT')]);
});
