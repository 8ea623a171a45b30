import { expect, test } from 'vitest';
import { AUDIT_KINDS, AUDIT_TYPES, type AuditType } from '#auth/audit/audit-entry.ts';
import type { AuditEntry, Device } from '#web/client/api.ts';
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
  ['command.given', 'locked=false front-door', 'Ada sent a command to front-door (locked = false).'],
  ['command.given', 'locked=true,pin safe', 'Ada sent a command to safe (locked = true and pin).'],
  [
    'integration.changed',
    'zigbee2mqtt address,password',
    'Ada changed the settings of zigbee2mqtt: address and password.',
  ],
  ['integration.changed', 'zigbee2mqtt', 'Ada changed the settings of zigbee2mqtt.'],
  ['integration.changed', 'leak lease_s,name', 'Ada changed the settings of leak: name.'],
  ['integration.added', 'hue-2', 'Ada added the integration hue-2.'],
  ['integration.removed', 'hue remove', 'Ada removed the integration hue and its devices.'],
  ['integration.removed', 'hue keep', 'Ada removed the integration hue.'],
  ['webhook.added', '192.168.1.5:1880', 'Ada added a webhook to 192.168.1.5:1880.'],
  ['device.removed', 'kitchen-lamp', 'Ada removed the device kitchen-lamp.'],
  ['automation.changed', 'porch-light', 'Ada changed the automation porch-light.'],
  ['automation.changed', 'porch-light started', 'Ada started the automation porch-light.'],
  [
    'automation.changed',
    'porch-light reverted to 3',
    'Ada went back to an earlier version of the automation porch-light.',
  ],
  ['automation.changed', 'fan replaced by fan-2', 'Ada put fan-2 in the place of fan in automations.'],
  ['automation.changed', 'template evening removed', 'Ada removed the template evening.'],
  ['automation.changed', 'all resumed', 'Ada let all automations go on.'],
  ['automation.called', 'porch-light/door by hook', 'The hook porch-light/door was called.'],
  ['history.changed', '30 days, usual bytes, 1 rules', 'Ada changed how long history is kept: 30 days and 1 rule.'],
  [
    'notification.changed',
    'water on, smoke off',
    'Ada changed notifications: “Water where there should be none” on and “Smoke” off.',
  ],
  ['user.added', 'guest', 'Ada added Ada, as Guest.'],
  ['device.marked', 'fridge not in all off, sensitive', 'Ada marked a device: fridge stays on at All off, protected.'],
] as const)('%s with %s reads: %s', (type, detail, sentence) => {
  expect(auditSentence(entryOf(type, detail), NAMES)).toBe(sentence);
});

test('what was deleted is said with its times', () => {
  const sentence = auditSentence(entryOf('history.deleted', '3 series first 2026-11-01T10:00:00.000Z'), NAMES);
  expect(sentence).toMatch(/^Ada deleted history: 3 series, until Nov 1, 2026, 10:00\sAM\.$/);
});

test('a device and an integration have their names, where the page knows them', () => {
  const lock = { key: 'locked', name: 'Locked', capability: 'locked', unit: null, step: null };
  const things = {
    device: () => ({ name: 'Front door', features: [lock] }) as unknown as Device,
    integration: (id: string) => (id === 'mqtt' ? 'MQTT broker' : undefined),
  };
  const said = (type: AuditType, detail: string) => auditSentence(entryOf(type, detail), NAMES, things);
  expect(said('command.given', 'locked=false front-door')).toBe('Ada sent a command to Front door (Unlocked).');
  expect(said('integration.removed', 'mqtt remove')).toBe(
    'Ada removed the integration MQTT\u00a0broker and its devices.',
  );
});

test('the note of an entry says that it was done with an API token', () => {
  expect(auditNote(entryOf('command.given', 'locked=false door', 'token-1'))).toBe(
    'From 192.168.1.20 · with an API token',
  );
});
