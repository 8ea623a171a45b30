import { describe, expect, test } from 'vitest';
import { DIRECT } from '#core/cause/cause.ts';
import { closeBreaker, createBreaker, takeStart, trip } from '#core/automation-run/guard/breaker.ts';
import { type Flapping, noteCommand } from '#core/automation-run/guard/flapping.ts';
import { type Hands, heldSince, noteMove } from '#core/automation-run/guard/hands.ts';

const WHY = { reason: 'too_many_starts', detail: '' } as const;

describe('the breaker of an automation', () => {
  test('30 starts at once, then one a second', () => {
    const breaker = createBreaker(0);
    const starts = (nowMs: number, tries: number): number =>
      Array.from({ length: tries }, () => takeStart(breaker, nowMs)).filter(Boolean).length;
    expect(starts(0, 40)).toBe(30);
    expect(starts(999, 1)).toBe(0);
    expect(starts(5_000, 40)).toBe(5);
  });

  test('a start comes back after a second, whatever was tried in between', () => {
    const breaker = createBreaker(0);
    for (let start = 0; start < 30; start += 1) takeStart(breaker, 0);
    // Ten tenths add up to less than one where each is added by itself.
    const starts = Array.from({ length: 30 }, (_, at) => takeStart(breaker, (at + 1) * 100));
    expect(starts.flatMap((given, at) => (given ? [at] : []))).toEqual([9, 19, 29]);
  });

  test('high limits give back ten a second and not more', () => {
    const breaker = createBreaker(0);
    for (let start = 0; start < 30; start += 1) takeStart(breaker, 0, 1_000);
    const starts = Array.from({ length: 40 }, () => takeStart(breaker, 1_000, 1_000));
    expect(starts.filter(Boolean)).toHaveLength(10);
  });

  test('a clock that goes back takes no start away', () => {
    const breaker = createBreaker(1_000_000);
    takeStart(breaker, 1_000_000);
    expect(takeStart(breaker, 0)).toBe(true);
    expect(breaker.left).toBe(28);
  });

  test('each trip is twice as long as the one before, up to a day, and a quiet day makes it short again', () => {
    const breaker = createBreaker(0);
    const minutes = Array.from({ length: 10 }, (_, at) => trip(breaker, at, WHY) / 60_000);
    expect(minutes).toEqual([10, 20, 40, 80, 160, 320, 640, 1_280, 1_440, 1_440]);
    closeBreaker(breaker, 20);
    expect(trip(breaker, 9 + 86_400_001, WHY)).toBe(600_000);
  });
});

describe('automations that fight over a feature', () => {
  const given = (
    flapping: Flapping,
    commands: readonly (readonly [run: string, value: number | boolean, atMs: number])[],
  ) => commands.map(([run, value, atMs]) => noteCommand(flapping, 'lamp on', { run, value, atMs }));

  test('ten commands of different runs, back and forth within ten seconds, are a fight', () => {
    const commands = Array.from({ length: 10 }, (_, at) => [`r${at}`, at % 2 === 0, at * 900] as const);
    expect(given(new Map(), commands)).toEqual([...Array<boolean>(9).fill(false), true]);
  });

  test.each([
    ['a dimmer turned up in steps', (at: number) => [`r${at}`, at, at * 100] as const],
    ['the same value again and again', (at: number) => [`r${at}`, true, at * 100] as const],
    ['one run that makes a lamp flash', (at: number) => ['r', at % 2 === 0, at * 100] as const],
    ['a change each two seconds', (at: number) => [`r${at}`, at % 2 === 0, at * 2_000] as const],
  ])('%s is none', (_name, command) => {
    expect(
      given(
        new Map(),
        Array.from({ length: 50 }, (_, at) => command(at)),
      ),
    ).not.toContain(true);
  });

  test('2,000 features are remembered, and the one that was quiet for longest goes first', () => {
    const flapping: Flapping = new Map();
    for (let at = 0; at < 2_500; at += 1) noteCommand(flapping, `lamp-${at}`, { run: 'r', value: at, atMs: at });
    expect(flapping.size).toBe(2_000);
    expect([...flapping.keys()][0]).toBe('lamp-500');
  });
});

describe('a hand', () => {
  const move = (hands: Hands, value: boolean, details: { from?: boolean; byHub?: boolean; atMs?: number } = {}) => {
    const { from = !value, byHub = false, atMs = 0 } = details;
    noteMove(hands, 'lamp on', { from, value, cause: byHub ? DIRECT : null, atMs, longestMs: 1_800_000 });
  };
  const held = (hands: Hands, nowMs: number, releasedMs = -1) =>
    heldSince(hands, 'lamp on', { nowMs, forMs: 1_800_000, releasedMs });

  test('holds what it moved for the time', () => {
    const hands: Hands = new Map();
    move(hands, false);
    expect([held(hands, 1_799_999), held(hands, 1_800_000)]).toEqual([0, undefined]);
  });

  test('lets go by putting it back', () => {
    const hands: Hands = new Map();
    move(hands, false);
    move(hands, true, { atMs: 10 });
    expect(held(hands, 20)).toBeUndefined();
  });

  test('that puts back later what it let go of by time holds it anew', () => {
    const hands: Hands = new Map();
    move(hands, true);
    move(hands, false, { atMs: 2_000_000 });
    expect(held(hands, 2_000_010)).toBe(2_000_000);
    move(hands, true, { atMs: 2_000_020 });
    expect(held(hands, 2_000_030)).toBeUndefined();
  });

  test('a command of the hub that came after it takes over', () => {
    const hands: Hands = new Map();
    move(hands, false);
    move(hands, true, { byHub: true, atMs: 5 });
    expect(held(hands, 20)).toBeUndefined();
  });

  test('lets go at a later change of the mode', () => {
    const hands: Hands = new Map();
    move(hands, false, { atMs: 50 });
    expect([held(hands, 60, 40), held(hands, 60, 55)]).toEqual([50, undefined]);
  });

  test('holds nothing for an automation that does not yield', () => {
    const hands: Hands = new Map();
    move(hands, false);
    expect(heldSince(hands, 'lamp on', { nowMs: 1, forMs: 0, releasedMs: -1 })).toBeUndefined();
  });
});
