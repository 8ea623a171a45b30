import { expect, test } from 'vitest';
import type { AuditEvent } from '#auth/audit/audit-entry.ts';
import { createGuardChain } from '#http/edge/guards.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { factsOf } from '#test/support/hub/request-facts.ts';

const noted: AuditEvent[] = [];
const guards = createGuardChain({
  rule: { isLanLiteral: () => false, names: () => new Set(['hub.local']), origins: [] },
  audit: { record: async (event) => void noted.push(event) },
  log: createRecordingLog().log,
  clock: { monotonicMs: () => 0 },
});

/** The codes with which the guards refuse it, in their order. */
function refusalsOf(...fields: readonly string[]): readonly string[] {
  const facts = factsOf(...fields);
  return guards.flatMap((guard) => guard(facts)?.code ?? []);
}

test('the guards check the host first, then the proxy, the origin and the form', () => {
  const fields = ['Host', 'evil.test', 'Host', 'evil.test', 'Via', '1.1 x', 'Origin', 'https://evil.test'];
  expect(refusalsOf(...fields)).toEqual([
    'MISDIRECTED_REQUEST',
    'PROXIED_REQUEST',
    'ORIGIN_REFUSED',
    'MALFORMED_REQUEST',
  ]);
});

test('A10: the audit log has the peer and code of a request that a network guard refused, and no other', () => {
  noted.length = 0;
  expect(refusalsOf('Host', 'hub.local')).toEqual([]);
  expect(refusalsOf('Host', 'hub.local', 'Host', 'hub.local')).toEqual(['MALFORMED_REQUEST']);
  expect(noted).toEqual([]);
  expect(refusalsOf('Host', 'evil.test')).toEqual(['MISDIRECTED_REQUEST']);
  expect(noted).toEqual([{ type: 'request.refused', peer: factsOf().peer, detail: 'misdirected_request' }]);
});
