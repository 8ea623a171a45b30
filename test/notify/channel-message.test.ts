import { expect, test } from 'vitest';
import type { Notification } from '#core/notification/notification.ts';
import { worded } from '#core/notification/worded.ts';
import { wordedIn } from '#notify/channel-message.ts';

const saidIn = (language: string | null, content: Partial<Notification>): readonly string[] => {
  const { title, text } = wordedIn(language, content as Notification);
  return [title, text];
};
const WATER = worded('water', { device: 'Sink' });

test('what the hub says is in its language, with the names in it', () => {
  expect(saidIn('de-AT', WATER)).toEqual(['Wasser bei Sink', 'Der Sensor meldet Wasser.']);
  for (const language of [null, 'en', 'it', 'constructor']) {
    expect(saidIn(language, WATER)).toEqual(['Water at Sink', 'The sensor reports water.']);
  }
  expect(saidIn('fr', worded('digest', { count: 3, name: 'Sink' }, '3 critical.'))).toEqual([
    '3 autres notifications de Sink',
    '3 critical.',
  ]);
});

test('a name that looks like a hole stays a name', () => {
  expect(saidIn('es', worded('gas', { device: '{device} $& {0}' }))[0]).toBe('Gas: {device} $& {0}');
});

test.each([
  ['what a person or an automation wrote', { title: 'Water at Sink', text: 'The sensor reports water.' }],
  ['what an earlier version of the hub stored', { title: 'Smoke at Sink', text: '', builtIn: 'smoke' as const }],
  ['what has an id that is gone', { title: 'Old', text: 'news', wording: { id: 'constructor', with: {} } }],
])('%s stays as it is', (_what, content) => {
  expect(saidIn('de', content)).toEqual([content.title, content.text]);
});
