import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { type Attempt, createLoginThrottle } from '#auth/sign-in/login-throttle.ts';
import { systemRandom } from '#base/random.ts';
import { expectBelow, readMemory } from '#test/support/machine/bounds.ts';

const OWNER = 'anna@example.org';
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

function openThrottle() {
  const time = { ms: 0 };
  const throttle = createLoginThrottle({ monotonicMs: () => time.ms, random: systemRandom });
  const enter = (peer: string, email = OWNER): Attempt | number => {
    const admission = throttle.admitLogin({ peer, email });
    return admission.kind === 'admitted' ? admission.attempt : admission.retryAfterS;
  };
  /** 0 for a wrong password that was checked, otherwise the seconds to wait. */
  const fail = (peer: string, email = OWNER): number => {
    const entered = enter(peer, email);
    return typeof entered === 'number' ? entered : 0;
  };
  const succeed = (peer: string, email = OWNER): number => {
    const entered = enter(peer, email);
    if (typeof entered === 'number') return entered;
    entered.succeed();
    return 0;
  };
  const passS = (seconds: number): void => void (time.ms += seconds * 1_000);
  return { ...throttle, time, enter, fail, succeed, passS };
}

const times = <Result>(count: number, run: (index: number) => Result): Result[] =>
  Array.from({ length: count }, (_, index) => run(index));
const peerOf = (index: number): string => `192.168.${index >> 8}.${index & 255}`;

describe('A9: a peer', () => {
  test('has five failures free, then waits 2, 4, 8, 16, 32 and 60 seconds, and is never shut out', () => {
    const { fail, passS } = openThrottle();
    // Each at another account, so that no account gets ten failures.
    expect(times(6, (index) => fail('10.0.0.1', `x${index}`))).toEqual([0, 0, 0, 0, 0, 2]);
    let accounts = 0;
    for (const waitS of [2, 4, 8, 16, 32, 60, 60, 60]) {
      expect(fail('10.0.0.1', 'y')).toBe(waitS);
      passS(waitS - 0.001);
      expect(fail('10.0.0.1', 'y')).toBe(1);
      passS(0.001);
      expect(fail('10.0.0.1', `z${waitS}${(accounts += 1)}`)).toBe(0);
    }
  });

  test('has five failures free again after fifteen minutes', () => {
    const { fail, passS } = openThrottle();
    times(5, (index) => fail('10.0.0.1', `x${index}`));
    passS(15 * 60);
    expect(times(6, (index) => fail('10.0.0.1', `y${index}`))).toEqual([0, 0, 0, 0, 0, 2]);
  });

  test('is one address, also of IPv6, and the IPv4 address in a mapped one', () => {
    const { fail } = openThrottle();
    times(5, (index) => fail('fd00::1', `x${index}`));
    expect(fail('fd00::1', 'y')).toBe(2);
    expect(fail('fd00::2', 'y')).toBe(0);
    times(5, (index) => fail('fe80::1%eth0', `z${index}`));
    expect(fail('FE80::1%eth0', 'y')).toBe(2);
    expect(fail('fe80::2%eth0', 'y')).toBe(0);
    times(5, (index) => fail('::ffff:10.0.0.1', `x${index}`));
    expect(fail('10.0.0.1', 'y')).toBe(2);
  });

  test('that is one of thousands of a host shares one try a second with them, and takes none from other networks', () => {
    const { fail, passS } = openThrottle();
    const tries = times(600, (index) => {
      passS(0.1);
      return fail(`fd00::${(index + 1).toString(16)}`, `x${index}`);
    });
    const admitted = tries.filter((waitS) => waitS === 0).length;
    expect(admitted).toBeGreaterThanOrEqual(89);
    expect(admitted).toBeLessThanOrEqual(91);
    expect(fail('fd00:0:0:1::1', 'y')).toBe(0);
    expect(fail('10.0.0.1', 'z')).toBe(0);
  });

  test('gains nothing by asking a hundred times at once', () => {
    const { enter } = openThrottle();
    const entered = times(100, () => enter('10.0.0.1')).filter((one) => typeof one !== 'number');
    expect(entered).toHaveLength(5);
  });

  test('has no failure counted for a try that was never checked', () => {
    const { enter, fail } = openThrottle();
    for (let round = 0; round < 20; round += 1) {
      const entered = enter('10.0.0.1');
      if (typeof entered !== 'number') entered.cancel();
    }
    expect(times(5, () => fail('10.0.0.1'))).toEqual([0, 0, 0, 0, 0]);
  });

  test('with its own account resets nothing at the accounts of others', () => {
    const { fail, succeed } = openThrottle();
    times(4, () => fail('10.0.0.1'));
    expect(succeed('10.0.0.1', 'mallory@example.org')).toBe(0);
    expect(fail('10.0.0.1')).toBe(0);
    expect(fail('10.0.0.1')).toBe(2);
  });

  test('that finally gives the right password has its failures at this account forgiven, and no others', () => {
    const { fail, succeed } = openThrottle();
    times(2, () => fail('10.0.0.1', 'other@example.org'));
    times(2, () => fail('10.0.0.1'));
    expect(succeed('10.0.0.1')).toBe(0);
    expect(times(4, () => fail('10.0.0.1'))).toEqual([0, 0, 0, 2]);
  });
});

