import { expect, test, vi } from 'vitest';
import { createMessages } from '#web/state/messages.ts';

const undo = { action: { label: 'Undo', run: () => undefined } };

test('of four messages the oldest without a way back leaves, and the newest stays', () => {
  const messages = createMessages();
  messages.show('one', 'plain', undo);
  messages.show('two');
  messages.show('three', 'plain', undo);
  messages.show('four');
  const texts = () => messages.list.value.map(({ text }) => text);
  expect(texts()).toEqual(['one', 'three', 'four']);
  messages.show('five', 'plain', undo);
  messages.show('six', 'plain', undo);
  expect(texts()).toEqual(['three', 'five', 'six']);
});

test('the same words twice are one message, but two if each has a way back', () => {
  const messages = createMessages();
  messages.show('Saved.');
  messages.show('Saved.');
  expect(messages.list.value).toHaveLength(1);
  messages.show('Off', 'plain', undo);
  messages.show('Off', 'plain', undo);
  expect(messages.list.value).toHaveLength(3);
});

test('a message with the key of one that is shown takes its place and begins its time anew', () => {
  vi.useFakeTimers();
  try {
    const messages = createMessages();
    messages.show('so far', 'plain', { key: 'a' });
    messages.show('other');
    vi.advanceTimersByTime(7_000);
    messages.show('done', 'plain', { key: 'a' });
    expect(messages.list.value.map(({ text }) => text)).toEqual(['done', 'other']);
    vi.advanceTimersByTime(2_000);
    expect(messages.list.value.map(({ text }) => text)).toEqual(['done']);
    vi.advanceTimersByTime(7_000);
    expect(messages.list.value).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});
