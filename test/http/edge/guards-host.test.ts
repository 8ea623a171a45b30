import { describe, expect, test } from 'vitest';
import { createHostGuard } from '#http/edge/guards.ts';
import { readIpAddress } from '#base/ip-address.ts';
import { isLanAddress, isLoopback } from '#lan/lan-range.ts';
import { factsOf } from '#test/support/hub/request-facts.ts';

const names = new Set(['hearthd.local', 'attic', 'attic.local', 'hub.example.net']);
const guard = createHostGuard({
  isLanLiteral: (text) => {
    const address = readIpAddress(text);
    return address !== undefined && (isLanAddress(address) || isLoopback(address));
  },
  names: () => names,
});
const codeFor = (host: string): string | undefined => guard(factsOf('Host', host))?.code;

describe('N5: the host guard', () => {
  test.each([
    'localhost',
    'localhost:8080',
    'hearthd.local',
    'HEARTHD.local:80',
    'hearthd.local.',
    'attic',
    'attic.local',
    'hub.example.net',
    'hub.home.arpa',
    'a.b.internal',
    'hub.lan:8080',
    'hub.home',
    '192.168.50.1',
    '10.1.2.3:8080',
    '169.254.3.4',
    '127.0.0.1:1',
    '[::1]',
    '[fe80::1]:8080',
    '[fe80::1%25eth0]',
    '[fe80::1%eth0]:8080',
    '[FD12::9]',
    '[::ffff:192.168.1.1]',
  ])('lets %s pass', (host) => {
    expect(codeFor(host)).toBeUndefined();
  });

  test.each([
    'rebind.attacker.example',
    'hearthd.local.attacker.example',
    '192.168.50.1.nip.io',
    'evil.local',
    'atticx.local',
    '.local',
    'lan',
    'home.arpa',
    'localhost.attacker.example',
    '8.8.8.8',
    '203.0.113.7:80',
    '100.64.0.1',
    '0.0.0.0',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '1.2.3.4.5',
    '[2001:db8::1]',
    '[::ffff:8.8.8.8]',
    '[::]',
  ])('answers 421 to %s', (host) => {
    expect(codeFor(host)).toBe('MISDIRECTED_REQUEST');
  });

  test.each([
    '',
    ' ',
    'a b',
    'user@hearthd.local',
    'http://hearthd.local',
    'hearthd.local/',
    'hearthd.local:80:80',
    'hearthd.local:port',
    'hearthd.local,evil.example',
    '[::1',
    '::1',
    '[localhost]',
    'ｌocalhost',
    'hearthd%2elocal',
    `${'a.'.repeat(200)}lan`,
  ])('answers 400 to %j', (host) => {
    expect(codeFor(host)).toBe('MALFORMED_REQUEST');
  });

  test('accepts a name as soon as it is advertised', () => {
    expect(codeFor('hearthd-2.local')).toBe('MISDIRECTED_REQUEST');
    names.add('hearthd-2.local');
    expect(codeFor('hearthd-2.local')).toBeUndefined();
  });

  test('leaves a missing field to the malformed guard', () => {
    expect(guard(factsOf())).toBeUndefined();
  });
});
