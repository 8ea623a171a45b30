import { expect, test } from 'vitest';
import type { JsonObject } from '#base/json.ts';
import { createSendOrder } from '#integrations/hue/send-order.ts';

const settle = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

function openOrder() {
  const asked: { path: string; take: () => void; answer: (value: string) => void }[] = [];
  const sent: string[] = [];
  const order = createSendOrder<string>(
    (path, body) =>
      new Promise((answer) => {
        asked.push({ path, take: () => void sent.push(`${path} ${JSON.stringify(body())}`), answer });
      }),
  );
  const send = (path: string, body: JsonObject, ...resourceIds: string[]): Promise<string> =>
    order.send({ path, body, resourceIds });
  /** The turn of the first request that waits has come, and the bridge answers it. */
  const take = async (): Promise<void> => {
    await settle();
    const first = asked.shift();
    first?.take();
    first?.answer(`answer to ${first.path}`);
    await settle();
  };
  return { order, asked, sent, send, take };
}

test('newer values take the place of those that wait, and all have the answer', async () => {
  const { send, take, sent } = openOrder();
  const given = [
    send('light/a', { on: { on: true }, color: 1 }, 'a'),
    send('light/a', { dimming: 10 }, 'a'),
    send('light/a', { dimming: 20 }, 'a'),
  ];
  await take();
  expect(sent).toEqual(['light/a {"on":{"on":true},"color":1,"dimming":20}']);
  expect(await Promise.all(given)).toEqual(['answer to light/a', 'answer to light/a', 'answer to light/a']);
});

test('what has begun is followed by the newer request', async () => {
  const { send, take, sent, asked } = openOrder();
  void send('light/a', { dimming: 10 }, 'a');
  await settle();
  asked[0]?.take();
  void send('light/a', { dimming: 20 }, 'a');
  await settle();
  expect(asked).toHaveLength(1);
  asked.shift()?.answer('done');
  await take();
  expect(sent).toEqual(['light/a {"dimming":10}', 'light/a {"dimming":20}']);
});

test('a light waits for its group, a group for its lights, and others for neither', async () => {
  const { send, take, sent } = openOrder();
  void send('group/g', { dimming: 10 }, 'a', 'b');
  void send('light/a', { dimming: 20 }, 'a');
  void send('group/g', { dimming: 30 }, 'a', 'b');
  void send('light/c', { dimming: 40 }, 'c');
  for (let turn = 0; turn < 4; turn += 1) await take();
  expect(sent).toEqual([
    'group/g {"dimming":10}',
    'light/c {"dimming":40}',
    'light/a {"dimming":20}',
    'group/g {"dimming":30}',
  ]);
});

test('what waits when the bridge is lost is never sent', async () => {
  const { order, send, asked } = openOrder();
  void send('group/g', { dimming: 10 }, 'a', 'b');
  const late = send('light/a', { dimming: 20 }, 'a');
  await settle();
  order.endAll();
  asked.shift()?.answer('refused');
  await expect(late).rejects.toMatchObject({ code: 'INTEGRATION_DOWN' });
  expect(asked).toEqual([]);
});
