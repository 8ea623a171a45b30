import { expect, test } from 'vitest';
import { checkService } from '#cli/doctor/doctor.ts';
import { decodeUnitState } from '#systemd/unit-state.ts';

/** As systemd 257 prints it of the packaged unit. */
const SHOWN = {
  LoadState: 'loaded',
  ActiveState: 'active',
  SubState: 'running',
  Result: 'success',
  ExecMainStatus: '0',
  NRestarts: '0',
  StatusText: 'serving 2 addresses, 14 devices',
  UnitFileState: 'enabled',
  IPAddressAllow: 'fe80::/10 10.0.0.0/8 127.0.0.0/8 ::1/128',
  IPAddressDeny: '::/0 0.0.0.0/0',
  SocketBindAllow: 'udp5353\nSocketBindAllow=tcp80',
  SocketBindDeny: 'any',
  ReadWritePaths: '',
};

function stateOf(change: Partial<typeof SHOWN> = {}) {
  return decodeUnitState(
    Object.entries({ ...SHOWN, ...change })
      .map((pair) => pair.join('='))
      .join('\n'),
  );
}

function look(change: Partial<typeof SHOWN>): string {
  const state = stateOf(change);
  if (state === undefined) return 'no unit';
  const { level, text, advice } = checkService(state);
  return [level, text, advice].filter((part) => part !== undefined).join(' | ');
}

test.each<[string, Partial<typeof SHOWN>]>([
  ['ok | active, serving 2 addresses, 14 devices', {}],
  ['ok | active, serving 2 addresses, 14 devices; restarted 3 times since its start', { NRestarts: '3' }],
  [
    'warn | active, serving 2 addresses, 14 devices, but is not started with the machine | systemctl enable hearthd',
    { UnitFileState: 'disabled' },
  ],
  [
    'fail | failed (exit code 78) | journalctl -u hearthd.service -n 50, then systemctl restart hearthd',
    { ActiveState: 'failed', SubState: 'failed', Result: 'exit-code', ExecMainStatus: '78' },
  ],
  [
    'fail | keeps ending (watchdog), restarted 41 times | journalctl -u hearthd.service -n 50',
    { ActiveState: 'activating', SubState: 'auto-restart', Result: 'watchdog', NRestarts: '41' },
  ],
  ['warn | is stopped | systemctl start hearthd', { ActiveState: 'inactive', SubState: 'dead' }],
  [
    'warn | is stopped | systemctl enable --now hearthd',
    { ActiveState: 'inactive', SubState: 'dead', UnitFileState: 'disabled' },
  ],
  ['warn | is masked | systemctl unmask hearthd', { ActiveState: 'inactive', UnitFileState: 'masked' }],
  ['no unit', { LoadState: 'not-found' }],
])('%s', (expected, change) => {
  expect(look(change)).toBe(expected);
});

test.each([
  ['tcp80', [[80, 80]]],
  ['tcp:80', [[80, 80]]],
  ['ipv4:tcp:1-1024', [[1, 1024]]],
  ['tcp', [[0, 65_535]]],
  ['any', [[0, 65_535]]],
  ['udp5353', []],
  ['ipv6:udp:5353', []],
])('the rule %s lets these TCP ports be opened: %j', (rule, ports) => {
  expect(stateOf({ SocketBindAllow: rule })?.ports).toEqual(ports);
});

test('a unit without the sandbox allows everything', () => {
  const state = stateOf({ IPAddressDeny: '', IPAddressAllow: '', SocketBindDeny: '', SocketBindAllow: '' });
  expect(state).toMatchObject({ subnets: null, ports: null });
});
