import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { HubError, type ProblemCode } from '#base/hub-error.ts';
import { createLog } from '#base/log.ts';
import { listenControl } from '#control/control-server.ts';
import type { AdminUser, HubAdmin } from '#control/hub-admin.ts';
import { needs } from '#test/support/machine/requires.ts';
import { BUNDLE, runHearthd, type HearthdCall, type HearthdRun } from '#test/support/daemon/run-hearthd.ts';

const ADA: AdminUser = { id: '1', email: 'ada@home', name: 'Ada\u001b[31m L.', role: 'owner' };
let folder = '';
let calls: unknown[] = [];
const undo: (() => Promise<void>)[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hearthd-cli-'));
  calls = [];
});
afterEach(async () => {
  for (const step of undo.splice(0)) await step();
  rmSync(folder, { recursive: true });
});

/** A hub that keeps what it was asked. */
async function serveHub(changes: Partial<HubAdmin> = {}): Promise<void> {
  const admin: HubAdmin = {
    claim: async () => ({ claimed: false, code: 'ABCD-EFGH' }),
    listUsers: async () => [ADA, { ...ADA, email: 'bob@home', role: 'guest', name: 'Bob' }],
    addUser: async (user) => {
      calls.push(user);
      return { id: '2', email: user.email, name: user.name, role: user.role };
    },
    setPassword: async (change) => void calls.push(change),
    removeUser: async (user) => void calls.push(user),
    makeBackup: async () => {
      writeFileSync(join(folder, 'made.backup'), 'backup');
      return { id: 'b1', path: join(folder, 'made.backup') };
    },
    readBackup: async ({ id }) => Readable.from([Buffer.from('back'), Buffer.from(`up ${id}`)]),
    restoreBackup: async (content) => {
      let text = '';
      for await (const chunk of content) text += Buffer.from(chunk).toString();
      calls.push(text);
    },
    exportHistory: async (query) => Readable.from([Buffer.from(JSON.stringify(query))]),
    importHistory: async (content, how) => {
      let text = '';
      for await (const chunk of content) text += Buffer.from(chunk).toString();
      calls.push([how, text]);
      return {
        lines: text.length,
        added: how.isDryRun ? 1 : 2,
        duplicates: how.skipUnknown ? 3 : 4,
        skipped: 5,
        series: 6,
      };
    },
    checkHistory: async ({ repairs }) =>
      Readable.from([Buffer.from('\n{"level":"ok","subject":"a","te'), Buffer.from(`xt":"repairs ${repairs}"}\n`)]),
    checkDatabase: async () => ({ level: 'ok', detail: 'sound', lastBackupAt: '2026-01-01T00:00:00.000Z' }),
    status: async () => ({
      version: '0.1.0',
      pid: process.pid,
      addresses: ['http://192.168.1.5:8080'],
      host: 'hearthd-2.local',
      conflict: { name: 'hearthd.local', holder: '192.168.1.66' },
      integrations: [{ id: 'zigbee2mqtt', state: 'error', code: 'REFUSED', error: 'the broker refused' }],
    }),
    ...changes,
  };
  const log = createLog({ level: 'error', write: () => undefined, journal: false, wallMs: () => 0 });
  const server = await listenControl({ admin: () => admin, path: join(folder, 'run/control.sock'), log });
  undo.push(server.close);
}

const run = (args: string[], call: HearthdCall = {}): Promise<HearthdRun> =>
  runHearthd([...args, '--state-dir', folder], { cwd: folder, ...call });

