import { expect, test } from 'vitest';
import { createEffects, type EffectsDeps } from '#automations/engine/effects.ts';
import type { Effect } from '#core/automation-run/engine.ts';

test('a command has all promises of its turn for its way before its trace is made, and what follows keeps its order', async () => {
  const done: string[] = [];
  const note = (what: string) => (): void => void done.push(what);
  const send = async (): Promise<void> => {
    for (let hop = 0; hop < 50; hop += 1) await Promise.resolve();
    done.push('sent');
  };
  const deps = {
    timers: { arm: note('arm'), disarm: note('disarm') },
    entries: { keep: note('keep'), writeFirst: async () => true },
    desk: {
      give: () => {
        done.push('given');
        void send();
      },
    },
    reports: { putRun: note('trace') },
    isStopped: () => false,
  } as unknown as EffectsDeps;
  const effects = [{ kind: 'command' }, { kind: 'command' }, { kind: 'trace', run: { id: 'r' } }, { kind: 'persist' }];
  await createEffects(deps)(effects as unknown as readonly Effect[]);
  expect(done).toEqual(['given', 'given', 'sent', 'sent', 'trace', 'keep']);
});

test('a thousand traces keep their order, and leave others their turn', async () => {
  const done: string[] = [];
  const deps = {
    entries: { keep: () => done.push('keep'), writeFirst: async () => true },
    reports: { putRun: ({ id }: { readonly id: string }) => done.push(id) },
    isStopped: () => false,
  } as unknown as EffectsDeps;
  const traces = Array.from({ length: 1_000 }, (_, at) => ({ kind: 'trace', run: { id: String(at) } }));
  let left = 0;
  setImmediate(() => (left = traces.length - done.length));
  await createEffects(deps)([...traces, { kind: 'persist' }] as unknown as readonly Effect[]);
  expect(left).toBeGreaterThan(500);
  expect(done).toEqual([...traces.map(({ run }) => run.id), 'keep']);
});
