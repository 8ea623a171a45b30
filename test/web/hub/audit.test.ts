import { expect, test } from 'vitest';
import { AUDIT_KINDS, AUDIT_TYPES, type AuditType } from '#auth/audit/audit-entry.ts';
import type { AuditEntry } from '#web/client/api.ts';
import { AUDIT_FILTERS, auditNote, auditSentence } from '#web/hub/audit.ts';
import { hubText } from '#test/support/page/hub-text.ts';

const NAMES = new Map([['ada', 'Ada']]);

function entryOf(type: AuditType, detail: string | null = null, apiToken: string | null = null): AuditEntry {
  const at = '2026-11-21T04:06:22.000Z';
  const by = { user_id: 'ada', actor_id: null, api_token: apiToken, peer: '192.168.1.20' };
  return {
    id: '1',
    type,
    at,
    first_at: at,
    wall_at: at,
    epoch: 'a',
    count: 1,
    session: null,
    ...by,
    detail: detail === null ? null : hubText(detail),
  };
}

test('A10: the page has a sentence and exactly one filter for every type of audit entry', () => {
  const { all, ...filters } = AUDIT_FILTERS;
  expect(all).toEqual([]);
  expect(Object.values(filters).flat().toSorted()).toEqual([...AUDIT_TYPES].toSorted());
  expect(filters.refusals).toEqual(AUDIT_TYPES.filter((type) => AUDIT_KINDS[type] === 'refusal'));
  for (const type of AUDIT_TYPES) expect(auditSentence(entryOf(type), NAMES)).toMatch(/^[A-Z].* .*\.$/);
});

test.each([
  ['command.given', 'locked=false front-door', 'Ada sent a command to front-door: locked = false.'],
  ['command.given', 'locked=true,pin safe', 'Ada sent a command to safe: locked = true and pin.'],
  [
    'integration.changed',
    'zigbee2mqtt address,password',
    'Ada changed the settings of zigbee2mqtt: address and password.',
  ],
  ['integration.changed', 'zigbee2mqtt', 'Ada changed the settings of zigbee2mqtt.'],
  ['integration.added', 'hue-2', 'Ada added the integration hue-2.'],
  ['integration.removed', 'hue remove', 'Ada removed the integration hue and its devices.'],
  ['integration.removed', 'hue keep', 'Ada removed the integration hue.'],
  ['webhook.added', '192.168.1.5:1880', 'Ada added a webhook to 192.168.1.5:1880.'],
  ['device.removed', 'kitchen-lamp', 'Ada removed the device kitchen-lamp.'],
  ['user.added', 'guest', 'Ada added Ada, as Guest.'],
  ['device.marked', 'fridge not in all off, sensitive', 'Ada marked a device: fridge stays on at All off, protected.'],
] as const)('%s with %s reads: %s', (type, detail, sentence) => {
  expect(auditSentence(entryOf(type, detail), NAMES)).toBe(sentence);
});

test('the note of an entry says that it was done with an API token', () => {
  expect(auditNote(entryOf('command.given', 'locked=false door', 'token-1'))).toBe(
    'From 192.168.1.20 · with an API token',
  );
});
