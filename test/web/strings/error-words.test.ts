import { expect, test } from 'vitest';
import { failureFromError } from '#integrations/mqtt/mqtt-failure.ts';
import { errors } from '#web/strings/de/hub/hub-errors.ts';
import { hub } from '#web/strings/de/hub/hub.ts';
import { errorWordsIn } from '#web/strings/error-words.ts';
import { errors as zigbee } from '#integrations/zigbee2mqtt/words/de.ts';
import { brokerTexts } from '#words/de/broker.ts';
import { hubText } from '#test/support/page/hub-text.ts';

const german = { hub, errors, brokerTexts, ofKind: zigbee };

test.each([
  ['ECONNREFUSED', /^Unter 127\.0\.0\.1:1883 antwortet nichts: /],
  ['ENOTFOUND', /^Der Name in 127\.0\.0\.1:1883 hat keine Adresse$/],
  [3, /^Der MQTT-Broker unter 127\.0\.0\.1:1883 lehnt die Verbindung ab \(Grund 3\)$/],
])('the failure %s of a broker keeps its address in German', (code, words) => {
  const failure = failureFromError(Object.assign(new Error('it failed'), { code }), '127.0.0.1:1883');
  expect(errorWordsIn(german, { ...failure, message: hubText(failure.message) })).toMatch(words);
});

test('a kind has words of its own for its failures', () => {
  const reason = { id: 'BRIDGE_SILENT', with: { topic: 'zigbee' } };
  const message = hubText('It is silent.');
  expect(errorWordsIn(german, { code: 'BRIDGE_SILENT', message, reason })).toContain('Unter dem Topic zigbee');
  expect(errorWordsIn({ ...german, ofKind: {} }, { code: 'BRIDGE_SILENT', message })).toBe('It is silent.');
});

test.each([
  ['TIMEOUT', 'No answer came within 10 s.', 'Von dort kommt keine Antwort'],
  ['NEVER_HEARD_OF', 'Something new: at 12:30.', 'Something new: at 12:30.'],
  ['valueOf', 'A word that every object has.', 'A word that every object has.'],
])('the failure %s, "%s", is found by its code', (code, message, words) => {
  expect(errorWordsIn(german, { code, message: hubText(message) })).toBe(words);
});

test('a failure that has the code of a broker’s and names no broker is not said to be one', () => {
  const failure = {
    code: 'WRONG_PASSWORD',
    message: hubText('It wants another one'),
    reason: { id: 'WRONG_PASSWORD', with: {} },
  };
  expect(errorWordsIn({ ...german, ofKind: {} }, failure)).not.toMatch(/MQTT/);
});
