import { beforeAll, describe, expect, test } from 'vitest';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { Caller, TokenCaller } from '#auth/caller.ts';
import type { HubError } from '#base/hub-error.ts';
import { createRations, type TakeRation } from '#http/routing/rations.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Route } from '#http/routing/route.ts';
import { callerOf, createTestApp } from '#test/support/hub/http-app.ts';
import { type HubApp, openHubApp } from '#test/support/hub/hub-app.ts';

function openRations() {
  const time = { ms: 0 };
  return { time, take: createRations({ monotonicMs: () => time.ms }) };
}

const WRITE = { method: 'PATCH' } as const;
const COMMAND = { method: 'POST', ration: 'command' } as const;

/** How many of so many tries pass. */
function passed(take: TakeRation, route: Pick<Route, 'method' | 'ration'>, caller: Caller = callerOf('resident')) {
  return (tries: number): number => {
    let count = 0;
    for (let index = 0; index < tries; index += 1) {
      try {
        take(route, caller);
        count += 1;
      } catch (cause) {
        const { code, options } = cause as HubError;
        if (code !== 'TOO_MANY_REQUESTS' || options.retryAfterS !== 1) throw cause;
      }
    }
    return count;
  };
}

describe('H2: a caller with a token', () => {
  test.each([
    { what: 'commands', route: COMMAND, perS: 10 },
    { what: 'changes', route: WRITE, perS: 5 },
  ])('has 60 $what at once and then $perS a second', ({ route, perS }) => {
    const { time, take } = openRations();
    const tries = passed(take, route);
    expect(tries(1_000)).toBe(60);
    for (let second = 1; second <= 5; second += 1) {
      time.ms += 1_000;
      expect(tries(1_000)).toBe(perS);
    }
    time.ms += 60_000;
    expect(tries(1_000)).toBe(60);
  });

  test('may read without limit', () => {
    expect(passed(openRations().take, { method: 'GET' })(10_000)).toBe(10_000);
  });

  test('shares its ration with all logins of its person, while each API token has its own', () => {
    const { take } = openRations();
    const resident = callerOf('resident');
    const token = (id: string): Caller => {
      const grant = { id: id as ApiTokenId, scopes: new Set<never>(), limits: undefined, provider: null };
      const caller: TokenCaller = { kind: 'api_token', user: resident.user, grant, current: () => caller };
      return caller;
    };
    expect(passed(take, COMMAND, resident)(100)).toBe(60);
    expect(passed(take, COMMAND, { ...resident, sessionId: 'another' } as typeof resident)(100)).toBe(0);
    expect(passed(take, COMMAND, token('one'))(100)).toBe(60);
    expect(passed(take, COMMAND, token('two'))(100)).toBe(60);
    expect(passed(take, COMMAND, callerOf('guest'))(100)).toBe(60);
  });

  test('uses each ration separately', () => {
    const { take } = openRations();
    expect([passed(take, COMMAND)(100), passed(take, WRITE)(100)]).toEqual([60, 60]);
  });
});

describe('H2: rations over HTTP', () => {
  let hub: HubApp;
  beforeAll(async () => {
    hub = await openHubApp();
  });

  test('every call that changes something is counted, before its body is read', async () => {
    const changing = hub.routes.filter(({ method, access }) => method !== 'GET' && access !== 'public');
    expect(changing.length).toBeGreaterThan(25);
    for (const route of changing) {
      const { time, take } = openRations();
      let handled = 0;
      const handle = async (): Promise<RouteAnswer> => {
        handled += 1;
        return { status: 204 };
      };
      const one = { ...route, handle, body: undefined, answers: { 204: null } } as unknown as Route;
      const { app } = createTestApp([one], { takeRation: take });
      const path = route.path.replaceAll(/:\w+/g, 'x');
      const ask = () =>
        app.fetch(
          new Request(`http://hub.local${path}`, { method: route.method, headers: { Authorization: 'Bearer owner' } }),
        );
      const statuses: number[] = [];
      for (let index = 0; index < 62; index += 1) statuses.push((await ask()).status);
      expect([route.path, handled, statuses.at(-1)]).toEqual([route.path, 60, 429]);
      const refused = await ask();
      expect(refused.headers.get('retry-after')).toBe('1');
      time.ms += 1_000;
      expect((await ask()).status).toBe(204);
    }
  });
});
