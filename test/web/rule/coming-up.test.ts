import { expect, test } from 'vitest';
import type { AutomationListed } from '#web/client/api.ts';
import { comingUp } from '#web/rule/coming-up.ts';

const NOW = '2026-12-01T08:00:00Z';
const at = (clock: string, day = '01') => `2026-12-${day}T${clock}:00Z`;
const rule = (id: string, nextAt: string | null, state = 'ready') =>
  ({ id, name: id, next_at: nextAt, state }) as unknown as AutomationListed;
const firing = (id: string, time: string) => ({ at: time, automation: { id, selector: id, name: id } });
const told = (rules: readonly AutomationListed[], firings: readonly ReturnType<typeof firing>[]) =>
  comingUp(rules, firings, Date.parse(NOW)).map(({ rule: { id }, times, isAll }) => [
    id,
    times.length,
    times[0],
    isAll,
  ]);

test('an automation comes once within a day, the soonest first, also one that others crowd out', () => {
  const often = ['08:15', '08:30', '08:45', '09:00'].map((clock) => firing('often', at(clock)));
  const rules = [rule('dusk', at('15:00')), rule('often', at('08:15')), rule('later', at('09:00', '02'))];
  expect(told(rules, often)).toEqual([
    ['often', 3, at('08:15'), false],
    ['dusk', 1, at('15:00'), true],
  ]);
});

test('what does not run, has no time, or comes after that day does not come up', () => {
  const rules = [rule('off', at('09:00'), 'disabled'), rule('seen', null), rule('daily', at('09:00'))];
  const firings = [firing('daily', at('09:00')), firing('daily', at('09:00', '02')), firing('off', at('09:00'))];
  expect(told(rules, firings)).toEqual([['daily', 1, at('09:00'), true]]);
});

test('of one that starts twice all times are shown, unless the hub had no room for more', () => {
  const twice = [firing('twice', at('09:00')), firing('twice', at('10:00'))];
  expect(told([rule('twice', at('09:00'))], [...twice, firing('twice', at('09:00', '03'))])).toEqual([
    ['twice', 2, at('09:00'), true],
  ]);
  expect(told([rule('twice', at('09:00'))], twice)).toEqual([['twice', 2, at('09:00'), false]]);
});
