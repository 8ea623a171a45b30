import { describe, expect, test } from 'vitest';
import type { JsonObject, JsonValue } from '#base/json.ts';
import { faultsOfAccepts } from '#core/automation/hook/accepts.ts';
import { fillTemplate, inputsNamedIn } from '#core/automation-template/fill.ts';
import { fittingDevices, readInputs } from '#core/automation-template/inputs.ts';
import { SHIPPED_TEMPLATES } from '#core/automation-template/shipped/shipped-templates.ts';
import type { Template, TemplateInput } from '#core/automation-template/template.ts';
import { inputHome } from './template-home.ts';

describe('a template', () => {
  test.each<[string, JsonObject, Record<string, JsonValue>, JsonValue]>([
    ['a value', { a: { input: 'x' } }, { x: 5 }, { a: 5 }],
    ['a member of a value', { a: { input: 'x.key' } }, { x: { device: 'd', key: 'on' } }, { a: 'on' }],
    ['nothing where there is no value', { a: { input: 'x' }, b: [1, { input: 'x' }, 2] }, {}, { b: [1, 2] }],
    ['a part with a value', { a: { with: 'x', use: 1, else: 2 } }, { x: 'y' }, { a: 1 }],
    ['the other part without', { a: { with: 'x', use: 1, else: 2 } }, { x: false }, { a: 2 }],
    [
      'parts into a list',
      { a: [0, { with: 'x', use: [1, 2] }, { with: 'y', use: 9 }] },
      { x: 1, y: [] },
      { a: [0, 1, 2] },
    ],
    [
      'a part for each value',
      {
        a: [{ each: 'x', as: 'one', use: { d: { input: 'one.device' }, n: { join: ['n', { input: 'one.number' }] } } }],
      },
      { x: [{ device: 'd' }, { device: 'e' }] },
      {
        a: [
          { d: 'd', n: 'n1' },
          { d: 'e', n: 'n2' },
        ],
      },
    ],
    [
      'names of members',
      { set: { members: [[{ input: 'x' }, { input: 'y' }]] } },
      { x: 'on', y: true },
      { set: { on: true } },
    ],
    ['plain objects as they are', { a: { input: 'x', other: 1 } }, { x: 5 }, { a: { input: 'x', other: 1 } }],
  ])('gives %s', (...[, definition, values, wanted]) => {
    expect(fillTemplate(definition, values)).toEqual(wanted);
  });

  test('that grows beyond all bounds gives nothing', () => {
    let node: JsonValue = 1;
    for (let depth = 0; depth < 8; depth += 1) node = [{ each: 'x', as: `v${depth}`, use: node }];
    expect(fillTemplate({ a: node }, { x: Array.from({ length: 50 }, (_, one) => one) })).toBeUndefined();
  });

  test('reads no member that an object has not got by itself', () => {
    expect(fillTemplate({ a: { input: 'x.constructor' } }, { x: {} })).toEqual({});
  });
});

describe('each shipped template', () => {
  test('has its own id, and there are twelve', () => {
    expect(new Set(SHIPPED_TEMPLATES.map(({ id }) => id)).size).toBe(12);
  });

  test.each(SHIPPED_TEMPLATES.map((template) => [template.id, template] as const))(
    '%s uses all of its inputs and names no others',
    (_id, { inputs, definition }) => {
      expect([...new Set(inputsNamedIn(definition))].toSorted()).toEqual(Object.keys(inputs).toSorted());
    },
  );
});

