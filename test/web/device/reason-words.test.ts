import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isSilent, reasonWords } from '#web/device/reason-words.ts';
import { page as german } from '#web/strings/de/page.ts';

const INTEGRATIONS = join(import.meta.dirname, '../../../src/integrations');
/** A state with its reason, as integrations write it; `offline` stands in other lists too. */
const REASON =
  /\[?'(?:offline|unknown|asleep)', '([a-z]+(?:_[a-z]+)*)'|state: '(?:offline|unknown|asleep)', reason: '([a-z_]+)'/g;
const NO_REASONS = new Set(['absent', 'main', 'matched', 'none', 'online', 'unavailable', 'unknown']);

const said = new Set(
  readdirSync(INTEGRATIONS, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(join(INTEGRATIONS, name), 'utf8').matchAll(REASON)])
    .map(([, one, other]) => one ?? other ?? ''),
);

test('every reason that an integration gives has words on the page', () => {
  const reasons = [...said].filter((reason) => !NO_REASONS.has(reason));
  expect(reasons.length).toBeGreaterThan(10);
  expect(reasons.filter((reason) => reasonWords(reason) === undefined)).toEqual([]);
  expect(reasonWords('something_new')).toBeUndefined();
});

test('what has not reported since the hub started may have done so before', () => {
  expect(reasonWords('no_report')).toContain('since the hub started');
  expect(german.device.reasons['no_report']).toContain('seit dem Start des Hubs');
});

test('a device that does not answer is called so, whatever its protocol calls it', () => {
  expect(['unreachable', 'no_answer', 'dead'].map(reasonWords)).toEqual(Array(3).fill('it is not responding'));
  expect([isSilent('dead'), isSilent('integration_down'), isSilent(null)]).toEqual([true, false, false]);
});
