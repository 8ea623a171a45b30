import { expect, test } from 'vitest';
import type { Integration, IntegrationSetup, IntegrationSetupStep } from '#web/client/api.ts';
import { words as esphome } from '#integrations/esphome/words/de.ts';
import { words as hue } from '#integrations/hue/words/de.ts';
import { words as shelly } from '#integrations/shelly/words/de.ts';
import type { KindWords } from '#web/strings/en/hub/kinds.ts';
import { integrationIn, kindFault, setupIn } from '#web/strings/kind-words.ts';
import { hubText } from '#test/support/page/hub-text.ts';

const setup: IntegrationSetup = {
  id: '0198f1c2-5b7e-7c3a-9d21-6f0e8a4b2c11',
  kind: 'hue',
  status: 'running',
  step: null,
  integration: null,
  renewed: false,
  error: null,
};
const shown = (step: IntegrationSetupStep, words: KindWords) => setupIn({ ...setup, step }, words).step;
const named = (id: string, values = {}) => ({ reason: { id, with: values } });

test('a step is found by its id, and an option by its own', () => {
  expect(shown({ type: 'act', ...named('press_button'), text: hubText('Press it.') }, hue)?.text).toBe(
    'Drücke die runde Taste an der Bridge.',
  );
  const options = [{ id: 'again', title: hubText('Try again'), detail: hubText('Waits.') }];
  expect(shown({ type: 'choose', ...named('not_pressed'), text: hubText('Nobody did.'), options }, hue)).toMatchObject({
    text: 'Niemand hat innerhalb einer Minute die Taste gedrückt.',
    options: [{ id: 'again', title: 'Noch einmal versuchen' }],
  });
});

test('what stands in the holes of a step stays', () => {
  const values = { url: 'ws://192.168.1.2/x', other: 'ws://192.168.1.9/y' };
  const options = [{ id: 'write', title: hubText('Do'), detail: hubText('') }];
  const text = shown(
    { type: 'choose', ...named('offer_call_instead', values), text: hubText('It sleeps.'), options },
    shelly,
  )?.text;
  expect(text).toMatch(/^Dieses Gerät schläft .*ws:\/\/192\.168\.1\.2\/x.*ws:\/\/192\.168\.1\.9\/y/);
});

test('a form has the words of the settings, and its own where it has some', () => {
  const password = {
    type: 'secret',
    label: hubText('Password of the device'),
    hint: hubText('As it was set.'),
    advanced: false,
    optional: true,
    default: null,
  } as const;
  const form = { type: 'form', fields: { password }, values: {}, errors: [] } as const;
  const fields = [shown(form, shelly), shown({ ...form, ...named('password') }, shelly)].map((step) => step?.fields);
  expect(fields).toMatchObject([
    { password: { label: 'Passwort des Geräts', hint: 'Nur wenn am Gerät selbst eines gesetzt ist.' } },
    { password: { label: 'Passwort des Geräts', hint: 'Wie es am Gerät selbst gesetzt wurde.' } },
  ]);
});

test('a fault of a field and the failure of the whole are found by their ids', () => {
  const error = {
    pointer: '/key',
    code: 'INVALID_VALUE',
    message: hubText('is no key'),
    ...named('wrong_key'),
  } as const;
  expect(kindFault(esphome, error)).toBe('Ist nicht der Schlüssel des Knotens');
  expect(kindFault(undefined, error)).toBeUndefined();
  const failed = { code: 'node_lost', message: hubText('It is gone.'), reason: null };
  expect(setupIn({ ...setup, status: 'failed', error: failed }, esphome).error?.message).toBe(
    'Der Knoten antwortet nicht mehr.',
  );
});

test('what has no words stays as the hub says it', () => {
  expect(shown({ type: 'busy', ...named('from_tomorrow'), text: hubText('Waiting.') }, hue)?.text).toBe('Waiting.');
  expect(shown({ type: 'busy', text: hubText('Waiting.') }, hue)?.text).toBe('Waiting.');
  expect(setupIn(setup)).toBe(setup);
});

test('an integration that nobody named is called as its kind is in the language of the page', () => {
  const named = (hasOwnName: boolean) =>
    integrationIn({ kind: 'hue', name: hubText('Hue Bridge'), has_own_name: hasOwnName } as Integration, { hue }).name;
  expect([named(false), named(true)]).toEqual([hue.kind.name, 'Hue Bridge']);
});
