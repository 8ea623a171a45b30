import { signal } from '@preact/signals';
import { expect, test } from 'vitest';
import type { HubEvent } from '#web/client/event-feed.ts';
import { mirror } from '#web/state/mirror.ts';

const FROM = {
  path: '/thing',
  about: 'thing.',
  after: (value: readonly string[], { type, data }: { type: string; data: unknown }) =>
    type === 'thing.added' ? [...value, String(data)] : undefined,
};

function openKept() {
  const asked: ((value: readonly string[]) => void)[] = [];
  const listeners: ((event: HubEvent) => void)[] = [];
  const events = { listen: (listener: (event: HubEvent) => void) => (listeners.push(listener), () => undefined) };
  const isConnected = signal<boolean | null>(null);
  const isLoaded = signal(true);
  const call = <Json>(): Promise<Json> => new Promise((resolve) => asked.push((value) => resolve(value as Json)));
  const kept = mirror({ client: { call }, events, live: { isConnected }, home: { isLoaded } }, FROM);
  const send = (type: string, data?: unknown) => listeners.forEach((listener) => listener({ id: '1', type, data }));
  return { kept, asked, send, isConnected, isLoaded };
}

test('is read with the connection, and kept by its events without another request', async () => {
  const { kept, asked, send, isConnected } = openKept();
  expect(asked).toHaveLength(0);
  isConnected.value = true;
  asked[0]?.(['a']);
  await expect.poll(() => kept.value.value).toEqual(['a']);
  send('thing.added', 'b');
  send('other.added', 'c');
  expect(kept.value.value).toEqual(['a', 'b']);
  expect(asked).toHaveLength(1);
});

test('an event that comes while an answer is on its way is not lost', async () => {
  const { kept, asked, send, isConnected } = openKept();
  isConnected.value = true;
  send('thing.added', 'b');
  asked[0]?.(['a']);
  await expect.poll(() => kept.value.value).toEqual(['a', 'b']);
});

test('is read again after a gap, after an event that does not say enough, and with a new connection', async () => {
  const { kept, asked, send, isConnected } = openKept();
  isConnected.value = true;
  asked[0]?.(['a']);
  await expect.poll(() => kept.value.value).toEqual(['a']);
  send('hub.gap');
  send('thing.changed');
  isConnected.value = false;
  isConnected.value = true;
  expect(asked).toHaveLength(4);
  // An older answer that comes late changes nothing.
  asked[3]?.(['new']);
  await expect.poll(() => kept.value.value).toEqual(['new']);
  asked[1]?.(['old']);
  await Promise.resolve();
  expect(kept.value.value).toEqual(['new']);
});

test('an answer counts only while the home is there: it is read once the home is loaded', async () => {
  const { kept, asked, isConnected, isLoaded } = openKept();
  isLoaded.value = false;
  isConnected.value = true;
  expect(asked).toHaveLength(0);
  isLoaded.value = true;
  asked[0]?.(['a']);
  await expect.poll(() => kept.value.value).toEqual(['a']);
});

test('nothing of one person is left for the next', async () => {
  const { kept, asked, isConnected, isLoaded } = openKept();
  isConnected.value = true;
  asked[0]?.(['a']);
  await expect.poll(() => kept.value.value).toEqual(['a']);
  isLoaded.value = false;
  expect(kept.value.value).toBeUndefined();
});