describe('the inputs of a template', () => {
  const HOME = inputHome(
    {
      lamp: { values: { on: false, brightness: 5 } },
      plug: { values: { on: true, power: 7 } },
      sensor: { values: { temperature: 20, 'left.humidity': 40, 'right.humidity': 50 } },
    },
    ['dinner'],
  );
  const LIGHTS: TemplateInput = {
    label: 'Lamps',
    kind: 'device',
    capability: 'brightness',
    writable: true,
    many: true,
  };
  const AIR: TemplateInput = { label: 'Humidity', kind: 'feature', capabilities: ['humidity'] };
  const templateWith = (inputs: Template['inputs']): Template => ({
    id: 't',
    version: 1,
    name: 'T',
    description: '',
    inputs,
    definition: {},
  });

  test('show which devices of the home fit, with the keys that fit', () => {
    expect(fittingDevices(LIGHTS, HOME.devices()).map(({ device, keys }) => [device.id, keys])).toEqual([
      ['lamp', ['brightness']],
    ]);
    expect(fittingDevices(AIR, HOME.devices()).map(({ device, keys }) => [device.id, keys])).toEqual([
      ['sensor', ['left.humidity', 'right.humidity']],
    ]);
    const measured: TemplateInput = { label: 'x', kind: 'device', capability: 'power', writable: true };
    expect(fittingDevices(measured, HOME.devices())).toEqual([]);
  });

  test('take the first feature that fits, or the one that is named', () => {
    const template = templateWith({ air: AIR });
    expect(readInputs(template, { air: 'sensor' }, HOME).values).toEqual({
      air: { device: 'sensor', key: 'left.humidity' },
    });
    const named = { device: 'sensor', key: 'right.humidity' };
    expect(readInputs(template, { air: named }, HOME).values).toEqual({ air: named });
  });

  test.each<[string, TemplateInput, JsonValue, string]>([
    ['a device that is not there', LIGHTS, ['gone'], '/inputs/x/0'],
    ['a device that cannot do it', LIGHTS, ['lamp', 'plug'], '/inputs/x/1'],
    ['one device twice', LIGHTS, ['lamp', 'lamp'], '/inputs/x'],
    ['no device', LIGHTS, [], '/inputs/x'],
    ['a device in the place of a list', LIGHTS, 'lamp', '/inputs/x'],
    ['a feature that is not there', AIR, { device: 'sensor', key: 'temperature' }, '/inputs/x'],
    ['more than a feature', AIR, { device: 'sensor', key: 'left.humidity', more: 1 }, '/inputs/x'],
    ['nothing', AIR, null, '/inputs/x'],
    ['a number that is too large', { label: 'x', kind: 'number', min: 1, max: 2 }, 3, '/inputs/x'],
    ['a text for a number', { label: 'x', kind: 'number', min: 1, max: 2 }, '1', '/inputs/x'],
    ['a time that is none', { label: 'x', kind: 'time' }, '24:00', '/inputs/x'],
    ['a day that is none', { label: 'x', kind: 'days' }, ['holiday'], '/inputs/x'],
    ['an option that is none', { label: 'x', kind: 'choice', options: ['a'] }, 'b', '/inputs/x'],
    ['a scene that is not there', { label: 'x', kind: 'scene' }, 'gone', '/inputs/x'],
    ['a number for a text', { label: 'x', kind: 'text' }, 5, '/inputs/x'],
    ['a word for yes or no', { label: 'x', kind: 'boolean' }, 'yes', '/inputs/x'],
  ])('refuse %s', (...[, input, value, pointer]) => {
    const { values, errors } = readInputs(templateWith({ x: input }), { x: value }, HOME);
    expect([values, errors.map((error) => error.pointer)]).toEqual([undefined, [pointer]]);
  });

  test('refuse names that the template has not got', () => {
    expect(readInputs(templateWith({}), { more: 1 }, HOME).errors).toMatchObject([
      { pointer: '/inputs/more', code: 'UNKNOWN' },
    ]);
  });

  test('makes no member that checks do not see, whatever the name', () => {
    const filled = fillTemplate({ accepts: { members: [['__proto__', { required: [5] }]] } }, {});
    const accepts = filled as { readonly accepts: JsonObject };
    expect(Object.keys(accepts.accepts)).toEqual(['__proto__']);
    expect(accepts.accepts['required']).toBeUndefined();
    expect(faultsOfAccepts(accepts.accepts, '/accepts')).toMatchObject([{ pointer: '/accepts/__proto__' }]);
  });
});
