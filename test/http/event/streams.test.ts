import { describe, expect, test } from 'vitest';
import type { HubError } from '#base/hub-error.ts';
import type { EventClientOwner } from '#http/event/stream.ts';
import { openTestHome } from '#test/support/hub/http-home.ts';
import { createManualTime } from '#test/support/machine/manual-time.ts';

async function openStreams() {
  const time = createManualTime();
  const { eventStreams, events } = await openTestHome(['Lamp'], { ...time, capacity: 100 });
  const endedBy: string[] = [];
  /** The code of the refusal, or `open`. */
  const follow = (owner: EventClientOwner): string => {
    try {
      eventStreams.makeRoomFor(owner, 'poll');
    } catch (cause) {
      return (cause as HubError).code;
    }
    const { signal } = new AbortController();
    const listener = { owner, filter: undefined, mayRead: () => true, isStillAllowed: async () => true, signal };
    void eventStreams
      .poll(listener, { cursor: events.cursor(), limit: 10, waitMs: 60_000 })
      .then(() => endedBy.push(owner.userId));
    return 'open';
  };
  const person = (userId: string, login = 0): EventClientOwner => {
    return { callerId: `${userId} ${login}`, userId, rationName: userId, isKeeper: userId === 'owner' };
  };
  /** Opens this many streams over several logins of one person, and counts each kind of answer. */
  const followOften = (userId: string, count: number): Record<string, number> => {
    const answers: Record<string, number> = {};
    for (let index = 0; index < count; index += 1) {
      const answer = follow(person(userId, index % 16));
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
    return answers;
  };
  return { follow, followOften, person, endedBy, eventStreams };
}

describe('H2: event streams are limited for each caller', () => {
  test('a person has at most 32, over all logins and API tokens', async () => {
    const { followOften } = await openStreams();
    expect(followOften('guest', 256)).toEqual({ open: 32, TOO_MANY_REQUESTS: 224 });
    expect(followOften('owner', 1)).toEqual({ open: 1 });
  });

  test('when the hub is full, the newest stream of the person with the most makes room for a person with fewer', async () => {
    const { followOften, endedBy, eventStreams } = await openStreams();
    for (let guest = 0; guest < 7; guest += 1) expect(followOften(`guest ${guest}`, 32)).toEqual({ open: 32 });
    expect(eventStreams.count()).toBe(224);
    expect(followOften('resident', 3)).toEqual({ open: 3 });
    await Promise.resolve();
    expect(new Set(endedBy)).toEqual(new Set(['guest 0', 'guest 1', 'guest 2']));
    // A new attempt gains no stream.
    expect(followOften('guest 0', 4)).toEqual({ OVERLOADED: 4 });
  });

  test('thirty-two are reserved for owners and admins', async () => {
    const { followOften, endedBy } = await openStreams();
    for (let guest = 0; guest < 7; guest += 1) followOften(`guest ${guest}`, 32);
    expect(followOften('owner', 32)).toEqual({ open: 32 });
    await Promise.resolve();
    expect(endedBy).toEqual([]);
  });
});
