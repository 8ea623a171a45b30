import { expect, test } from 'vitest';
import type { AnnouncedEntity } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { createWaitingEntities } from '#integrations/home-assistant-discovery/announced-devices.ts';

const entity = (at: number): AnnouncedEntity => ({ component: `c${at}` }) as AnnouncedEntity;

/** Topics that wait for the same entities. */
function openWaiting(topics: readonly string[], count: number) {
  const calls = { keyOf: 0 };
  const waiting = createWaitingEntities(({ component }) => {
    calls.keyOf += 1;
    return component;
  });
  const entities = Array.from({ length: count }, (_, at) => entity(at));
  for (const topic of topics) waiting.add(topic, { fingerprint: topic, about: null, entities });
  const takeAll = (): readonly (string | undefined)[] =>
    entities.map(({ component }) => waiting.takeFirst(component)?.topic);
  return { waiting, calls, takeAll };
}

test('who waited first gets all that it waited for, and the next one after that', () => {
  const { waiting, takeAll } = openWaiting(['first', 'second'], 3);
  expect(takeAll()).toEqual(['first', 'first', 'first']);
  waiting.forget('first');
  expect(takeAll()).toEqual(['second', 'second', 'second']);
  expect(takeAll()).toEqual([undefined, undefined, undefined]);
});

test('X: what is handed over costs no more for each where it is much', () => {
  const { calls, takeAll } = openWaiting(['first', 'second'], 500);
  expect(takeAll()).toHaveLength(500);
  expect(calls.keyOf).toBeLessThanOrEqual(2 * 500);
});
