import { describe, expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { openRunningHub } from '#test/support/automation/running-hub.ts';

const OPENS = {
  allow_sensitive: ['front-door-lock'],
  triggers: [{ id: 'x', type: 'variable', variable: 'x', to: 1 }],
  steps: [{ command: { targets: { devices: ['front-door-lock'] }, set: { locked: false }, wait: 'finished' } }],
};
const acts = (automation: string, what = 'run'): JsonObject => ({
  triggers: [{ id: 'ring', type: 'hook' }],
  steps: [{ parallel: { branches: [[{ automation: { automation, do: what } }]] } }],
});
const NAMES = ['opens', 'b', 'a', 'e'];
const SCOPES = ['automation:run', 'automation:manage', 'automation:read', 'device:read', 'mode:set'] as const;

/** `opens` opens the door, `b` runs it, `a` runs `b`, and `e` enables it. */
async function openChain() {
  const hub = await openRunningHub();
  await hub.home.variables.addVariable({
    key: 'x',
    name: 'x',
    type: 'number',
    min: null,
    max: null,
    options: [],
    value: 0,
  });
  const opens = await hub.add('opens', OPENS);
  await hub.add('b', acts('opens'));
  await hub.add('a', acts('b'));
  await hub.add('e', acts('opens', 'enable'));
  const script = await hub.addToken(hub.owner.user, { scopes: [...SCOPES] });
  const bold = await hub.addToken(hub.owner.user, { scopes: [...SCOPES, 'device:control_sensitive'] });
  const asScript = (path: string, body?: JsonObject) =>
    hub.call(path, { token: script, ...(body === undefined ? {} : { body }) });
  const isLocked = () => hub.value('front-door-lock', 'locked');
  return { ...hub, opens, script, bold, asScript, isLocked };
}

describe('who may not open a door', () => {
  test('neither starts nor hooks what opens it at the end', async () => {
    const hub = await openChain();
    for (const name of NAMES) {
      expect((await hub.asScript(`POST /automation/${name}/run`)).status).toBe(403);
      if (name === 'opens') continue;
      expect((await hub.asScript(`POST /automation/${name}/hook/ring`, {})).status).toBe(403);
      expect((await hub.asScript(`PUT /automation/${name}/hook/ring/secret`)).status).toBe(403);
    }
    expect(hub.runs()).toEqual([]);
    for (const name of NAMES) {
      expect((await hub.call(`POST /automation/${name}/run`, { token: hub.bold })).status).toBe(200);
    }
  });

  test('does not enable what opens it at the end, by any of the calls that do so', async () => {
    const hub = await openChain();
    const stamp = { token: hub.script };
    const patch = { ...stamp, type: 'application/merge-patch+json' };
    for (const name of NAMES) {
      await hub.call(`POST /automation/${name}/disable`, { token: hub.owner.token });
      expect((await hub.call(`POST /automation/${name}/enable`, stamp)).status).toBe(403);
      expect((await hub.call(`PATCH /automation/${name}`, { ...patch, body: { enabled: true } })).status).toBe(403);
      expect((await hub.call(`PATCH /automation/${name}`, { ...patch, body: { labels: ['door'] } })).status).toBe(200);
      expect(hub.home.automations.find(name)?.enabled).toBe(false);
      await hub.call(`POST /automation/${name}/enable`, { token: hub.bold });
      await hub.call(`DELETE /automation/${name}`, { token: hub.owner.token });
      expect((await hub.call(`POST /automation/${name}/restore`, stamp)).status).toBe(403);
      expect((await hub.call(`POST /automation/${name}/restore`, { token: hub.bold })).status).toBe(200);
    }
  });

  test('saves nothing that runs or enables what opens it, however many come in between', async () => {
    const hub = await openChain();
    for (const step of [
      { automation: 'a', do: 'run' },
      { automation: 'a', do: 'enable' },
      { automation: 'e', do: 'run' },
    ]) {
      const body = { name: 'mine', triggers: [], steps: [{ automation: step }] };
      expect(await hub.asScript('POST /automation', body)).toMatchObject({
        status: 403,
        json: { code: 'RIGHTS_MISSING', errors: [{ pointer: '/steps/0' }] },
      });
      expect((await hub.call('POST /automation', { token: hub.bold, body })).status).toBe(201);
    }
    const body = { name: 'mine', triggers: [], steps: [{ automation: { automation: 'a', do: 'disable' } }] };
    expect((await hub.asScript('POST /automation', body)).status).toBe(201);
  });

  test('has a secret that lapses with the first step that opens it, however far down', async () => {
    const hub = await openChain();
    await hub.add('calm', { triggers: [], steps: [] });
    await hub.add('top', acts('calm'));
    const { json } = await hub.asScript('PUT /automation/top/hook/ring/secret');
    const call = () =>
      hub.fetch(
        new Request('http://hub.local/api/v1/automation/top/hook/ring', {
          method: 'POST',
          headers: { 'Hearthd-Hook': String(json['secret']), 'Content-Type': 'application/json' },
          body: '{}',
        }),
      );
    expect((await call()).status).toBe(202);
    await hub.call('PATCH /automation/calm', {
      token: hub.owner.token,
      type: 'application/merge-patch+json',
      body: { steps: [{ automation: { automation: 'a', do: 'run' } }] },
    });
    expect((await call()).status).toBe(401);
  });

  test('signs nothing that opens it: a step that runs another automation is refused once that one does', async () => {
    const hub = await openChain();
    await hub.add('calm', { triggers: [], steps: [] });
    const made = await hub.asScript('POST /automation', { name: 'mine', ...acts('calm') });
    expect(made.status).toBe(201);
    const { definition } = hub.home.automations.find('b') ?? hub.opens;
    await hub.home.automations.save(hub.home.automations.find('calm')?.id ?? hub.opens.id, {
      definition,
      signer: hub.signerOf(hub.owner),
      note: null,
    });
    await hub.call('POST /automation/mine/run', { token: hub.owner.token });
    await hub.until(() => hub.home.automations.find('mine')?.suspended !== null);
    expect(hub.isLocked()).toBe(true);
  });
});
