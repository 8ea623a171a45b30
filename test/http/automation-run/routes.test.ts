import { describe, expect, test, vi } from 'vitest';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import { findIdWith } from '#core/automation/registry/references.ts';
import type { JsonValue } from '#base/json.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { DARK, stepTrace, trace, TRIGGER } from '#test/core/automation-run/trace/trace-makers.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';
import { because } from '#core/automation-run/trace/run-reason.ts';

type Json = { readonly [name: string]: unknown };

function runsOf(json: Json): readonly Json[] {
  return json['runs'] as readonly Json[];
}

function idsOf(json: Json): readonly unknown[] {
  return runsOf(json).map(({ id }) => id);
}

/** A whole hub with one automation, whose motion sensor and lamp are of the simulated home. */
async function openScene() {
  // The clock of the hub stands still from here on.
  const nowMs = Date.now();
  const hub = await openWholeHub();
  const { home } = hub;
  const { automations, devices, runHistory } = home;
  const owner = await hub.addPerson('ada', 'owner');
  const read = (document: JsonValue): Definition => {
    const { definition, errors } = readDefinition(document, findIdWith(automations.findTarget));
    if (definition === undefined) throw new Error(JSON.stringify(errors));
    return definition;
  };
  const signer = { user: owner.user, via: { type: 'session', id: owner.sessionId }, signedAtMs: Date.now() } as const;
  const details = { name: 'Hall light', description: '', roomId: null, labels: [], enabled: true };
  const definition = read({
    triggers: [{ id: 'seen', type: 'feature', device: 'hallway-motion', key: 'motion', to: true }],
    steps: [{ command: { targets: { devices: ['kitchen-ceiling'] }, set: { on: true } } }],
  });
  const record = await automations.create({ ...details, definition, template: null, signer, note: null });
  const motion = devices.findDevice('hallway-motion');
  const lamp = devices.findDevice('kitchen-ceiling');
  if (motion === undefined || lamp === undefined) throw new Error('the home is not furnished');
  const trigger = { ...TRIGGER, id: 'seen', device: motion.id, atMs: nowMs };
  const put = (id: string, atMs: number, changes: Partial<AutomationRun>): void =>
    runHistory.runs.put({ ...trace(atMs, 'finished'), id, automation: record.id, trigger, ...changes });
  const script = (scopes: readonly ('automation:read' | 'device:read' | 'history:read')[]) =>
    hub.addToken(owner.user, { scopes: [...scopes] });
  return { nowMs, hub, home, owner, record, motion, lamp, put, script };
}

type Scene = Awaited<ReturnType<typeof openScene>>;

async function get({ hub, owner }: Scene, path: string, token = owner.token): Promise<Json> {
  const { status, json } = await hub.call(`GET ${path}`, { token });
  expect(status).toBe(200);
  return json;
}

