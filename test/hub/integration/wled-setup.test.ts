import { expect, onTestFinished, test } from 'vitest';
import { openWholeHub, type Person, type WholeHub } from '#test/support/hub/whole-hub.ts';
import { startWledLight } from '#test/support/wled/wled-light.ts';

type Json = Record<string, unknown>;

async function openHub() {
  const light = await startWledLight('strip');
  onTestFinished(light.close);
  const hub = await openWholeHub();
  return { light, hub, owner: await hub.addPerson('ada', 'owner') };
}

/** Reads what a path shows until it is so. */
async function untilShown(hub: WholeHub, { token }: Person, given: { path: string; isSo: (json: Json) => boolean }) {
  for (;;) {
    const { json } = await hub.call(`GET ${given.path}`, { token });
    if (given.isSo(json)) return json;
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
}

async function setUp(hub: WholeHub, person: Person, host: string): Promise<Json> {
  const { token } = person;
  const { json } = await hub.call('POST /integration_setup', { token, body: { kind: 'wled' } });
  const path = `/integration_setup/${String(json['id'])}`;
  const first = await hub.call(`POST ${path}`, { token, body: { answer: { host } } });
  const isOver = ({ status, step }: Json): boolean =>
    status !== 'running' || (step as Json | null)?.['type'] === 'form';
  return isOver(first.json) ? first.json : untilShown(hub, person, { path, isSo: isOver });
}

test('a light is set up by its address, and its lamp obeys and confirms through the API', async () => {
  const { light, hub, owner } = await openHub();
  expect(await setUp(hub, owner, light.host)).toMatchObject({
    status: 'done',
    integration: { id: 'wled' },
    error: null,
  });
  await untilShown(hub, owner, { path: '/integration/wled', isSo: ({ status }) => status === 'connected' });
  const lamp = await hub.call('GET /device/strip', { token: owner.token });
  expect(lamp.json).toMatchObject({ name: 'Strip', integration: 'wled', availability: { state: 'online' } });
  const body = { set: { on: false, effect: 'Rainbow' } };
  const { json } = await hub.call('POST /device/strip/command', { token: owner.token, body });
  const path = `/command/${String(json['id'])}`;
  const isOver = ({ status }: Json): boolean => status === 'confirmed' || status === 'failed';
  expect(await untilShown(hub, owner, { path, isSo: isOver })).toMatchObject({
    status: 'confirmed',
    evidence: 'state_report',
  });
  expect(light.state()).toMatchObject({ on: false });
  expect(await setUp(hub, owner, light.host)).toMatchObject({
    status: 'done',
    integration: { id: 'wled' },
    renewed: true,
  });
});

test('an admin cannot point a set-up at the machine of the hub', async () => {
  const { light, hub } = await openHub();
  const json = await setUp(hub, await hub.addPerson('eve', 'admin'), light.host);
  expect(json).toMatchObject({ status: 'running', step: { type: 'form', errors: [{ pointer: '/host' }] } });
  expect(light.reads).toEqual([]);
});
