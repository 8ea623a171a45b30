import { expect, test } from 'vitest';
import type { Notification } from '#core/notification/notification.ts';
import { worded } from '#core/notification/worded.ts';
import { wordedIn } from '#notify/channel-message.ts';

const saidIn = (language: string | null, content: Partial<Notification>): readonly string[] => {
  const { title, text } = wordedIn(language, content as Notification);
  return [title, text];
};
const OLD_DIGEST = { text: '3 critical.', wording: { id: 'digest', with: { count: 3, name: 'Sink' } } };
const WATER = worded('water', { device: 'Sink' });

test('what the hub says is in its language, with the names in it', () => {
  expect(saidIn('de-AT', WATER)).toEqual(['Wasser: Sink', 'Der Sensor meldet Wasser.']);
  for (const language of [null, 'en', 'it', 'constructor']) {
    expect(saidIn(language, WATER)).toEqual(['Water: Sink', 'The sensor reports water.']);
  }
  const counts = { count: 3, info: 0, warning: 1, critical: 2, devices: 'Tap' };
  const [title, text] = saidIn('fr', worded('digest_among', { ...counts, name: 'Sink' }));
  expect(title).toBe('3 autres notifications de Sink');
  expect(text).toMatch(/^2 critiques, 1 avertissements, 0 pour information\..* Parmi les appareils : Tap\.$/);
  const stopped = worded('automation_looped', { automation: 'Abends', for_s: 1_200 });
  expect(saidIn('de', stopped)[1]).toBe('Sie startete immer wieder. Sie pausiert 20 Minuten.');
});

test('a name that looks like a hole stays a name', () => {
  expect(saidIn('es', worded('gas', { device: '{device} $& {0}' }))[0]).toBe('Gas: {device} $& {0}');
});

test.each([
  ['what a person or an automation wrote', { title: 'Water: Sink', text: 'The sensor reports water.' }],
  ['what an earlier version of the hub stored', { title: 'Smoke: Sink', text: '', builtIn: 'smoke' as const }],
  ['what has too few values', { title: '3 weitere Mitteilungen von Sink', ...OLD_DIGEST }],
  ['what has an id that is gone', { title: 'Old', text: 'news', wording: { id: 'constructor', with: {} } }],
])('%s stays as it is', (_what, content) => {
  expect(saidIn('de', content)).toEqual([content.title, content.text]);
});
