import { expect, test } from 'vitest';
import type { EventListener, HubEvent } from '#web/client/event-feed.ts';
import { openSharedStream, type SharedStream, type TabWord } from '#web/state/shared-stream.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { runs } from '#test/support/machine/runs.ts';

/** A clock that jumps from one due timer to the next. */
function createSchedule() {
  let nowMs = 1_000_000;
  const due: { readonly atMs: number; readonly run: () => void }[] = [];
  return {
    nowMs: () => nowMs,
    after: (ms: number, run: () => void): (() => void) => {
      const entry = { atMs: nowMs + ms, run };
      due.push(entry);
      return () => {
        if (due.includes(entry)) due.splice(due.indexOf(entry), 1);
      };
    },
    advance: (ms: number): void => {
      const endMs = nowMs + ms;
      for (;;) {
        // Of timers due at the same time, the one that was set first.
        const next = due.reduce<(typeof due)[0] | undefined>(
          (first, one) => (first === undefined || one.atMs < first.atMs ? one : first),
          undefined,
        );
        if (next === undefined || next.atMs > endMs) break;
        due.splice(due.indexOf(next), 1);
        nowMs = Math.max(nowMs, next.atMs);
        next.run();
      }
      nowMs = endMs;
    },
  };
}
type Schedule = ReturnType<typeof createSchedule>;

const HEARTBEAT_MS = 15_000;
const RETRY_MS = 600;
const BUFFER = 60;
/** One in four events is about a room that this login may not see. */
const isSeen = (sequence: number): boolean => sequence % 4 !== 0;

/** A hub with a log of numbered events, which reach each connection with a different delay. */
function createHub({ after }: Schedule, dice: () => number) {
  let run = 1;
  let last = 0;
  let isUp = true;
  let opened = 0;
  const streams = new Set<{ readonly pump: () => void; readonly beat: () => void; readonly drop: () => void }>();
  const position = (): string => `run-${run}-${last}`;
  const beat = (): void => {
    for (const stream of streams) stream.beat();
    after(HEARTBEAT_MS, beat);
  };
  after(HEARTBEAT_MS, beat);
  return {
    last: () => last,
    streams: () => streams.size,
    /** Number of connections so far. */
    opened: () => opened,
    /** Existing connections stay open, but the hub takes no new ones. */
    admitNoMore: () => void (isUp = false),
    happen: () => {
      last += 1;
      for (const stream of streams) stream.pump();
    },
    restart: (downMs: number) => {
      if (!isUp) return;
      isUp = false;
      for (const stream of streams) stream.drop();
      after(downMs, () => {
        isUp = true;
        run += 1;
        last = Math.floor(dice() * 9);
      });
    },
    /** `say` delivers to the tab: later while the tab is frozen. */
    follow: (say: (run: () => void) => void) => (listener: EventListener, options: { readonly cursor?: string }) => {
      let cursor = options.cursor;
      let isStopped = false;
      let isOpen = false;
      let sentTo = 0;
      const queue: (() => void)[] = [];
      const deliver = (task: () => void): void => {
        queue.push(task);
        after(1 + dice() * 30, () => say(queue.shift() ?? (() => undefined)));
      };
      const send = (event: HubEvent, take: (event: HubEvent) => void): void =>
        deliver(() => {
          if (isStopped) return;
          cursor = event.id ?? cursor;
          take(event);
        });
      const stream = {
        pump: () => {
          for (; sentTo < last; sentTo += 1) {
            const sequence = sentTo + 1;
            if (!isSeen(sequence)) continue;
            send({ id: `run-${run}-${sequence}`, type: 'feature.changed', data: { sequence } }, listener.onEvent);
          }
        },
        beat: () => send({ id: position(), type: 'hub.heartbeat', data: {} }, (event) => listener.onHeartbeat?.(event)),
        drop: () => {
          close();
          deliver(() => {
            if (isStopped) return;
            listener.onConnection?.(false);
            after(RETRY_MS * (0.5 + dice()), () => say(connect));
          });
        },
      };
      const close = (): void => {
        isOpen = false;
        streams.delete(stream);
      };
      const connect = (): void => {
        if (isStopped) return;
        after(1 + dice() * 40, () => {
          if (isStopped) return;
          if (!isUp) {
            after(RETRY_MS * (0.5 + dice()), () => say(connect));
            return;
          }
          isOpen = true;
          opened += 1;
          streams.add(stream);
          deliver(() => isStopped || listener.onConnection?.(true));
          const [, ownRun, from] = (cursor ?? '').split('-');
          const isKept = ownRun === String(run) && Number(from) >= last - BUFFER;
          sentTo = isKept ? Number(from) : last;
          if (isKept) return stream.pump();
          const snapshot = { cursor: position(), rooms: [], devices: [] };
          if (cursor !== undefined) send({ id: undefined, type: 'hub.gap', data: {} }, listener.onEvent);
          deliver(() => {
            if (isStopped) return;
            ({ cursor } = snapshot);
            listener.onSnapshot(snapshot);
          });
        });
      };
      connect();
      return () => {
        isStopped = true;
        if (isOpen) close();
      };
    },
  };
}

