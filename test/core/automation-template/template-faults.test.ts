import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { fillTemplate } from '#core/automation-template/fill.ts';
import { SHIPPED_TEMPLATES } from '#core/automation-template/shipped/shipped-templates.ts';
import { isTemplateRecord, type Template, type TemplateInput } from '#core/automation-template/template.ts';
import { refuseTemplate, stepKindsOf } from '#core/automation-template/template-faults.ts';
import { openTestTemplates } from './template-home.ts';
import { createKeyedDisk } from '#test/core/mode/mode-home.ts';
import type { OwnTemplate } from '#core/automation-template/template-registry.ts';

const LAMP: TemplateInput = { label: 'Lamp', kind: 'device', capability: 'on', writable: true };
const ON = { command: { targets: { devices: [{ input: 'lamp' }] }, set: { on: true } } };
const templateOf = (part: Partial<Template> = {}): Template => ({
  id: 'evening',
  version: 1,
  name: 'Evening',
  description: '',
  inputs: { lamp: LAMP },
  definition: { triggers: [{ type: 'time', at: '19:00' }], steps: [ON] },
  ...part,
});

describe('an imported template', () => {
  test.each(SHIPPED_TEMPLATES.map((template) => [template.id, template] as const))(
    'may be as %s, which comes with the hub',
    (_id, template) => {
      expect(refuseTemplate(template)).toEqual([]);
    },
  );

  test.each<[string, Partial<Template>, readonly string[]]>([
    ['names an input that it lacks', { inputs: {} }, ['/definition']],
    ['does not use one of its inputs', { inputs: { lamp: LAMP, other: LAMP } }, ['/inputs/other']],
    [
      'has a usual value that its own input would refuse',
      { inputs: { lamp: LAMP, s: { label: 's', kind: 'number', min: 1, max: 5, default: 9 } } },
      ['/inputs/s', '/inputs/s/default'],
    ],
    ['has a device that is usual', { inputs: { lamp: { ...LAMP, default: 'mine' } } }, ['/inputs/lamp/default']],
    [
      'has a step that no automation has',
      { definition: { triggers: [], steps: [{ fly: { to: { input: 'lamp' } } }] } },
      ['/definition/steps/0/fly'],
    ],
    [
      'has a fault where an input is left out alone',
      {
        inputs: { lamp: LAMP, more: { label: 'More', kind: 'device', capability: 'on', optional: true } },
        definition: { triggers: [], steps: [ON, { with: 'more', use: ON, else: { fly: {} } }] },
      },
      ['/definition/steps/1/fly'],
    ],
    [
      'is larger than any automation',
      { definition: { triggers: [], steps: [ON, 'x'.repeat(70_000)] } },
      ['/definition'],
    ],
  ])('is refused if it %s', (...[, part, pointers]) => {
    expect(refuseTemplate(templateOf(part)).map(({ pointer }) => pointer)).toEqual(pointers);
  });

  test('says which kinds of steps it has, also those behind an input', () => {
    const notify = { notify: { severity: 'info', title: 'Hello' } };
    const definition: JsonObject = {
      triggers: [],
      steps: [{ choose: { cases: [{ if: { mode: { home: 'away' } }, then: [ON] }] } }, { with: 'say', use: notify }],
    };
    const say: TemplateInput = { label: 'Say it', kind: 'boolean', default: false };
    expect(stepKindsOf(templateOf({ inputs: { lamp: LAMP, say }, definition }))).toEqual([
      'choose',
      'command',
      'notify',
    ]);
  });

  test('makes no text again and again beyond all bounds', () => {
    const join = { join: ['x'.repeat(50_000), 'y'] };
    const each = { each: 'x', as: 'a', use: { each: 'x', as: 'b', use: join } };
    expect(fillTemplate({ a: [each] }, { x: Array.from({ length: 50 }, (_, one) => one) })).toBeUndefined();
  });
});

describe('the templates of a home', () => {
  test('are there again after a restart, and a newer version takes the place of an older one', async () => {
    const disk = createKeyedDisk<OwnTemplate>();
    const templates = await openTestTemplates(disk);
    expect(await templates.put(templateOf())).toEqual({ isNew: true });
    await expect(templates.put(templateOf({ name: 'Other' }))).rejects.toMatchObject({ code: 'NAME_TAKEN' });
    expect(await templates.put(templateOf({ version: 3, name: 'Later' }))).toEqual({ isNew: false });
    const again = await openTestTemplates(disk);
    expect(again.templates()).toEqual([templateOf({ version: 3, name: 'Later' })]);
    expect((await disk.load()).map((one) => isTemplateRecord(JSON.parse(JSON.stringify(one))))).toEqual([true]);
    await again.remove('evening');
    expect([again.find('evening'), await disk.load()]).toEqual([undefined, []]);
  });

  test('are bounded together', async () => {
    const templates = await openTestTemplates();
    const large = { triggers: [], steps: ['x'.repeat(60_000)] };
    for (let at = 0; at < 17; at += 1) await templates.put(templateOf({ id: `t${at}`, definition: large }));
    await expect(templates.put(templateOf({ id: 'last', definition: large }))).rejects.toMatchObject({
      code: 'LIMIT_REACHED',
    });
    expect(templates.templates()).toHaveLength(17);
  });
});
