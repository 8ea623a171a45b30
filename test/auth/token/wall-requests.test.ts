import { describe, expect, test } from 'vitest';
import { createWallRequests } from '#auth/token/wall-requests.ts';
import type { HubError } from '#base/hub-error.ts';
import { systemRandom } from '#base/random.ts';

function openScreens() {
  let nowMs = 1_000_000;
  let count = 0;
  const screens = createWallRequests({
    monotonicMs: () => nowMs,
    random: systemRandom,
    newId: () => `id-${(count += 1)}`,
  });
  const pass = (seconds: number): void => void (nowMs += seconds * 1_000);
  const stateOf = ({ id, secret }: { readonly id: string; readonly secret: string }): string | undefined =>
    screens.answerTo(id, secret, { isLook: false })?.state;
  const waitOf = (peer: string): unknown => {
    try {
      screens.ask('Tablet', peer);
    } catch (cause) {
      return [(cause as HubError).code, (cause as HubError).options.retryAfterS];
    }
    return 'asked';
  };
  const found = (code: string) => {
    const request = screens.find(code);
    if (request === undefined) throw new Error('no screen shows these digits');
    return request;
  };
  return { screens, pass, stateOf, waitOf, found };
}

describe('a screen on the wall', () => {
  test('gets its token once, and only with its secret', () => {
    const { screens, found, stateOf } = openScreens();
    const asked = screens.ask('Tablet', '192.168.1.30');
    expect(asked.code).toMatch(/^\d{6}$/);
    expect(found(asked.code)).toMatchObject({ name: 'Tablet', address: '192.168.1.30' });
    expect(stateOf(asked)).toBe('open');
    screens.allow(found(asked.code), 'hat_x');
    for (const secret of ['', 'x', `${asked.secret}x`, asked.id]) expect(stateOf({ ...asked, secret })).toBeUndefined();
    expect(screens.answerTo(asked.id, asked.secret, { isLook: true })).toEqual({ state: 'allowed', token: 'hat_x' });
    expect(screens.answerTo(asked.id, asked.secret, { isLook: false })).toEqual({ state: 'allowed', token: 'hat_x' });
    expect(screens.answerTo(asked.id, asked.secret, { isLook: false })).toEqual({ state: 'handed_over' });
  });

  test('ends after 300 s by a clock that nobody sets, and one that was just allowed a minute later', () => {
    const { screens, pass, found, stateOf } = openScreens();
    const [late, lost] = [screens.ask('A', '192.168.1.30'), screens.ask('B', '192.168.1.31')];
    pass(299.5);
    expect([stateOf(late), screens.secondsLeft(found(late.code))]).toEqual(['open', 1]);
    screens.allow(found(late.code), 'hat_x');
    pass(0.5);
    expect([stateOf(lost), screens.find(lost.code)]).toEqual([undefined, undefined]);
    pass(59);
    expect(stateOf(late)).toBe('allowed');
    pass(1);
    expect(stateOf(late)).toBeUndefined();
  });

  test('gets no token once it was refused, has ended, or has asked anew', () => {
    const { screens, pass, found } = openScreens();
    const refused = found(screens.ask('A', '192.168.1.30').code);
    screens.refuse(refused);
    expect([screens.allow(refused, 'hat_x'), screens.secondsLeft(refused)]).toEqual([false, 0]);
    const older = found(screens.ask('B', '192.168.1.31').code);
    pass(60);
    const newer = found(screens.ask('B', '192.168.1.31').code);
    expect([screens.allow(older, 'hat_x'), screens.allow(newer, 'hat_x')]).toEqual([false, true]);
    const ended = found(screens.ask('C', '192.168.1.32').code);
    pass(300);
    expect(screens.allow(ended, 'hat_x')).toBe(false);
  });

  test('learns that it was refused', () => {
    const { screens, found, stateOf } = openScreens();
    const asked = screens.ask('A', '192.168.1.30');
    screens.refuse(found(asked.code));
    expect([stateOf(asked), screens.secondsLeft(found(asked.code))]).toEqual(['refused', 0]);
  });

  test('asks once a minute, and its newer request takes the place of the older', () => {
    const { screens, pass, waitOf, stateOf } = openScreens();
    const first = screens.ask('A', '192.168.1.30');
    expect(waitOf('::ffff:192.168.1.30')).toEqual(['TOO_MANY_REQUESTS', 60]);
    expect(stateOf(first)).toBe('open');
    pass(60);
    expect([waitOf('192.168.1.30'), stateOf(first)]).toEqual(['asked', undefined]);
  });
});

describe('many screens', () => {
  test('three may be open; the next waits for the first to end', () => {
    const { pass, waitOf } = openScreens();
    for (const last of [1, 2, 3]) expect(waitOf(`192.168.1.${last}`)).toBe('asked');
    pass(100);
    expect(waitOf('192.168.1.4')).toEqual(['TOO_MANY_REQUESTS', 200]);
    pass(200);
    expect(waitOf('192.168.1.4')).toBe('asked');
  });

  test('no neighbours hold all places: those that ask again and again give way to a newcomer', () => {
    const { screens, pass, waitOf, stateOf } = openScreens();
    const greedy = ['192.168.1.1', '192.168.1.2', '192.168.1.3'];
    for (const peer of greedy) expect(waitOf(peer)).toBe('asked');
    pass(300);
    for (const peer of greedy) expect(waitOf(peer)).toBe('asked');
    const tablet = screens.ask('Tablet', '192.168.1.40');
    pass(60);
    expect(waitOf(greedy[0] ?? '')).toEqual(['TOO_MANY_REQUESTS', 240]);
    expect(stateOf(tablet)).toBe('open');
  });

  test('one machine with many addresses of IPv6 holds no places for long either', () => {
    const { screens, pass, waitOf, stateOf } = openScreens();
    for (const last of [1, 2, 3]) expect(waitOf(`fe80::${last}`)).toBe('asked');
    const tablet = screens.ask('Tablet', '192.168.1.40');
    pass(60);
    expect(waitOf('fe80::4')).toEqual(['TOO_MANY_REQUESTS', 240]);
    expect(stateOf(tablet)).toBe('open');
  });
});