describe('A9: an account', () => {
  test('has ten failures free, then one try per 30 s', () => {
    const { fail, passS } = openThrottle();
    expect(times(12, (index) => fail(peerOf(index)))).toEqual([...times(10, () => 0), 30, 30]);
    passS(29);
    expect(fail(peerOf(20))).toBe(1);
    passS(1);
    expect(fail(peerOf(10))).toBe(0);
    expect(fail(peerOf(11))).toBe(30);
  });

  test.each([OWNER, 'nobody@example.org'])('whether or not it exists: %s', (email) => {
    const { fail, passS } = openThrottle();
    const seen: number[] = [];
    for (let index = 0; index < 300; index += 1) {
      seen.push(fail(peerOf(index % 40), email));
      passS(0.7);
    }
    const other = openThrottle();
    const expected: number[] = [];
    for (let index = 0; index < 300; index += 1) {
      expected.push(other.fail(peerOf(index % 40), 'someone@else'));
      other.passS(0.7);
    }
    expect(seen).toEqual(expected);
    expect(seen.filter((waitS) => waitS === 0).length).toBeLessThan(20);
  });

  test('makes peers that failed before wait longer with each failure, up to 300 s', () => {
    const { fail, passS } = openThrottle();
    times(10, (index) => fail(peerOf(index)));
    const waits: number[] = [];
    for (let round = 0; round < 6; round += 1) {
      const waitS = fail(peerOf(round));
      waits.push(waitS);
      passS(waitS);
      expect(fail(peerOf(round))).toBe(0);
    }
    expect(waits).toEqual([30, 60, 120, 240, 300, 300]);
  });

  test('gives the turn to the peer with the fewest failures, however late it came and however much others press', () => {
    const { fail, succeed, passS } = openThrottle();
    times(10, (index) => fail(peerOf(index % 5)));
    for (let second = 0; second < 29; second += 1) {
      times(5, (index) => fail(peerOf(index)));
      passS(1);
    }
    expect(succeed('192.168.9.9')).toBe(1);
    passS(1);
    times(5, (index) => expect(fail(peerOf(index))).toBeGreaterThan(0));
    // Even a person who is slow to press the button gets the turn.
    passS(20);
    times(5, (index) => expect(fail(peerOf(index))).toBeGreaterThan(0));
    expect(succeed('192.168.9.9')).toBe(0);
  });

  test('stays protected when its owner logs in', () => {
    const { fail, succeed, passS } = openThrottle();
    times(10, (index) => fail(peerOf(index)));
    passS(30);
    expect(succeed('192.168.9.9')).toBe(0);
    // A right password was no guess, so another peer gets the turn.
    expect(fail(peerOf(100))).toBe(0);
    expect(fail(peerOf(101))).toBe(30);
  });

  test('gives a turn back that could not be used', () => {
    const { enter, fail, succeed, passS } = openThrottle();
    times(10, (index) => fail(peerOf(index)));
    passS(30);
    const entered = enter('192.168.9.9');
    if (typeof entered === 'number') throw new Error('it was not admitted');
    entered.cancel();
    expect(fail(peerOf(1))).toBeGreaterThan(0);
    expect(succeed('192.168.9.9')).toBe(0);
  });

  test('starts anew after an hour without a failure', () => {
    const { fail, time } = openThrottle();
    times(10, (index) => fail(peerOf(index)));
    time.ms += HOUR_MS + 1;
    expect(times(10, (index) => fail(peerOf(50 + index)))).toEqual(times(10, () => 0));
  });

  test.each([OWNER, 'nobody@example.org'])(
    'keeps its protection through a flood of made-up e-mail addresses, so that none shows which is real: %s',
    (email) => {
      const { fail } = openThrottle();
      times(10, (index) => fail(peerOf(index), email));
      times(20_000, (index) =>
        fail(`10.${index >> 12}.${(index >> 4) & 255}.${index & 15}`, `made-up-${Math.floor(index / 10)}`),
      );
      expect(fail('192.168.9.9', email)).toBe(30);
    },
  );

  test('has at most eight places in its queue for one network, so that no host fills it', () => {
    const { fail, succeed, passS } = openThrottle();
    times(10, (index) => fail(peerOf(index)));
    times(40, (index) => fail(`fd00::${index + 1}`));
    const waits: number[] = [];
    // Forty addresses of one host wait as patiently as the phone, which comes last and from elsewhere.
    let phoneS = 0;
    for (let passedS = 0; passedS < 300; passedS += 1) {
      times(40, (index) => fail(`fd00::${index + 1}`));
      if (passedS >= phoneS) {
        const waitS = succeed('192.168.9.9');
        waits.push(waitS);
        if (waitS === 0) break;
        phoneS = passedS + waitS;
      }
      passS(1);
    }
    expect(waits.at(-1)).toBe(0);
  });
});