describe('the runs of automations', () => {
  test('are listed newest first in pages, by outcome, time and automation, and shown whole', async () => {
    const scene = await openScene();
    const { nowMs } = scene;
    for (let at = 0; at < 5; at += 1) {
      scene.put(
        `run-${at}`,
        nowMs - 10_000 * (5 - at),
        at % 2 === 0 ? {} : { outcome: 'failed', reason: because('failed') },
      );
    }
    scene.put('other', nowMs - 1_000, { automation: 'another' as AutomationId });
    const first = await get(scene, '/automation/hall-light/run?limit=2');
    expect(idsOf(first)).toEqual(['run-4', 'run-3']);
    expect(runsOf(first)[0]).toMatchObject({
      automation: 'hall-light',
      outcome: 'finished',
      trigger: { device: 'hallway-motion', key: 'motion', from: false, value: true, quality: 'confirmed', cause: null },
    });
    const second = await get(scene, `/automation/${scene.record.id}/run?cursor=${String(first['next'])}`);
    expect(idsOf(second)).toEqual(['run-2', 'run-1', 'run-0']);
    expect(second['next']).toBeNull();
    const failed = await get(scene, `/automation_run?outcome=failed&from=${new Date(nowMs - 25_000).toISOString()}`);
    expect(idsOf(failed)).toEqual(['run-3']);
    const all = await get(scene, '/automation_run');
    expect(idsOf(all)).toEqual(['other', 'run-4', 'run-3', 'run-2', 'run-1', 'run-0']);
    const mine = await get(scene, '/automation_run?automation=hall-light&to=-15s');
    expect(runsOf(mine)).toHaveLength(4);
    expect(await get(scene, '/automation_run/run-3')).toMatchObject({
      id: 'run-3',
      outcome: 'failed',
      reason: { id: 'failed', with: {} },
      message: 'the device did not do it',
    });
  });

  test.each([
    ['/automation/no-such/run', 404],
    ['/automation/no-such/near_miss', 404],
    ['/automation/no-such/why', 404],
    ['/automation_run/no-such', 404],
    ['/automation_run?automation=no-such', 404],
    ['/automation_run?cursor=nonsense', 400],
    ['/automation_run?from=yesterday', 400],
    ['/automation_run?outcome=good', 400],
    ['/automation/hall-light/why?at=noon', 400],
    ['/automation/hall-light/why?window_s=1', 400],
  ])('%s is refused with %i', async (path, status) => {
    const { hub, owner } = await openScene();
    expect((await hub.call(`GET ${path}`, { token: owner.token })).status).toBe(status);
  });

  test('stay while their automation is in the trash', async () => {
    const scene = await openScene();
    scene.put('run', scene.nowMs, {});
    await scene.home.automations.remove(scene.record.id);
    expect(runsOf(await get(scene, '/automation/hall-light/run'))).toHaveLength(1);
  });

  test('hide values from a script that may not see devices', async () => {
    const scene = await openScene();
    const { lamp, motion } = scene;
    const operands = [
      { device: motion.id, key: 'motion', value: 'secret', quality: 'confirmed', changedAtMs: 1, unknown: null },
    ] as const;
    const conditions = [{ ...DARK, operands }];
    const command = {
      id: 'c',
      status: 'confirmed',
      evidence: 'state_report',
      results: { [lamp.id]: 'confirmed' },
    } as const;
    const steps = [
      stepTrace({
        command,
        conditions,
        values: operands,
        reason: { id: 'secret', with: { secret: lamp.id }, message: 'secret' },
      }),
    ];
    const trigger = { ...TRIGGER, device: motion.id, value: 'secret', from: 'secret', action: 'secret' };
    scene.put('run', scene.nowMs, { conditions, steps, trigger, variables: { level: 'secret' } });
    scene.home.runHistory.nearMisses.put({
      automation: scene.record.id,
      trigger: 'seen',
      device: motion.id,
      key: 'motion',
      reason: { why: 'value_is', value: 'secret' },
      atMs: scene.nowMs,
    });
    const blind = await scene.script(['automation:read']);
    const seeing = await scene.script(['automation:read', 'device:read']);
    for (const path of [
      '/automation_run/run',
      '/automation/hall-light/run',
      '/automation/hall-light/near_miss',
      '/automation/hall-light/why',
    ]) {
      const hidden = JSON.stringify(await get(scene, path, blind));
      for (const secret of ['secret', motion.id, lamp.id, motion.selector, lamp.selector])
        expect(hidden).not.toContain(secret);
      expect(hidden).toContain('"hidden":true');
      const shown = JSON.stringify(await get(scene, path, seeing));
      expect(shown).toContain(motion.selector);
      expect(shown).not.toContain('"hidden":true');
    }
  });
});