type Member = { readonly hear: (word: TabWord) => void };

/** Each tab's words reach the other tabs in order, with different delays. */
function createChannels({ after }: Schedule, dice: () => number) {
  const members = new Set<Member>();
  return {
    join: (hear: (word: TabWord) => void) => {
      const own: Member = { hear };
      members.add(own);
      const queues = new Map<Member, TabWord[]>();
      return {
        say: (word: TabWord) => {
          for (const other of members) {
            if (other === own) continue;
            const queue = queues.get(other) ?? [];
            queues.set(other, queue);
            queue.push(structuredClone(word));
            after(dice() * 12, () => {
              const next = queue.shift();
              if (next !== undefined && members.has(other)) other.hear(next);
            });
          }
        },
        leave: () => void members.delete(own),
      };
    },
  };
}

type World = { readonly schedule: Schedule; readonly hub: ReturnType<typeof createHub>; readonly dice: () => number };
type Channels = ReturnType<typeof createChannels>;

/** A tab with the page: it follows the events while it is visible, and checks that each comes once and in order. */
function openTab({ schedule, hub, dice }: World, channels: Channels, name: string) {
  let stream: SharedStream | undefined;
  let abandon: (() => void) | undefined;
  let cursor: string | undefined;
  let isVisible = false;
  let isFrozen = false;
  let isConnected: boolean | null = null;
  let seen = 0;
  let isGone = false;
  let waiting: (() => void)[] = [];
  const say = (run: () => void): void => {
    if (isGone) return;
    if (isFrozen) waiting.push(run);
    else run();
  };
  const follow = hub.follow(say);

  const open = (): SharedStream => {
    let hear: (word: TabWord) => void = () => undefined;
    const place = channels.join((word) => say(() => hear(word)));
    let cut: (() => void) | undefined;
    abandon = () => {
      place.leave();
      cut?.();
    };
    return openSharedStream(
      {
        follow: (...options) => {
          const stop = follow(options[0], options[1] ?? {});
          cut = stop;
          return stop;
        },
        channel: { say: place.say, listen: (take) => (hear = take), close: place.leave },
        tab: name,
        // A person may set the clock while tabs are open.
        nowMs: () => schedule.nowMs() + (dice() < 0.2 ? -60_000 : 0),
        startTimer: (ms, run) => schedule.after(ms, () => say(run)),
      },
      {
        onEvent: ({ type, data }) => {
          if (type === 'hub.gap') return;
          const { sequence } = data as { readonly sequence: number };
          let next = seen + 1;
          while (!isSeen(next)) next += 1;
          expect(sequence, `${name} expects ${next}`).toBe(next);
          seen = sequence;
        },
        onSnapshot: (snapshot) => (seen = Number(snapshot.cursor.split('-')[2])),
        onHeartbeat: () => undefined,
        onConnection: (now) => (isConnected = now),
        onLost: () => (isVisible ? stream?.lead() : leave()),
      },
      cursor,
    );
  };
  const leave = (): void => {
    cursor = stream?.cursor() ?? cursor;
    stream?.stop();
    stream = undefined;
  };
  return {
    name,
    show: () => {
      if (isGone) return;
      isVisible = true;
      say(() => {
        if (stream !== undefined || !isVisible) return;
        stream = open();
        stream.lead();
      });
    },
    /** The tab may keep the stream for any time before it gives it up. */
    hide: () => void (isVisible = false),
    leave: () => isVisible || say(leave),
    /** The tab says nothing, and the system closes its connection. */
    crash: () => {
      isGone = true;
      isVisible = false;
      abandon?.();
    },
    freeze: () => void (isFrozen = true),
    thaw: () => {
      isFrozen = false;
      const missed = waiting;
      waiting = [];
      for (const run of missed) run();
    },
    doubt: () => say(() => isVisible && stream?.lead()),
    isVisible: () => isVisible,
    state: () => ({ name, seen, isConnected, follows: stream !== undefined }),
  };
}

const SETTLE_MS = 12_000;
/** The last event that a tab of this login may see. */
function lastSeen(last: number): number {
  let seen = last;
  while (!isSeen(seen)) seen -= 1;
  return seen;
}

function openWorld(seed: number) {
  const dice = createDice(seed);
  const schedule = createSchedule();
  const world: World = { schedule, dice, hub: createHub(schedule, dice) };
  return { ...world, world, channels: createChannels(schedule, dice) };
}

test('two visible windows share one connection, which the newer one opens', () => {
  const { schedule, hub, world, channels } = openWorld(1);
  const [first, second] = [openTab(world, channels, 'first'), openTab(world, channels, 'second')];
  first.show();
  schedule.advance(1_000);
  second.show();
  schedule.advance(1_000);
  expect([hub.streams(), hub.opened()]).toEqual([1, 2]);
  for (let count = 0; count < 20; count += 1) hub.happen();
  schedule.advance(60_000);
  expect([first.state(), second.state()].map(({ seen }) => seen)).toEqual([19, 19]);
  expect([hub.streams(), hub.opened()]).toEqual([1, 2]);
});

