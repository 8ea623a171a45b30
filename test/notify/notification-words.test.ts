import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Notification } from '#core/notification/notification.ts';
import { NOTIFICATION_WORDS, wordedIn } from '#notify/notification-words.ts';
import { hubTexts as german } from '#web/strings/de/hub/hub-texts.ts';
import { hubTexts as spanish } from '#web/strings/es/hub/hub-texts.ts';
import { hubTexts as french } from '#web/strings/fr/hub/hub-texts.ts';

const one = (content: Partial<Notification>): Notification =>
  ({
    title: 'Water at Sink',
    text: 'The sensor reports water.',
    source: { kind: 'hub', id: 'water' },
    ...content,
  }) as Notification;
const saidIn = (language: string | null, content: Partial<Notification> = {}): readonly string[] => {
  const { title, text } = wordedIn(language, one(content));
  return [title, text];
};

test('what the hub wrote is in its language, with the names in it', () => {
  expect(saidIn('de-AT')).toEqual(['Wasser bei Sink', 'Der Sensor meldet Wasser.']);
  for (const language of [null, 'en', 'it', 'constructor']) {
    expect(saidIn(language)).toEqual(['Water at Sink', 'The sensor reports water.']);
  }
  expect(
    saidIn('fr', {
      title: '3 more notifications from Sink',
      source: { kind: 'automation', id: 'x' } as never,
      key: 'digest:automation:x',
    })[0],
  ).toBe('3 autres notifications de Sink');
});

test('what a person or an automation wrote stays as it is', () => {
  const source = { kind: 'automation', id: 'x' } as never;
  expect(saidIn('de', { source, key: null })).toEqual(['Water at Sink', 'The sensor reports water.']);
});

describe.each([
  ['de', german],
  ['fr', french],
  ['es', spanish],
])('%s', (language, page) => {
  const table = NOTIFICATION_WORDS[language] ?? {};

  test('says the same as the page says to its readers', () => {
    for (const [english, words] of Object.entries(table)) {
      const [asked, wanted] = [english, words].map((text) => text.replaceAll('{0}', 'X').replaceAll('{1}', 'Y'));
      expect(page.text(asked ?? '')).toBe(wanted);
    }
  });

  test('has every title and text that the hub writes', () => {
    const folder = join(import.meta.dirname, '../../src/core/notification');
    const source = readdirSync(folder)
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    const said = [...source.matchAll(/(?:title|text)(?::| =) (?:error\?\.message \?\? )?(['`])(.+?)\1/g)].map(
      ([, , text = '']) => text,
    );
    expect(said.length).toBeGreaterThan(15);
    const holes = (text: string): RegExp =>
      new RegExp(
        `^${text
          .split(/\$\{[^}]*\}/)
          .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
          .join('.*')}$`,
      );
    // A digest is one of two sentences, and its text has counts only.
    const whole = said.filter((text) => !text.includes("'") && !text.includes('parts'));
    const missing = whole.filter((text) => !Object.keys(table).some((english) => holes(text).test(english)));
    expect(missing).toEqual([]);
  });
});