describe('the commands of a running hub', () => {
  test('claim prints only the code on the first line', async () => {
    await serveHub();
    expect(await run(['claim'])).toEqual({ code: 0, stdout: 'ABCD-EFGH\n', stderr: '' });
  });

  test('claim of a claimed hub says so', async () => {
    await serveHub({ claim: async () => ({ claimed: true, code: null }) });
    expect(await run(['claim'])).toMatchObject({ code: 65, stdout: '' });
  });

  test('user list gives one line per account, tabs between, nothing that moves the cursor', async () => {
    await serveHub();
    const { stdout } = await run(['user', 'list']);
    expect(stdout).toBe('ada@home\towner\tAda\\u001b[31m L.\nbob@home\tguest\tBob\n');
  });

  test.each([
    ['a pass word\n', 'a pass word'],
    ['a pass word\r\n', 'a pass word'],
    ['two\nlines\n', 'two\nlines'],
    [' ünï ', ' ünï '],
  ])('user add takes the password %j from stdin as %j', async (input, password) => {
    await serveHub();
    const added = await run(['user', 'add', 'eve@home', '--password-stdin'], { input });
    expect(added).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(calls).toEqual([{ email: 'eve@home', name: 'eve', role: 'resident', password }]);
  });

  test('user add takes name and role; user password and user remove name the person', async () => {
    await serveHub();
    await run(['user', 'add', '--role', 'admin', 'eve@home', '--name=Eve E.', '--password-stdin'], { input: 'x' });
    await run(['user', 'password', 'eve@home', '--password-stdin'], { input: 'y' });
    await run(['user', 'remove', '--yes', 'eve@home']);
    expect(calls).toEqual([
      { email: 'eve@home', name: 'Eve E.', role: 'admin', password: 'x' },
      { email: 'eve@home', password: 'y' },
      { email: 'eve@home' },
    ]);
  });

  test.each([
    [Buffer.from([0xff, 0xfe]), 'the password is not UTF-8'],
    ['x'.repeat(5000), 'the password is longer than 4096 bytes'],
  ])('bytes on stdin that cannot be a password are refused', async (input, message) => {
    await serveHub();
    const { code, stderr } = await run(['user', 'password', 'eve@home', '--password-stdin'], { input });
    expect(code).toBe(65);
    expect(stderr).toContain(message);
    expect(calls).toEqual([]);
  });

  test.each<[ProblemCode, number]>([
    ['WEAK_PASSWORD', 65],
    ['EMAIL_TAKEN', 65],
    ['LAST_OWNER', 65],
    ['NOT_FOUND', 67],
    ['STORAGE_FULL', 74],
    ['STORAGE_UNAVAILABLE', 74],
    ['OVERLOADED', 75],
    ['INTERNAL_ERROR', 70],
  ])('a refusal with %s ends with %i and its sentence', async (code, exitCode) => {
    const errors = [
      { pointer: '/email', code: 'INVALID_VALUE', message: 'is wrong', reason: { id: 'x', with: {} } },
    ] as const;
    await serveHub({ removeUser: () => Promise.reject(new HubError(code, 'this is why', { errors })) });
    const result = await run(['user', 'remove', 'x@home', '--yes']);
    expect(result).toEqual({ code: exitCode, stdout: '', stderr: 'hearthd: this is why (email is wrong)\n' });
  });

  test('backup prints the path, and copies to a file of its own that is closed to others', async () => {
    await serveHub();
    expect((await run(['backup'])).stdout).toBe(`${join(folder, 'made.backup')}\n`);
    expect(await run(['backup', 'mine.db'])).toEqual({ code: 0, stdout: `${join(folder, 'mine.db')}\n`, stderr: '' });
    expect(readFileSync(join(folder, 'mine.db'), 'utf8')).toBe('backup b1');
    expect(statSync(join(folder, 'mine.db')).mode & 0o777).toBe(0o600);
  });

  test('backup overwrites nothing, not even through a link', async () => {
    await serveHub();
    writeFileSync(join(folder, 'old.db'), 'old');
    symlinkSync('nowhere', join(folder, 'link.db'));
    const refused = await run(['backup', 'old.db']);
    expect(refused.code).toBe(73);
    expect(refused.stderr).toContain('exists already');
    expect(readFileSync(join(folder, 'old.db'), 'utf8')).toBe('old');
    expect((await run(['backup', 'link.db'])).code).toBe(73);
    expect((await run(['backup', 'no/such/folder.db'])).code).toBe(73);
  });

  test('restore sends the content of the file', async () => {
    await serveHub();
    writeFileSync(join(folder, 'b.db'), 'content');
    expect(await run(['restore', 'b.db', '--yes'])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(calls).toEqual(['content']);
  });

  test.each([
    ['none.db', 66],
    ['.', 66],
  ])('restore of %s ends with %i', async (file, code) => {
    await serveHub();
    expect((await run(['restore', file, '--yes'])).code).toBe(code);
  });

  test('the death of a hub in the middle of a call is reported as such', async () => {
    mkdirSync(join(folder, 'run'));
    const dying: Server = createServer((socket) => socket.once('data', () => socket.destroy()));
    await new Promise<void>((resolve) => void dying.listen(join(folder, 'run/control.sock'), resolve));
    undo.push(() => new Promise((resolve) => void dying.close(() => resolve())));
    const { code, stderr } = await run(['claim']);
    expect(code).toBe(69);
    expect(stderr).toMatch(/^hearthd: [^\n]+\n$/);
  });
});

describe.skipIf(!needs('script'))('the password prompt', () => {
  /** Types each answer when its question stands on a real terminal. */
  async function typeAt(
    questions: readonly (readonly [string, string])[],
  ): Promise<{ screen: string; code: number | null }> {
    const command = `${process.execPath} ${BUNDLE} user password eve@home --state-dir ${folder}`;
    const child = spawn('script', ['-qfec', command, '/dev/null'], { env: { PATH: process.env['PATH'] } });
    let screen = '';
    child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()));
    const closed = new Promise<number | null>((resolve) => void child.once('close', resolve));
    for (const [question, answer] of questions) {
      await expect.poll(() => screen).toContain(question);
      child.stdin.write(answer);
    }
    return { code: await closed, screen };
  }

  test('asks twice and shows no character of it', async () => {
    await serveHub();
    const { code, screen } = await typeAt([
      ['New password: ', 'hunter22\r'],
      ['Again: ', 'hunter22\r'],
    ]);
    expect(calls).toEqual([{ email: 'eve@home', password: 'hunter22' }]);
    expect(screen).toBe('New password: \r\nAgain: \r\n');
    expect(code).toBe(0);
  });

  test('takes no password that was typed differently the second time', async () => {
    await serveHub();
    const { code, screen } = await typeAt([
      ['New password: ', 'hunter22\r'],
      ['Again: ', 'hunter23\r'],
    ]);
    expect(screen).toContain('hearthd: the two passwords differ');
    expect([code, calls]).toEqual([65, []]);
  });

  test('ends with Ctrl-C', async () => {
    await serveHub();
    const { code, screen } = await typeAt([['New password: ', 'hunt\u0003']]);
    expect(screen).toContain('hearthd: cancelled');
    expect([code, calls]).toEqual([130, []]);
  });
});

