import { expect, test } from 'vitest';
import { type ActEffect, createHomeActs, type HomeActsDeps } from '#automations/engine/home-acts.ts';
import { type Cause, DIRECT } from '#core/command/cause.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

const settle = () => new Promise((resolve) => setImmediate(resolve));

test('of two changes of one variable that are under way each has its own cause', async () => {
  const ends: (() => void)[] = [];
  const deps = {
    home: { variables: { setVariable: () => new Promise<void>((resolve) => void ends.push(resolve)) } },
    findSigner: () => ({ may: () => true, issuer: { userId: 'ada' }, isOwner: true }),
    log: createRecordingLog().log,
  } as unknown as HomeActsDeps;
  const acts = createHomeActs(deps);
  const event = { type: 'variable.changed', variable: { key: 'x' }, isGone: false } as HomeEvent;
  const causeWith = (depth: number): Cause => ({ ...DIRECT, depth });
  const give = (depth: number): void => {
    acts.act({ kind: 'set_variable', variable: 'x', value: depth, cause: causeWith(depth) } as unknown as ActEffect);
  };
  give(1);
  give(2);
  expect(acts.causeOf(event)).toEqual(causeWith(1));
  ends[0]?.();
  await settle();
  expect(acts.causeOf(event)).toEqual(causeWith(2));
  ends[1]?.();
  await settle();
  expect(acts.causeOf(event)).toBeNull();
});
