import { expect, test } from 'vitest';
import type { Issuer } from '#core/cause/issuer.ts';
import type { UserId } from '#core/person/user.ts';
import { shapeFaults, valueFault, type VariableShape } from '#core/variable/variable.ts';
import { openModeHome } from '#test/core/mode/mode-home.ts';

const by: Issuer = { type: 'api_token', id: 't', userId: 'u' as UserId };
const shape = (type: VariableShape['type'], details: Partial<VariableShape> = {}): VariableShape => ({
  type,
  min: null,
  max: null,
  options: [],
  ...details,
});
const guests = { key: 'guests', name: 'Guests', value: false as unknown, ...shape('boolean') };

test.each([
  ['boolean', {}, [true, false], ['true', 1, null]],
  ['number', { min: 0, max: 10 }, [0, 10, 2.5], [-0.1, 10.1, Number.NaN, Infinity, '3', true]],
  ['string', {}, ['', 'x'.repeat(1_000)], ['x'.repeat(1_001), 1, null]],
  ['enum', { options: ['low', 'high'] }, ['low'], ['Low', '', 1]],
  ['time', {}, ['00:00', '23:59'], ['24:00', '7:30', '12:60', '12:30:00', 1230]],
] as const)('a variable of the type %s with %j takes its values and no others', (...[type, details, good, bad]) => {
  const of = shape(type, details);
  expect(good.map((value) => valueFault(of, value))).toEqual(good.map(() => undefined));
  for (const value of bad) expect(valueFault(of, value)).toMatchObject({ pointer: '/value' });
});

test.each([
  [shape('boolean', { min: 0 }), ['/min']],
  [shape('number', { min: 2, max: 1 }), ['/max']],
  [shape('string', { options: ['a'] }), ['/options']],
  [shape('enum'), ['/options']],
  [shape('enum', { options: ['a', 'a'], max: 1 }), ['/max', '/options']],
])('the shape %j has its faults named', (of, pointers) => {
  expect(shapeFaults(of).map(({ pointer }) => pointer)).toEqual(pointers);
});

test('setting a variable makes one event, which names who set it, and the value is there after a restart', async () => {
  const home = await openModeHome();
  await home.variables.addVariable(guests);
  const variable = await home.variables.setVariable('guests', { value: true, by });
  expect(await home.variables.setVariable('guests', { value: true, by })).toBe(variable);
  expect(variable).toMatchObject({ value: true, changedBy: by, revision: 2 });
  expect(home.events.map(({ type }) => type)).toEqual(['variable.changed', 'variable.changed']);
  expect((await openModeHome(home.disks)).variables.variables()).toEqual([variable]);
  await home.variables.removeVariable('guests');
  expect(home.events.at(-1)).toEqual({ type: 'variable.changed', variable, isGone: true });
});

test('limits that the present value does not fit are refused', async () => {
  const { variables } = await openModeHome();
  const level = { key: 'level', name: 'Level', value: 5, ...shape('number', { min: 0, max: 10 }) };
  await variables.addVariable(level);
  await expect(variables.changeVariable('level', { max: 4 })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  expect(await variables.changeVariable('level', { max: 5 })).toMatchObject({ max: 5, value: 5, revision: 2 });
  await expect(variables.addVariable({ ...level, key: 'other', value: 11 })).rejects.toMatchObject({
    code: 'VALIDATION_FAILED',
  });
});

test('if a home has 200 variables, no other one is added', async () => {
  const { variables } = await openModeHome();
  for (let at = 0; at < 200; at += 1) await variables.addVariable({ ...guests, key: `v${at}` });
  await expect(variables.addVariable(guests)).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
});