describe('history', () => {
  test('is exported as the options say', async () => {
    await serveHub();
    const args = ['--format', 'line_protocol', '--from', '-30d', '--to', '-1d', '--series', 'a/b,mode/home'];
    const { code, stdout } = await run(['history', 'export', ...args]);
    const query = { format: 'line_protocol', from: '-30d', to: '-1d', series: ['a/b', 'mode/home'] };
    expect([code, JSON.parse(stdout)]).toEqual([0, query]);
    expect(await run(['history', 'export', '--format', 'xml'])).toMatchObject({ code: 64 });
  });

  test('is imported from standard input and from a file', async () => {
    await serveHub();
    const ran = await run(['history', 'import', '--dry-run'], { input: 'series,at,value\na,b,c\n' });
    const csv = { format: 'csv', isDryRun: true, skipUnknown: false };
    expect(ran).toEqual({
      code: 0,
      stdout: '22 samples read: 1 would be added, 4 were there, 5 of unknown series\n',
      stderr: '',
    });
    writeFileSync(join(folder, 'kept.ndjson'), '{}\n');
    const args = ['history', 'import', join(folder, 'kept.ndjson'), '--format', 'ndjson', '--skip-unknown'];
    expect(await run(args)).toMatchObject({ code: 0 });
    const ndjson = { format: 'ndjson', isDryRun: false, skipUnknown: true };
    expect(calls).toEqual([
      [csv, 'series,at,value\na,b,c\n'],
      [ndjson, '{}\n'],
    ]);
    expect(await run(['history', 'import', join(folder, 'none.csv')])).toMatchObject({ code: 66 });
    expect(await run(['history', 'import', folder])).toMatchObject({ code: 66 });
  });

  test('is imported in parts that end between two records, each with the header', async () => {
    await serveHub();
    const head = 'series,at,value,gap\r\n';
    const record = `a/b,2026-11-22T10:00:00.000Z,"${'two\nlines ""'.repeat(300)}",\r\n`;
    const whole = head + record.repeat(2_500);
    const { code } = await run(['history', 'import'], { input: whole });
    expect(code).toBe(0);
    const parts = calls.map((call) => (call as [unknown, string])[1]);
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every((part) => part.startsWith(head) && part.endsWith(record))).toBe(true);
    expect(parts.map((part, index) => (index === 0 ? part : part.slice(head.length))).join('')).toBe(whole);
    expect(Math.max(...parts.map((part) => part.length))).toBeLessThan(5_000_000);
  });

  test('names the lines of the whole where a part is refused', async () => {
    const line = '{"series":"a/b"}\n';
    const perPart = Math.ceil((4 * 1024 * 1024) / line.length);
    let count = 0;
    await serveHub({
      importHistory: async (content) => {
        for await (const _ of content) continue;
        count += 1;
        if (count === 1) return { lines: 1, added: 1, duplicates: 0, skipped: 0, series: 1 };
        const errors = [
          { pointer: '/7', code: 'INVALID_VALUE', message: 'line 7 is odd', reason: { id: 'x', with: {} } },
        ] as const;
        throw new HubError('INVALID_IMPORT', 'A line is not right.', { errors: [...errors] });
      },
    });
    const { code, stderr } = await run(['history', 'import', '--format', 'ndjson'], {
      input: line.repeat(perPart + 20),
    });
    expect(code).toBe(65);
    expect(stderr).toContain(`line ${perPart + 7} is odd`);
    expect(stderr).toContain(`before line ${perPart + 1} is imported`);
  });
});