test('a working connection is kept until the tab that takes over has its own', () => {
  const { schedule, hub, world, channels } = openWorld(5);
  const [first, second] = [openTab(world, channels, 'first'), openTab(world, channels, 'second')];
  second.show();
  schedule.advance(1_000);
  second.hide();
  second.leave();
  first.show();
  schedule.advance(1_000);
  hub.admitNoMore();
  second.show();
  schedule.advance(10_000);
  hub.happen();
  schedule.advance(1_000);
  expect([hub.streams(), first.state()]).toMatchObject([1, { seen: 1, isConnected: true }]);
});

test('all windows learn at once that the connection of the leading one is in doubt', () => {
  const { schedule, hub, world, channels } = openWorld(6);
  const [first, second] = [openTab(world, channels, 'first'), openTab(world, channels, 'second')];
  first.show();
  schedule.advance(1_000);
  second.show();
  schedule.advance(1_000);
  hub.admitNoMore();
  second.doubt();
  schedule.advance(100);
  expect([first.state(), second.state()].map(({ isConnected }) => isConnected)).toEqual([false, false]);
});

test('when the tab that leads crashes, the other one has the connection within 4.1 s and has missed nothing', () => {
  const { schedule, hub, world, channels } = openWorld(2);
  const [first, second] = [openTab(world, channels, 'first'), openTab(world, channels, 'second')];
  first.show();
  schedule.advance(1_000);
  second.show();
  schedule.advance(5_300);
  second.crash();
  expect(hub.streams()).toBe(0);
  hub.happen();
  let tookMs = 0;
  for (; hub.streams() === 0 && tookMs < 10_000; tookMs += 20) schedule.advance(20);
  schedule.advance(100);
  expect(tookMs).toBeLessThanOrEqual(4_100);
  expect(first.state()).toMatchObject({ seen: 1, isConnected: true });
});

test('another tab takes over at once from a tab that says that it leaves', () => {
  const { schedule, hub, world, channels } = openWorld(3);
  const [first, second] = [openTab(world, channels, 'first'), openTab(world, channels, 'second')];
  first.show();
  schedule.advance(1_000);
  second.show();
  schedule.advance(1_000);
  second.hide();
  second.leave();
  schedule.advance(100);
  expect([hub.streams(), first.state().isConnected]).toEqual([1, true]);
});

test('a single tab sends nothing to others but its events', () => {
  const { schedule, world, channels } = openWorld(4);
  let words = 0;
  channels.join(() => (words += 1));
  openTab(world, channels, 'alone').show();
  schedule.advance(1_000);
  words = 0;
  schedule.advance(60_000);
  // The heartbeats of the tab.
  expect(words).toBe(4);
});

const SEEDS = runs(400);

test('after any actions of tabs, one connection serves all visible ones, and each event came once', () => {
  for (let seed = 0; seed < SEEDS; seed += 1) {
    expect(() => letTabsPlay(seed), `seed ${seed}`).not.toThrow();
  }
});

function letTabsPlay(seed: number): void {
  const { schedule, hub, dice, world, channels } = openWorld(seed);
  const pick = <One>(of: readonly One[]): One => of[Math.floor(dice() * of.length)] as One;
  const count = 3 + Math.floor(dice() * 6);
  const tabs = Array.from({ length: count }, (_, index) => openTab(world, channels, `tab ${index}`));
  const acts: readonly ((tab: (typeof tabs)[0]) => unknown)[] = [
    (tab) => tab.show(),
    (tab) => tab.show(),
    (tab) => tab.hide(),
    (tab) => tab.leave(),
    (tab) => tab.crash(),
    (tab) => tab.freeze(),
    (tab) => tab.thaw(),
    (tab) => tab.doubt(),
    () => hub.happen(),
    () => hub.happen(),
    () => Array.from({ length: 20 }, hub.happen),
    () => dice() < 0.15 && hub.restart(dice() * 3_000),
  ];
  for (let step = 0; step < 60; step += 1) {
    pick(acts)(pick(tabs));
    schedule.advance(pick([0, 5, 5, 20, 60, 400, 5_000]));
  }
  for (const tab of tabs) {
    tab.thaw();
    tab.leave();
  }
  schedule.advance(SETTLE_MS);
  hub.happen();
  schedule.advance(SETTLE_MS);
  const visible = tabs.filter((tab) => tab.isVisible()).map((tab) => tab.state());
  expect(hub.streams()).toBe(visible.length === 0 ? 0 : 1);
  for (const { seen, isConnected } of visible) {
    expect(isConnected).toBe(true);
    expect([hub.last(), lastSeen(hub.last())]).toContain(seen);
  }
}
