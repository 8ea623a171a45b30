import { expect, test } from 'vitest';
import { type ActEffect, createHomeActs, type HomeActsDeps } from '#automations/engine/home-acts.ts';
import { DIRECT } from '#core/cause/cause.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

test('of two changes of one variable that are under way each has its own cause', () => {
  const wishes: unknown[] = [];
  const by = { userId: 'ada' };
  const deps = {
    home: {
      variables: {
        setVariable: (key: string, wish: object) => {
          wishes.push({ key, ...wish });
          return new Promise(() => undefined);
        },
      },
    },
    findSigner: () => ({ may: () => true, issuer: by }),
    log: createRecordingLog().log,
  } as unknown as HomeActsDeps;
  const acts = createHomeActs(deps);
  for (const depth of [1, 2]) {
    const cause = { ...DIRECT, depth };
    acts.act({ kind: 'set_variable', variable: 'x', value: depth, cause } as unknown as ActEffect);
  }
  expect(wishes).toEqual([1, 2].map((depth) => ({ key: 'x', value: depth, by, cause: { ...DIRECT, depth } })));
});

test('another is enabled only where that is allowed still when its turn has come', () => {
  const enabled: string[] = [];
  const suspended: string[] = [];
  let refusal: string | null = null;
  const deps = {
    automations: {
      setEnabled: async (id: string) => void enabled.push(id),
      suspend: async (id: string, code: string) => void suspended.push(`${id} ${code}`),
    },
    alarms: { suspended: () => undefined },
    findSigner: () => ({ may: () => true, issuer: {} }),
    steerRefusal: () => refusal,
    log: createRecordingLog().log,
  } as unknown as HomeActsDeps;
  const { act } = createHomeActs(deps);
  for (const [target, why] of [
    ['a', null],
    ['b', 'CAUSE_NOT_ALLOWED'],
    ['c', 'RIGHTS_MISSING'],
  ] as const) {
    refusal = why;
    act({ kind: 'enable', automation: `of ${target}`, target, cause: DIRECT } as unknown as ActEffect);
  }
  expect([enabled, suspended]).toEqual([['a'], ['of c RIGHTS_MISSING']]);
});

test('a request is sent, and may not reach the hub itself, where nobody can say who wrote its URL', async () => {
  const sent: unknown[] = [];
  const { log, lines } = createRecordingLog();
  const ended = new Promise<unknown>((resolve) => {
    const deps = {
      automations: { mayReachHub: () => Promise.reject(new Error('the disk fails')) },
      findSigner: () => ({ may: () => true, issuer: {} }),
      send: async (request: object) => (sent.push(request), { error: null }),
      onRequestEnded: (_ref: string, error: string | null) => resolve(error),
      log,
    } as unknown as HomeActsDeps;
    const step = { method: 'GET', url: 'http://printer.home.test/' };
    createHomeActs(deps).act({ kind: 'request', ref: 'r', step, cause: DIRECT } as unknown as ActEffect);
  });
  expect(await ended).toBeNull();
  expect(sent).toMatchObject([{ mayReachHub: false }]);
  expect(lines.join()).toContain('who wrote a URL cannot be read');
});
