import { describe, expect, test } from 'vitest';
import { openWholeHub, type Person, type WholeAnswer, type WholeHub } from '#test/support/hub/whole-hub.ts';

type Input = {
  readonly kind: string;
  readonly many?: boolean;
  readonly optional?: boolean;
  readonly fits: readonly { readonly device: { readonly selector: string }; readonly keys: readonly string[] }[];
};
type Shown = { readonly id: string; readonly inputs: Record<string, Input>; readonly used_by: readonly unknown[] };

let hub: WholeHub;
let owner: Person;
let resident: Person;
const call = (line: string, body?: unknown, { token } = owner): Promise<WholeAnswer> =>
  hub.call(line, body === undefined ? { token } : { token, body });
const pointersOf = ({ json }: WholeAnswer): readonly string[] =>
  ((json['errors'] ?? []) as { pointer: string }[]).map(({ pointer }) => pointer);

async function open(): Promise<void> {
  hub = await openWholeHub();
  owner = await hub.addPerson('ada', 'owner');
  resident = await hub.addPerson('rob', 'resident');
}

describe('templates', () => {
  test('are listed, and each shows which devices of the home fit', async () => {
    await open();
    const list = (await call('GET /automation_template')).json as unknown as { id: string }[];
    expect(list).toHaveLength(12);
    const { json } = await call('GET /automation_template/motion-light');
    const { inputs } = json as unknown as Shown;
    expect(inputs['lights']?.fits.map(({ device }) => device.selector)).toContain('kitchen-ceiling');
    expect(inputs['lights']?.fits.map(({ device }) => device.selector)).not.toContain('front-door-lock');
    expect(inputs['lights']?.fits.map(({ device }) => device.selector)).not.toContain('kitchen-fridge-plug');
    expect(inputs['hold_s']?.fits).toEqual([]);
    expect((await call('GET /automation_template/none')).status).toBe(404);
  });

  test('tell what they tell in the language of the hub', async () => {
    await open();
    const titleIn = async (language: string | null): Promise<string> => {
      await call('PATCH /hub', { language });
      const { status, json } = await call('POST /automation_template/low-batteries/instantiate?dry_run=true', {});
      expect([status, json]).toEqual([200, expect.anything()]);
      return JSON.stringify(json);
    };
    expect(await titleIn(null)).toContain('Low battery: {device.name}');
    const german = await titleIn('de');
    expect(german).toContain('Batterie schwach: {device.name}');
    expect(german).not.toContain('Low battery');
  });

  test('all can be filled with the first devices of the simulated home that fit', async () => {
    await open();
    const scene = { name: 'Dinner', targets: [{ device: 'kitchen-ceiling', set: { on: true } }] };
    await call('POST /scene', scene);
    const list = (await call('GET /automation_template')).json as unknown as { id: string }[];
    const outcomes = [];
    for (const { id } of list) {
      const { inputs } = (await call(`GET /automation_template/${id}`)).json as unknown as Shown;
      const chosen = Object.entries(inputs).flatMap(([name, { kind, many, optional, fits }]) => {
        if (kind === 'scene') return optional === true ? [] : [[name, 'dinner']];
        const [first] = fits;
        if ((kind !== 'device' && kind !== 'feature') || first === undefined || optional === true) return [];
        const { selector } = first.device;
        return [[name, many === true ? [selector] : selector]];
      });
      const isPossible = Object.entries(inputs).every(
        ([, { kind, optional, fits }]) =>
          (kind !== 'device' && kind !== 'feature') || optional === true || fits.length > 0,
      );
      const filled = { inputs: Object.fromEntries(chosen) as unknown };
      const trial = await call(`POST /automation_template/${id}/instantiate?dry_run=true`, filled);
      outcomes.push([id, isPossible ? trial.status : 200, pointersOf(trial).filter(() => isPossible)]);
    }
    expect(outcomes).toEqual(list.map(({ id }) => [id, 200, []]));
    expect((await call('GET /automation')).json).toEqual([]);
  });
});

describe('an automation of a template', () => {
  test('is linked to it, is brought up to date with a look before, and is cut loose', async () => {
    await open();
    const made = await call('POST /automation_template/low-batteries/instantiate', {
      inputs: { below: 20 },
      name: 'Cells',
    });
    expect([made.status, made.json['errors']]).toEqual([201, undefined]);
    expect(made.json).toMatchObject({
      selector: 'cells',
      enabled: true,
      template: { id: 'low-batteries', version: 1, inputs: { below: 20 } },
      triggers: [{ id: 'level', below: 20 }, { id: 'flag' }],
    });
    const shown = (await call('GET /automation_template/low-batteries')).json as unknown as Shown;
    expect(shown.used_by).toMatchObject([{ automation: { selector: 'cells' }, version: 1 }]);

    const change = { inputs: { below: 10 }, automation: 'cells' };
    const trial = await call('POST /automation_template/low-batteries/instantiate?dry_run=true', change);
    expect(trial.json).toMatchObject({ differences: [{ pointer: '/triggers/0/below', from: 20, to: 10 }] });
    expect((await call('GET /automation/cells')).json).toMatchObject({ version: 1 });
    const changed = await call('POST /automation_template/low-batteries/instantiate', change);
    expect([changed.status, changed.json['version'], changed.json['name']]).toEqual([200, 2, 'Cells']);
    const other = await call('POST /automation_template/leak/instantiate', { automation: 'cells' });
    expect(other.status).toBe(404);

    expect((await call('DELETE /automation/cells/template')).status).toBe(204);
    expect((await call('GET /automation/cells')).json).toMatchObject({ template: null, version: 2 });
    expect((await call('POST /automation_template/low-batteries/instantiate', change)).status).toBe(404);
  });

  test('is refused with a pointer to the input that does not fit', async () => {
    await open();
    const path = 'POST /automation_template/motion-light/instantiate';
    const body = { inputs: { motion: ['front-door-lock'], lights: ['kitchen-ceiling'], hold_s: 1, more: 1 } };
    const refused = await call(path, body);
    expect([refused.status, pointersOf(refused).toSorted()]).toEqual([
      422,
      ['/inputs/hold_s', '/inputs/more', '/inputs/motion/0'],
    ]);
    expect(pointersOf(await call(path, {})).toSorted()).toEqual(['/inputs/lights', '/inputs/motion']);
    expect((await call(path, { inputs: {}, room: 'nowhere', enabled: 'yes' })).status).toBe(422);
  });

  test('acts with the rights of its maker, and residents change only their own', async () => {
    await open();
    const path = 'POST /automation_template/wake-up-light/instantiate';
    const inputs = { lights: ['kitchen-ceiling'] };
    const made = await call(path, { name: 'Mine', enabled: false, inputs }, resident);
    expect(made.json['errors']).toBeUndefined();
    expect([made.status, made.json['enabled']]).toEqual([201, false]);
    expect(made.json['acts_as']).toMatchObject({ user: { name: 'rob' } });
    await call(path, { name: 'Hers', inputs });
    expect((await call(path, { automation: 'hers' }, resident)).status).toBe(403);
    expect((await call('DELETE /automation/hers/template', undefined, resident)).status).toBe(403);
    const battery = await call('POST /automation_template/low-batteries/instantiate', {}, resident);
    expect([battery.status, battery.json['code']]).toEqual([403, 'RIGHTS_MISSING']);
    const guest = await hub.addPerson('gus', 'guest');
    expect((await call('GET /automation_template', undefined, guest)).status).toBe(403);
  });
});
