import { expect, test } from 'vitest';
import { DARK, stepTrace, trace } from '#test/core/automation-run/trace/trace-makers.ts';
import { openWholeHub } from '#test/support/hub/whole-hub.ts';

/** A hub that knows where it is, with an automation of the sun, one of both the sun and the clock, and one of neither. */
async function openScene() {
  const hub = await openWholeHub();
  await hub.home.locationRecord.set({ latitude: 52.52, longitude: 13.41, elevationM: null }, () => undefined);
  const owner = await hub.addPerson('ada', 'owner');
  const resident = await hub.addPerson('ben', 'resident');
  const sun = { type: 'sun', event: 'sunset' };
  const time = { type: 'time', at: '22:00' };
  const documents = { sunny: [sun], both: [sun, time], timed: [time] };
  for (const [name, triggers] of Object.entries(documents)) {
    const { status } = await hub.call('POST /automation', {
      token: owner.token,
      body: { name, triggers, steps: [{ delay: { s: 1 } }] },
    });
    expect(status).toBe(201);
  }
  const script = await hub.addToken(owner.user, { scopes: ['automation:read', 'device:read', 'history:read'] });
  return { hub, owner: owner.token, others: [resident.token, script], documents };
}

test('times of the sun that are to come are only for those who may read the location', async () => {
  const { hub, owner, others, documents } = await openScene();
  const ask = async (line: string, token: string, body?: unknown) => (await hub.call(line, { token, body })).json;
  const listed = async (token: string) => {
    const all = (await ask('GET /automation', token)) as unknown as readonly Record<string, unknown>[];
    const shown = all.map((one) => [one['selector'], typeof one['next_at'], one['next_hidden']]);
    return Object.fromEntries(shown.map(([selector, ...rest]) => [String(selector), rest]));
  };
  const triggersOf = (json: Record<string, unknown>) => [
    ...new Set((json['next'] as readonly { readonly trigger: string }[]).map((one) => one.trigger)),
  ];
  expect(await listed(owner)).toMatchObject({
    sunny: ['string', undefined],
    both: ['string', undefined],
    timed: ['string', undefined],
  });
  expect(triggersOf(await ask('GET /automation/both/next', owner))).toHaveLength(2);
  expect(await ask('GET /automation/sunny/next', owner)).not.toHaveProperty('hidden');
  for (const token of others) {
    // `null` is an object.
    expect(await listed(token)).toMatchObject({
      sunny: ['object', true],
      both: ['object', true],
      timed: ['string', undefined],
    });
    expect(await ask('GET /automation/sunny', token)).toMatchObject({ next_at: null, next_hidden: true });
    expect(await ask('GET /automation/sunny/next', token)).toEqual({ next: [], waits_for: 'none', hidden: true });
    const both = await ask('GET /automation/both/next', token);
    expect([triggersOf(both), both['hidden']]).toEqual([['t2'], true]);
    expect(await ask('GET /automation/timed/next', token)).not.toHaveProperty('hidden');
    const tried = { name: 'x', triggers: documents.both, steps: [] };
    expect(triggersOf(await ask('POST /automation_validation', token, tried))).toEqual(['t2']);
  }
});

test('what looks at the sun and is not saved is simulated only for those who may read the location', async () => {
  const { hub, owner, others, documents } = await openScene();
  const simulate = async (token: string, body: object) =>
    (await hub.call('POST /automation_simulation', { token, body })).status;
  const unsaved = { definition: { triggers: documents.sunny, steps: [] }, from: '-2d' };
  const compared = { automation: 'timed', compare_definition: unsaved.definition, from: '-2d' };
  const asked = {
    definition: { triggers: documents.timed, conditions: [{ sun: { below: -6 } }], steps: [] },
    from: '-2d',
  };
  for (const body of [unsaved, compared, asked]) {
    expect([200, 202]).toContain(await simulate(owner, body));
    for (const token of others) expect(await simulate(token, body)).toBe(403);
  }
  for (const token of others) expect([200, 202]).toContain(await simulate(token, { automation: 'timed', from: '-2d' }));
});

test('the height of the sun in a trace is only for those who may read the location', async () => {
  const { hub, owner, others } = await openScene();
  const { automations, runHistory } = hub.home;
  const record = automations.find('sunny');
  if (record === undefined) throw new Error('there is no automation');
  const operands = [{ name: 'sun/elevation', value: -5.987_654, unknown: null }];
  const conditions = [{ ...DARK, operands }];
  const steps = [stepTrace({ conditions, values: operands })];
  const nowMs = Date.now();
  runHistory.runs.put({ ...trace(nowMs, 'finished'), id: 'dusk', automation: record.id, conditions, steps });
  for (const path of ['/automation_run/dusk', '/automation/sunny/run', '/automation/sunny/why']) {
    const read = async (token: string) => JSON.stringify((await hub.call(`GET ${path}`, { token })).json);
    expect((await read(owner)).includes('-5.987654')).toBe(!path.endsWith('why'));
    for (const token of others) expect(await read(token)).not.toContain('5.98');
  }
});
