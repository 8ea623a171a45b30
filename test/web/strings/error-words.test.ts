import { expect, test } from 'vitest';
import { hub } from '#web/strings/de/hub/hub.ts';
import { hubTexts } from '#web/strings/de/hub/hub-texts.ts';
import { errorWordsIn } from '#web/strings/error-words.ts';

test.each([
  ['CONNECTION_REFUSED', 'Nothing answers at 127.0.0.1:1883', 'Unter 127.0.0.1:1883 antwortet nichts'],
  ['CONNECTION_REFUSED', 'Refused by [fd00::7]:1883.', 'Unter dieser Adresse antwortet nichts ([fd00::7]:1883)'],
  ['UNKNOWN_HOST', 'Nobody knows broker.local:8883.', 'Dieser Name hat keine Adresse (broker.local:8883)'],
  ['TIMEOUT', 'No answer came within 10 s.', 'Von dort kommt keine Antwort'],
  ['NEVER_HEARD_OF', 'Something new: at 12:30.', 'Something new: at 12:30.'],
])('the failure %s, "%s", keeps its address in German', (code, message, words) => {
  expect(errorWordsIn({ hub, hubTexts }, { code, message })).toBe(words);
});