describe('why an automation did not run', () => {
  test('is answered with code, fields and sentence from near misses', async () => {
    const scene = await openScene();
    const atMs = scene.nowMs;
    const { nearMisses } = scene.home.runHistory;
    nearMisses.put({
      automation: scene.record.id,
      trigger: 'seen',
      device: scene.motion.id,
      key: 'motion',
      reason: { why: 'disabled' },
      atMs,
    });
    const why = await get(scene, '/automation/hall-light/why?window_s=60');
    expect(why).toMatchObject({
      automation: 'hall-light',
      version: 1,
      verdict: 'disabled',
      code: 'disabled',
      sentence: 'It was switched off.',
      source: 'kept',
      fields: { device: 'hallway-motion', key: 'motion', trigger: 'seen' },
    });
    expect(why['timeline']).toEqual([expect.objectContaining({ code: 'disabled', at: new Date(atMs).toISOString() })]);
    const misses = await get(scene, '/automation/hall-light/near_miss');
    expect(misses).toEqual([expect.objectContaining({ code: 'disabled', count: 1 })]);
  });

  test('asks to come back when ten such questions run or wait', async () => {
    const scene = await openScene();
    let goOn = (): void => undefined;
    const going = new Promise<[]>((resolve) => (goOn = () => resolve([])));
    const reading = vi.spyOn(scene.home.automations, 'versions').mockImplementation(() => going);
    const ask = () => scene.hub.call('GET /automation/hall-light/why', { token: scene.owner.token });
    const running = Array.from({ length: 10 }, ask);
    await expect.poll(() => reading.mock.calls.length).toBeGreaterThan(1);
    expect(await ask()).toMatchObject({ status: 503, json: { code: 'OVERLOADED' } });
    goOn();
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  });

  test('says so where nothing is kept, and before there was the automation', async () => {
    const scene = await openScene();
    expect(await get(scene, '/automation/hall-light/why?window_s=60')).toMatchObject({
      verdict: 'no_data',
      code: 'nothing_kept',
      source: 'none',
    });
    expect(await get(scene, '/automation/hall-light/why?at=-2d')).toMatchObject({
      verdict: 'no_data',
      code: 'not_there_yet',
      version: null,
    });
  });
});

test('deleting the history of a person deletes the traces that say who was at home', async () => {
  const scene = await openScene();
  const presence = { ...TRIGGER, type: 'presence', device: null, key: null, value: 'home' } as const;
  scene.put('tells', scene.nowMs - 5_000, { trigger: presence });
  scene.put('does-not', scene.nowMs - 5_000, {});
  const series = `presence/${scene.owner.user.id}`;
  const remove = (query: string) => scene.hub.call(`DELETE /history?${query}`, { token: scene.owner.token });
  expect((await remove(`series=${series}&dry_run=true`)).status).toBe(200);
  expect((await remove('series=kitchen-ceiling')).status).toBe(200);
  expect(runsOf(await get(scene, '/automation_run'))).toHaveLength(2);
  expect((await remove(`series=${series}`)).status).toBe(200);
  expect(idsOf(await get(scene, '/automation_run'))).toEqual(['does-not']);
});

test('removing an account deletes the traces that say who was at home', async () => {
  const scene = await openScene();
  const { hub, home, record, nowMs } = scene;
  const ben = await hub.addPerson('ben', 'resident');
  const presence = { ...TRIGGER, type: 'presence', device: null, key: null, value: 'home' } as const;
  scene.put('tells', nowMs - 5_000, { trigger: presence });
  scene.put('does-not', nowMs - 5_000, {});
  const miss = { automation: record.id, trigger: 't1', key: null, reason: { why: 'not_all' }, atMs: nowMs } as const;
  home.runHistory.nearMisses.put({ ...miss, device: null });
  home.runHistory.nearMisses.put({ ...miss, device: scene.motion.id });
  const { status } = await hub.call(`DELETE /user/${ben.user.id}`, { token: scene.owner.token });
  expect(status).toBe(204);
  expect(idsOf(await get(scene, '/automation_run'))).toEqual(['does-not']);
  expect(await get(scene, '/automation/hall-light/near_miss')).toHaveLength(1);
});