describe('doctor', () => {
  test('says how to start an integration in safe mode again, and fails until then', async () => {
    const integrations = [{ id: 'radio', state: 'error', code: 'SAFE_MODE', error: 'The hub died twice' }];
    const status = { version: '0.1.0', pid: process.pid, addresses: [], host: null, conflict: null, integrations };
    await serveHub({ status: async () => status });
    const { code, stdout } = await run(['doctor'], { env: { HEARTHD_MQTT_URL: 'off', HEARTHD_PORT: '0' } });
    expect(stdout).toMatch(/fail {2}radio: error: The hub died twice\n +→ .*PATCH \/api\/v1\/integration\/radio/);
    expect(code).toBe(69);
  });

  test('names the port on which other homes reach a bridge', async () => {
    const fault = { code: 'PORT_IN_USE', error: 'Something else has the port' };
    const integrations = [
      { id: 'bridge', state: 'connected', code: null, error: null, udpPort: 5540 },
      { id: 'other', state: 'error', ...fault, udpPort: 5541 },
    ];
    const status = { version: '0.1.0', pid: process.pid, addresses: [], host: null, conflict: null, integrations };
    await serveHub({ status: async () => status });
    const { stdout } = await run(['doctor'], { env: { HEARTHD_MQTT_URL: 'off', HEARTHD_PORT: '0' } });
    expect(stdout).toContain('ok    bridge: connected, UDP port 5540');
    expect(stdout).toContain('warn  other: error, UDP port 5541: Something else has the port');
  });

  test.each([
    [
      'says when another machine was last heard',
      12_345,
      'ok    discovery: another machine was heard over mDNS 12 s ago',
    ],
    ['warns where none was heard', null, 'warn  discovery: no other machine was heard over mDNS since the start of'],
  ])('%s over mDNS', async (_what, lastMs, line) => {
    const status = { version: '0.1.0', pid: process.pid, addresses: [], host: null, conflict: null, integrations: [] };
    await serveHub({ status: async () => ({ ...status, mdns: { lastMs } }) });
    const { stdout } = await run(['doctor'], { env: { HEARTHD_MQTT_URL: 'off', HEARTHD_PORT: '0' } });
    expect(stdout).toContain(line);
  });

  test('prints each finding in a line and ends with 0 when nothing failed', async () => {
    await serveHub();
    chmodSync(folder, 0o700);
    const { code, stdout } = await run(['doctor'], { env: { HEARTHD_MQTT_URL: 'off', HEARTHD_PORT: '0' } });
    const lines = stdout.split('\n').filter((line) => !line.startsWith(' '));
    expect(lines.filter((line) => line !== '' && !/^(ok|warn|fail) {2,4}[^:]+: ./.test(line))).toEqual([]);
    expect(stdout).toContain('mqtt.url = none  (HEARTHD_MQTT_URL)');
    expect(stdout).toContain('ok    hub: version 0.1.0 is running');
    expect(stdout).toContain('warn  name: advertised as hearthd-2.local: 192.168.1.66 claims to be hearthd.local');
    expect(stdout).toContain('warn  zigbee2mqtt: error: the broker refused');
    expect(stdout).toContain('ok    database: sound; last backup: 2026-01-01T00:00:00.000Z');
    expect(code).toBe(0);
  });

  test('fails for a damaged database and a port that another process holds, and names it', async () => {
    await serveHub({
      checkDatabase: async () => ({ level: 'fail', detail: 'damaged', lastBackupAt: null }),
      status: async () => ({ version: '0.0.9', pid: 1, addresses: [], host: null, conflict: null, integrations: [] }),
    });
    const other = createServer();
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    undo.push(() => new Promise((resolve) => void other.close(() => resolve())));
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { code, stdout } = await run(['doctor'], { env: { HEARTHD_MQTT_URL: 'off', HEARTHD_PORT: String(port) } });
    expect(stdout).toContain('fail  database: damaged');
    expect(stdout).toMatch(new RegExp(`fail  port: ${port} is held by .* \\(process ${process.pid}\\)`));
    expect(stdout).toContain('warn  hub: version 0.0.9 is running');
    expect(code).toBe(69);
  });

  test.each([
    ['ok', 0],
    ['warn', 0],
    ['fail', 69],
  ])('reads all of the history with --history, and %s ends it with %i', async (level, code) => {
    const finding = { level, subject: 'hours', text: 'wrong', advice: 'repair', details: ['a lamp'] };
    await serveHub({ checkHistory: async () => Readable.from([Buffer.from(`\n\n${JSON.stringify(finding)}\n\n`)]) });
    const ran = await run(['doctor', '--history']);
    expect(ran).toEqual({
      code,
      stdout: `${level.padEnd(4)}  hours: wrong\n      → repair\n      a lamp\n`,
      stderr: '',
    });
  });

  test('has wrong hours made again with --repair', async () => {
    await serveHub();
    expect(await run(['doctor', '--repair'])).toMatchObject({ code: 0, stdout: 'ok    a: repairs true\n' });
  });

  test('says that the broker does not answer', async () => {
    await serveHub();
    const { stdout } = await run(['doctor'], { env: { HEARTHD_MQTT_URL: 'mqtt://127.0.0.1:1', HEARTHD_PORT: '0' } });
    expect(stdout).toContain(
      'warn  MQTT broker: mqtt://127.0.0.1:1 cannot be reached (the machine is there, the broker is not, ECONNREFUSED)',
    );
  });
});
