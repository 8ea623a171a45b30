import { expect, onTestFinished, test } from 'vitest';
import { startHueBridge } from '#test/support/hue/hue-bridge.ts';
import { openWholeHub, type Person, type WholeHub } from '#test/support/hub/whole-hub.ts';

type IsSo = (json: Record<string, unknown>) => boolean;

/** Reads what a path shows until it is so. */
const watchAs =
  (hub: WholeHub, { token }: Person) =>
  async (path: string, isSo: IsSo): Promise<Record<string, unknown>> => {
    for (;;) {
      const { json } = await hub.call(`GET ${path}`, { token });
      if (isSo(json)) return json;
      await new Promise((resolve) => void setTimeout(resolve, 50));
    }
  };

/** A set-up of the bridge up to the answer to its form. */
async function openSetup(hub: WholeHub, person: Person, host: string) {
  const { token } = person;
  const { json } = await hub.call('POST /integration_setup', { token, body: { kind: 'hue' } });
  const path = `/integration_setup/${String(json['id'])}`;
  const first = await hub.call(`POST ${path}`, { token, body: { answer: { host } } });
  const until = (isSo: IsSo): Promise<Record<string, unknown>> => watchAs(hub, person)(path, isSo);
  return { first, path, until };
}
const isOver = ({ status }: Record<string, unknown>): boolean => status !== 'running';
const stepOf = (json: Record<string, unknown>): unknown => (json['step'] as { type: string } | null)?.type;

test('a bridge is set up by its button, and again after it withdrew the key: the instance and its devices stay', async () => {
  const bridge = await startHueBridge();
  onTestFinished(bridge.close);
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const untilShown = watchAs(hub, owner);
  const first = await openSetup(hub, owner, bridge.host);
  expect(await first.until((json) => stepOf(json) === 'act')).toMatchObject({ status: 'running' });
  await bridge.act('link');
  const done = { status: 'done', integration: { id: 'hue' }, error: null };
  expect(await first.until(isOver)).toMatchObject({ ...done, renewed: false });
  const hue = '/integration/hue';
  const { devices } = await untilShown(hue, ({ status }) => status === 'connected');
  const { json } = await hub.call(`GET ${hue}`, { token: owner.token });
  expect(json).toMatchObject({ kind: 'hue', settings: { host: { value: bridge.host }, key: { is_set: true } } });
  expect(JSON.stringify(json)).not.toContain((await bridge.state()).keys.at(-1));

  await bridge.act('revoke');
  await untilShown(hue, ({ status }) => status === 'needs_action');
  const again = await openSetup(hub, owner, bridge.host);
  expect(await again.until(isOver)).toMatchObject({ ...done, renewed: true });
  expect(await untilShown(hue, ({ status }) => status === 'connected')).toMatchObject({
    devices,
    error: null,
  });
});

test('a set-up that is ended while it waits for the button leaves nothing, here or at the bridge', async () => {
  const bridge = await startHueBridge();
  onTestFinished(bridge.close);
  const hub = await openWholeHub();
  const owner = await hub.addPerson('ada', 'owner');
  const keys = (await bridge.state()).keys.length;
  const { until, path } = await openSetup(hub, owner, bridge.host);
  await until((json) => stepOf(json) === 'act');
  expect((await hub.call(`DELETE ${path}`, { token: owner.token })).status).toBe(204);
  await bridge.act('link');
  // Longer than from one question for the button to the next.
  await new Promise((resolve) => void setTimeout(resolve, 1_500));
  expect((await hub.call('GET /integration/hue', { token: owner.token })).status).toBe(404);
  expect((await bridge.state()).keys).toHaveLength(keys);
});

test('an admin cannot point a set-up at the machine of the hub', async () => {
  const bridge = await startHueBridge();
  onTestFinished(bridge.close);
  const hub = await openWholeHub();
  await hub.addPerson('ada', 'owner');
  const { first } = await openSetup(hub, await hub.addPerson('eve', 'admin'), bridge.host);
  expect(first.json).toMatchObject({ step: { type: 'form', errors: [{ pointer: '/host' }] } });
  expect((await bridge.state()).requests).toEqual([]);
});
