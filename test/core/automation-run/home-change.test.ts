import { expect, test } from 'vitest';
import type { Engine } from '#core/automation-run/engine.ts';
import { noteHome } from '#core/automation-run/home-change.ts';
import type { HomeEvent } from '#core/event/event.ts';

const engineOf = () => ({ modes: new Map([['house', 'day']]), variables: new Map([['x', 1]]) }) as unknown as Engine;

const modeEvent = (value: string, isGone = false) =>
  ({ type: 'mode.changed', mode: { key: 'house', value }, endMs: undefined, isGone }) as HomeEvent;
const variableEvent = (value: number, revision: number, isGone = false) =>
  ({ type: 'variable.changed', variable: { key: 'x', value, revision }, isGone }) as HomeEvent;

test('a mode that is removed and made again has not changed, until somebody sets it', () => {
  const engine = engineOf();
  expect(noteHome(engine, modeEvent('day', true), null)).toEqual([]);
  expect(noteHome(engine, modeEvent('night'), null)).toEqual([]);
  expect(noteHome(engine, modeEvent('day'), null)).toMatchObject([{ from: 'night', to: 'day' }]);
});

test('a variable that is removed and made again has not changed, until somebody sets it', () => {
  const engine = engineOf();
  expect(noteHome(engine, variableEvent(1, 3, true), null)).toEqual([]);
  expect(noteHome(engine, variableEvent(2, 1), null)).toEqual([]);
  expect(noteHome(engine, variableEvent(3, 2), null)).toMatchObject([{ from: 2, to: 3 }]);
});