describe('A9: a known client', () => {
  test('is not slowed by any attack on its account, and a thief with a stolen token is slowed separately', () => {
    const { fail, admitClient, passS } = openThrottle();
    times(60, (index) => fail(peerOf(index)));
    expect(times(6, () => admitClient('anna 1').kind)).toEqual([...times(5, () => 'admitted'), 'refused']);
    expect(admitClient('anna 2').kind).toBe('admitted');
    let guesses = 0;
    for (let second = 0; second < 3_600; second += 1) {
      if (admitClient('anna 1').kind === 'admitted') guesses += 1;
      passS(1);
    }
    expect(guesses).toBeLessThanOrEqual(70);
  });

  test('starts counting anew once its password was right', () => {
    const { admitClient } = openThrottle();
    times(4, () => admitClient('anna 1'));
    const admission = admitClient('anna 1');
    if (admission.kind === 'admitted') admission.attempt.succeed();
    expect(times(5, () => admitClient('anna 1').kind)).toEqual(times(5, () => 'admitted'));
  });
});

describe('A9: refresh tokens', () => {
  test('that the hub never issued are counted by peer, with a limit far above what a home has', () => {
    const { noteForeignToken } = openThrottle();
    expect(times(30, () => noteForeignToken('10.0.0.1')).every((waitS) => waitS === undefined)).toBe(true);
    expect(noteForeignToken('10.0.0.1')).toBe(2);
    expect(noteForeignToken('10.0.0.2')).toBeUndefined();
  });

  test('and passwords are counted separately', () => {
    const { noteForeignToken, fail } = openThrottle();
    times(40, () => noteForeignToken('10.0.0.1'));
    expect(fail('10.0.0.1')).toBe(0);
  });
});

describe('A9: what is remembered', () => {
  setFlagsFromString('--expose_gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const heapMb = (): number => {
    collectGarbage();
    return readMemory().heap / 1_000_000;
  };

  test.each([
    { peers: 30, emails: 1, limitMb: 0.2 },
    { peers: 1_000, emails: 1_000, limitMb: 5 },
  ])('of $peers peers at $emails accounts is less than $limitMb MB', ({ peers, emails, limitMb }) => {
    const { fail, passS } = openThrottle();
    const beforeMb = heapMb();
    for (let index = 0; index < 60_000; index += 1) {
      fail(peerOf(index % peers), `person-${Math.floor(index / peers) % emails}@example.org`);
      if (index % 1_000 === 0) passS(5);
    }
    expectBelow(`what is remembered of ${peers} peers, MB of heap`, heapMb() - beforeMb, limitMb);
    expect(fail(peerOf(0))).toBeGreaterThanOrEqual(0);
  });
});
