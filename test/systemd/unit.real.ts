import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { EXIT } from '#cli/exit-code.ts';
import { optionOf } from '#config/option-table.ts';
import { needs } from '#test/support/machine/requires.ts';

const FILE = join(import.meta.dirname, '../../systemd/hearthd.service');
const lines = readFileSync(FILE, 'utf8').split('\n');
const directives = lines.flatMap((line, index) => {
  const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
  return key === undefined || value === undefined ? [] : [{ key, value, why: lines[index - 1] ?? '' }];
});
const valuesOf = (key: string): string[] => directives.filter((one) => one.key === key).map(({ value }) => value);

test.each(directives)('$key=$value says why', ({ why }) => {
  expect(why).toMatch(/^# \S.{9,}$/);
});

test('the restart policy never gives up, except for a configuration that only a person can mend', () => {
  expect(valuesOf('Restart')).toEqual(['always']);
  expect(valuesOf('StartLimitIntervalSec')).toEqual(['0']);
  expect(valuesOf('RestartPreventExitStatus')).toEqual([String(EXIT.config)]);
});

test('N: the kernel lets in what is private or link-local, and opens no port but those of the API, of mDNS and of Matter', () => {
  expect(valuesOf('IPAddressDeny')).toEqual(['any']);
  expect(valuesOf('IPAddressAllow').join(' ').split(' ').sort()).toEqual([
    '10.0.0.0/8',
    '169.254.0.0/16',
    '172.16.0.0/12',
    '192.168.0.0/16',
    '224.0.0.251',
    'fc00::/7',
    'fe80::/10',
    'ff02::fb',
    'localhost',
  ]);
  expect(valuesOf('SocketBindDeny')).toEqual(['any']);
  expect(valuesOf('SocketBindAllow')).toEqual([
    `tcp:${optionOf('port').installedDefault as number}`,
    'udp:5353',
    'udp:5540',
    'udp:5541',
  ]);
  expect(valuesOf('AmbientCapabilities')).toEqual(['CAP_NET_BIND_SERVICE']);
  expect(valuesOf('CapabilityBoundingSet')).toEqual(['CAP_NET_BIND_SERVICE']);
});

test('the unit has nothing that kills Node.js', () => {
  expect(valuesOf('MemoryDenyWriteExecute')).toEqual([]);
  expect(valuesOf('PrivateUsers')).toEqual([]);
  expect(valuesOf('SystemCallErrorNumber')).toEqual(['EPERM']);
});

describe.runIf(needs('systemd-analyze'))('systemd-analyze', () => {
  /** The version of the machine that builds may be older than the one that runs the unit. */
  const isNews = (line: string): boolean =>
    /^(Failed to parse service type, ignoring: notify-reload|Unknown key '(OpenFile|RestartSteps|RestartMaxDelaySec)' in section \[Service\], ignoring\.)$/.test(
      line.replace(/^\S+:\d+: /, ''),
    );

  test('finds an exposure of at most 1.5', () => {
    const { status, stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', '--threshold=15', FILE]);
    expect(`${status} ${/level for \S+: [\d.]+/.exec(stdout.toString())?.[0]}`).toMatch(/^0 level for \S+ 1\.\d$/);
  });

  test('verifies every directive', () => {
    const folder = mkdtempSync(join(tmpdir(), 'hearthd-unit-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const unit = join(folder, 'hearthd.service');
    // The manual and the program are where the package puts them, which is not here.
    const text = lines
      .filter((line) => !line.startsWith('Documentation='))
      .map((line) => line.replace(/^ExecStart=.*/, 'ExecStart=/bin/true'));
    writeFileSync(unit, text.join('\n'));
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', unit]);
    const complaints = stderr.toString().split('\n');
    expect(complaints.filter((line) => line !== '' && !isNews(line))).toEqual([]);
  });
});
