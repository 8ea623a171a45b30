import { expect, test } from 'vitest';
import { type ActEffect, createHomeActs, type HomeActsDeps } from '#automations/engine/home-acts.ts';
import { DIRECT } from '#core/command/cause.ts';
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
