import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { loadAuthors } from '#core/automation/registry/url-authors.ts';
import { createMayReachHub } from '#hub/automation/signers.ts';
import { openRunningHub } from '#test/support/automation/running-hub.ts';

const URL = 'http://printer.home.test:18199/x';
const request = (json: JsonObject = {}, url = URL) => ({ request: { method: 'POST', url, json } });
const asks = (json?: JsonObject, url?: string) => ({ triggers: [], steps: [request(json, url)] });

function withoutAuthors<Line extends { readonly urlAuthors?: unknown }>(line: Line): Omit<Line, 'urlAuthors'> {
  const { urlAuthors: _authors, ...rest } = line;
  return rest;
}

async function openHome() {
  const hub = await openRunningHub();
  const admin = await hub.addPerson('bob', 'admin');
  const mayReachHub = createMayReachHub(hub.home);
  const may = (name: string, url = URL) => {
    const { id, version } = hub.home.automations.find(name) ?? { id: '' as AutomationId, version: 0 };
    return mayReachHub(id, version, url);
  };
  const as = (who: { readonly token: string }) => async (path: string, body?: unknown) => {
    const type = path.startsWith('PATCH') ? { type: 'application/merge-patch+json' } : {};
    return hub.call(path, { token: who.token, ...type, ...(body === undefined ? {} : { body }) });
  };
  return { ...hub, may, mayReachHub, asOwner: as(hub.owner), asAdmin: as(admin), admin };
}

describe('the way to the hub itself', () => {
  test('is not lent to what an admin wrote, whatever an owner does with it, unless the owner writes it anew', async () => {
    const { may, asOwner, asAdmin } = await openHome();
    expect((await asAdmin('POST /automation', { name: 'asks', ...asks() })).status).toBe(201);
    expect(await may('asks')).toBe(false);
    await asOwner('PATCH /automation/asks', { yield_to_hand_s: 60 });
    await asOwner('PATCH /automation/asks', { steps: [request({ more: 1 })] });
    await asOwner('PUT /automation/asks', asks());
    await asOwner('POST /automation/asks/sign');
    expect((await asOwner('POST /automation/asks/revert', { version: 1 })).status).toBe(200);
    expect(await may('asks')).toBe(false);
    await asAdmin('PATCH /automation/asks', { steps: [] });
    expect((await asOwner('POST /automation/asks/revert', { version: 1 })).status).toBe(200);
    expect(await may('asks')).toBe(false);
    const { json } = await asOwner('GET /automation_export');
    expect((await asOwner('POST /automation_import', json)).status).toBe(200);
    expect(await may('asks-2')).toBe(false);
    await asOwner('DELETE /automation/asks');
    await asOwner('POST /automation/asks/restore');
    expect(await may('asks')).toBe(false);
    await asOwner('PATCH /automation/asks', { steps: [] });
    await asOwner('PATCH /automation/asks', { steps: [request()] });
    expect(await may('asks')).toBe(true);
  });

  test('stays with what an owner wrote when somebody else signs the rest, and not when they send something else', async () => {
    const { may, asOwner, asAdmin, home, owner, addPerson } = await openHome();
    const OWN = 'http://127.0.0.1:18199/x';
    await asOwner('POST /automation', { name: 'asks', ...asks({}, OWN) });
    expect(await may('asks', OWN)).toBe(true);
    const signed = await asAdmin('PATCH /automation/asks', { yield_to_hand_s: 60 });
    expect(signed).toMatchObject({
      status: 200,
      json: {
        changed_hands: {
          from: { name: 'ada' },
          requests: [{ pointer: '/steps/0/request', method: 'POST', url: OWN }],
          rights: ['hub:manage'],
          sensitive: [],
        },
      },
    });
    expect(await may('asks', OWN)).toBe(true);
    expect((await asAdmin('PATCH /automation/asks', { yield_to_hand_s: 61 })).json['changed_hands']).toBeUndefined();
    expect((await asAdmin('PATCH /automation/asks', { steps: [request({ more: 1 }, OWN)] })).status).toBe(422);
    expect((await asOwner('POST /automation/asks/sign')).json['changed_hands']).toMatchObject({
      from: { name: 'bob' },
    });
    await asOwner('PATCH /automation/asks', { steps: [request({}, OWN), request()] });
    expect(await may('asks')).toBe(true);
    await asAdmin('PATCH /automation/asks', { steps: [request({}, OWN), request({ more: 1 })] });
    expect([await may('asks', OWN), await may('asks')]).toEqual([true, false]);
    await addPerson('eve', 'owner');
    await home.accounts.updateUser(owner.user.id, { role: 'admin' });
    expect(await may('asks', OWN)).toBe(false);
  });

  test('does not stay where somebody else changes what a body is computed from', async () => {
    const { may, asOwner, asAdmin } = await openHome();
    const OWN = 'http://127.0.0.1:18199/x';
    const said = (text: string) => ({
      ...asks({ say: { variable: 'text' } }, OWN),
      variables: { text },
    });
    expect((await asOwner('POST /automation', { name: 'asks', ...said('hi') })).status).toBe(201);
    expect((await asAdmin('PUT /automation/asks', said('hi'))).status).toBe(200);
    expect(await may('asks', OWN)).toBe(true);
    expect((await asAdmin('PUT /automation/asks', said('open'))).status).toBe(200);
    expect(await may('asks', OWN)).toBe(false);
  });

  test('is read from the disk once for each version, however often a request is sent', async () => {
    const { home, add } = await openHome();
    const { id } = await add('asks', asks());
    const load = vi.spyOn(home.storage.automations, 'loadVersion');
    for (let time = 0; time < 3; time += 1) await home.automations.authorsOf(id, 1);
    expect(load).toHaveBeenCalledTimes(1);
  });

  test('is what the versions say of an automation from before this was noted: each that brought the URL was an owner’s', async () => {
    const { home, mayReachHub, owner, admin, add, signerOf } = await openHome();
    const legacy = async (name: string, signers: readonly (typeof owner)[]) => {
      const [first = owner, ...others] = signers;
      const record = await add(name, asks({ at: 0 }), signerOf(first));
      for (const [at, who] of others.entries()) {
        const { definition } = await add(`${name} ${at}`, asks({ at: at + 1 }));
        await home.automations.save(record.id, { definition, signer: signerOf(who), note: null });
      }
      await home.automations.sign(record.id, signerOf(owner));
      const unnoted = {
        loadVersions: async (id: AutomationId) => (await home.automations.versions(id)).map(withoutAuthors),
        loadVersion: async (id: AutomationId, version: number) => {
          const { urlAuthors: _, ...found } = (await home.automations.findVersion(id, version)) ?? { urlAuthors: {} };
          return found as Awaited<ReturnType<typeof home.automations.findVersion>>;
        },
      };
      const may = createMayReachHub({
        ...home,
        automations: { authorsOf: (id, version) => loadAuthors(unnoted, id, version) },
      });
      return may(record.id, signers.length, URL);
    };
    expect(await legacy('a', [owner, owner])).toBe(true);
    expect(await legacy('b', [admin, owner])).toBe(false);
    expect(await legacy('c', [owner, admin])).toBe(false);
    expect(await mayReachHub('gone' as AutomationId, 1, URL)).toBe(false);
  });
});
