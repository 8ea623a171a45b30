import { describe, expect, test } from 'vitest';
import { createCorsRule, createOriginGuard, type OriginRule } from '#http/edge/guards.ts';
import { readIpAddress } from '#base/ip-address.ts';
import { isLanAddress, isLoopback } from '#lan/lan-range.ts';
import { factsOf } from '#test/support/hub/request-facts.ts';

const rule: OriginRule = {
  isLanLiteral: (text) => {
    const address = readIpAddress(text);
    return address !== undefined && (isLanAddress(address) || isLoopback(address));
  },
  names: () => new Set(['hearthd.local', 'attic']),
  origins: ['https://panel.example', 'http://Dash.example:3000'],
};
const guard = createOriginGuard(rule);
const cors = createCorsRule(rule);
const host = ['Host', 'hub.lan:8080'];

describe('N7: the origin guard', () => {
  test.each([
    'http://hub.lan:8080',
    'http://hub.lan',
    'http://hearthd.local',
    'http://attic:8080',
    'http://localhost:5173',
    'https://localhost',
    'http://wall-tablet.local:3000',
    'http://192.168.50.9',
    'http://127.0.0.1:8080',
    'http://[fe80::1]',
    'http://[fd00::5]:8080',
    'https://panel.example',
    'http://dash.example:3000',
  ])('lets pages from %s use the hub, without credentials', (origin) => {
    const facts = factsOf(...host, 'Origin', origin, 'Sec-Fetch-Site', 'cross-site');
    expect(guard(facts)).toBeUndefined();
    const headers = cors.answerHeaders(facts);
    expect(headers['Access-Control-Allow-Origin']).toBe(origin);
    expect(headers['Vary']).toBe('Origin');
    expect(Object.keys(headers)).not.toContain('Access-Control-Allow-Credentials');
  });

  test.each([
    'null',
    '',
    '*',
    'https://attacker.example',
    'http://panel.example',
    'https://panel.example.attacker.example',
    'https://panel.example:444',
    'http://hub.lan.attacker.example',
    'http://other.lan',
    'http://local',
    'http://8.8.8.8',
    'http://[2001:db8::1]',
    'http://localhost@attacker.example',
    'http://attacker.example#.local',
    'http://attacker.example/.local',
    'file://',
    'chrome-extension://abcdef',
    'http://hub.lan:8080, http://attacker.example',
    'http://127.1',
  ])('answers 403 without a CORS field to pages from %j', (origin) => {
    const facts = factsOf(...host, 'Origin', origin);
    expect(guard(facts)?.code).toBe('ORIGIN_REFUSED');
    expect(cors.answerHeaders(facts)).toEqual({ Vary: 'Origin' });
  });

  test('does not take the name of a rebound page for a name of the hub', () => {
    const facts = factsOf('Host', 'attacker.example', 'Origin', 'http://attacker.example');
    expect(guard(facts)?.code).toBe('ORIGIN_REFUSED');
    expect(cors.answerHeaders(facts)).toEqual({ Vary: 'Origin' });
  });

  test('lets scripts pass, which send no origin', () => {
    expect(guard(factsOf(...host))).toBeUndefined();
    expect(cors.answerHeaders(factsOf(...host))).toEqual({ Vary: 'Origin' });
  });

  test.each([
    ['cross-site', 'ORIGIN_REFUSED'],
    ['same-site', undefined],
    ['same-origin', undefined],
    ['none', undefined],
  ])('with Sec-Fetch-Site: %s and no origin answers %s', (site, code) => {
    expect(guard(factsOf(...host, 'Sec-Fetch-Site', site))?.code).toBe(code);
  });

  test('grants a preflight of an allowed page all methods, the same on each path', () => {
    const ask = ['Origin', 'http://wall-tablet.local', 'Access-Control-Request-Method', 'PATCH'];
    const granted = cors.preflightHeaders(factsOf(...host, ...ask));
    expect(granted?.['Access-Control-Allow-Methods']).toContain('PATCH');
    expect(granted?.['Access-Control-Allow-Headers']).toContain('Authorization');
    expect(granted?.['Access-Control-Allow-Headers']).toContain('Hearthd-Hook');
    expect(granted?.['Access-Control-Allow-Origin']).toBe('http://wall-tablet.local');
    expect(granted).toEqual(cors.preflightHeaders({ ...factsOf(...host, ...ask), target: '/no/such/path' }));
    expect(Object.values(granted ?? {})).not.toContain('*');
  });

  test('treats an OPTIONS request without the fields of a preflight as none', () => {
    expect(cors.preflightHeaders(factsOf(...host))).toBeUndefined();
    expect(cors.preflightHeaders(factsOf(...host, 'Origin', 'http://localhost'))).toBeUndefined();
  });

  test('grants a browser on request that a configured public page may reach into the local network', () => {
    const ask = ['Origin', 'https://panel.example', 'Access-Control-Request-Method', 'GET'];
    const asking = cors.preflightHeaders(factsOf(...host, ...ask, 'Access-Control-Request-Private-Network', 'true'));
    expect(asking?.['Access-Control-Allow-Private-Network']).toBe('true');
    expect(cors.preflightHeaders(factsOf(...host, ...ask))).not.toHaveProperty('Access-Control-Allow-Private-Network');
  });
});
