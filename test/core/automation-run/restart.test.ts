import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { type Act, acts, DEVICES, DOCUMENTS, NAMES } from '#test/support/automation/interrupted.ts';
import { automation, createVirtualHome, type VirtualHome } from '#test/support/automation/virtual-home.ts';
import { definitionOf } from '#test/support/automation/known-home.ts';
import { searchOf } from '#test/support/machine/runs.ts';
import { idOf } from '#core/automation-run/trace/run-reason.ts';

function play(home: VirtualHome, { afterMs, what }: Act): void {
  home.advance(afterMs);
  if (what === 'motion' || what === 'still') home.report('motion', 'motion', what === 'motion');
  if (what === 'open' || what === 'shut') home.report('door', 'open', what === 'open');
  if (what === 'more' || what === 'less') home.report('meter', 'power', what === 'more' ? 60 : 40);
  if (what === 'away' || what === 'back') home.setAvailability('door', what === 'away' ? 'offline' : 'online');
}

function homeOf(names: readonly string[], cutAfter?: number): VirtualHome {
  const automations = names.map((name) => automation(name, { ...(DOCUMENTS[name] as Partial<Definition>) }));
  return createVirtualHome({ devices: DEVICES, automations, ...(cutAfter === undefined ? {} : { cutAfter }) });
}

/** Ids of runs differ from process to process. */
const endsOf = (home: VirtualHome): readonly string[] =>
  home
    .outcomes()
    .map((outcome) => outcome.replace(/newer_run .*/, 'newer_run'))
    .toSorted();

/** What a trigger can do only once. */
const startOf = ({ automation: id, trigger }: AutomationRun): string =>
  `${id} ${trigger.id} ${trigger.device} ${trigger.atMs}`;

const ofAll = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1, maxLength: NAMES.length });
const END_MS = 300_000;
/** Both took 45 s at full size, on two cores at load 12. */
const SEARCH_MS = 120_000;

const TURN_ON = { command: { targets: { devices: ['lamp'] }, set: { on: true } } };

describe('a run that a restart interrupts', () => {
  test(
    'goes on as if nothing had happened, wherever the hub stops',
    () => {
      fc.assert(
        fc.property(ofAll, acts, fc.nat(14), (names, script, stopAt) => {
          const whole = homeOf(names);
          const cut = homeOf(names);
          for (const [at, act] of script.entries()) {
            play(whole, act);
            play(cut, act);
            if (at === stopAt % script.length) cut.restart();
          }
          whole.advance(END_MS);
          cut.advance(END_MS);
          expect(cut.sent()).toEqual(whole.sent());
          expect(endsOf(cut)).toEqual(endsOf(whole));
        }),
        searchOf(4_000),
      );
    },
    SEARCH_MS,
  );

  test(
    'does nothing twice, and loses no wait that is older than a second, wherever the power is cut',
    () => {
      fc.assert(
        fc.property(ofAll, acts, fc.integer({ min: 1, max: 120 }), (names, script, cutAfter) => {
          const home = homeOf(names, cutAfter);
          for (const act of script) play(home, act);
          home.advance(END_MS);
          const refs = home.commands().map(({ command }) => command.ref);
          expect(refs).toEqual([...new Set(refs)]);
          const starts = home
            .traces()
            .filter(({ steps }) => steps.length > 0)
            .map(startOf);
          expect(starts).toEqual([...new Set(starts)]);
          for (const trace of home.traces()) {
            if (idOf(trace.reason) !== 'not_written') continue;
            const wasInTurn = home
              .commands()
              .some(({ atMs, command }) => command.run === trace.id && atMs === home.cutAtMs());
            if (wasInTurn) continue;
            const lastMs = Math.max(trace.startedAtMs, ...trace.steps.map(({ atMs, ms }) => atMs + (ms ?? 0)));
            expect((home.cutAtMs() ?? -Infinity) - lastMs).toBeLessThanOrEqual(1_000);
          }
        }),
        searchOf(4_000),
      );
    },
    SEARCH_MS,
  );
});

test('a run in a queue begins although the one before it cannot be read after the restart', () => {
  const turn = (on: boolean) => ({ command: { targets: { devices: ['lamp'] }, set: { on } } });
  const definition = definitionOf({
    mode: { kind: 'queued', max: 3 },
    triggers: [{ type: 'feature', device: 'motion', key: 'motion' }],
    steps: [{ delay: { s: 60 } }, turn(true)],
  });
  const home = createVirtualHome({ devices: DEVICES, automations: [automation('a', definition)] });
  home.report('motion', 'motion', true);
  home.report('motion', 'motion', false);
  const [first] = home.traces();
  home.restart({ loses: `run/${first?.id ?? ''}` });
  home.advance(100_000);
  expect([home.sent().length, home.outcomes()]).toEqual([1, ['abandoned: not_written', 'finished']]);
});

test('a run whose trace a power cut took says how many of its steps have no line', () => {
  const turn = (on: boolean) => ({ command: { targets: { devices: ['lamp'] }, set: { on } } });
  const definition = definitionOf({
    triggers: [{ type: 'feature', device: 'motion', key: 'motion', to: true }],
    steps: [turn(true), { delay: { s: 60 } }, turn(false)],
  });
  const home = createVirtualHome({ devices: DEVICES, automations: [automation('a', definition)] });
  home.report('motion', 'motion', true);
  home.advance(5_000);
  home.restart({ isPowerCut: true, losesTraces: true });
  home.advance(60_000);
  const lines = home.traces().map(({ outcome, steps, stepsLeftOut }) => ({
    outcome,
    told: steps.map(({ pointer }) => pointer),
    stepsLeftOut,
  }));
  expect(lines).toEqual([{ outcome: 'finished', told: ['/steps/2/command'], stepsLeftOut: 2 }]);
});

test('steps of rounds and ways count too, and so they do after a second power cut', () => {
  const turn = (on: boolean) => ({ command: { targets: { devices: ['lamp'] }, set: { on } } });
  const wait = { delay: { s: 60 } };
  const definition = definitionOf({
    triggers: [{ type: 'feature', device: 'motion', key: 'motion', to: true }],
    steps: [
      { repeat: { times: 3, max: 3, steps: [turn(true), turn(false)] } },
      {
        choose: {
          cases: [{ if: { feature: { device: 'motion', key: 'motion', is: true } }, then: [wait, turn(true), wait] }],
        },
      },
    ],
  });
  const home = createVirtualHome({ devices: DEVICES, automations: [automation('a', definition)] });
  home.report('motion', 'motion', true);
  home.advance(5_000);
  const before = home.traces()[0]?.steps.length ?? 0;
  expect(before).toBeGreaterThan(7);
  home.restart({ isPowerCut: true, losesTraces: true });
  home.advance(60_000);
  const lines = () => home.traces().map(({ steps, stepsLeftOut }) => [steps.length, stepsLeftOut]);
  // The command and the second wait.
  expect(lines()).toEqual([[2, before]]);
  home.restart({ isPowerCut: true, losesTraces: true });
  home.advance(60_000);
  expect(lines()).toEqual([[0, before + 2]]);
  expect(home.outcomes()).toEqual(['finished']);
});

describe('a trigger that was changed under its id just before a power cut', () => {
  const saved = (trigger: object, version: number) => ({
    ...automation('a', definitionOf({ triggers: [trigger], steps: [TURN_ON] } as never)),
    version,
  });

  test('has nothing of what the earlier one held', () => {
    const held = { id: 't', type: 'threshold', device: 'meter', key: 'power' };
    const home = createVirtualHome({ devices: DEVICES, automations: [saved({ ...held, above: 50, for_s: 3_600 }, 1)] });
    home.report('meter', 'power', 40);
    home.report('meter', 'power', 60);
    home.advance(20_000);
    home.save(saved({ ...held, above: 55, for_s: 30 }, 2));
    home.restart({ isPowerCut: true });
    home.advance(4_000_000);
    expect(home.sent()).toEqual([]);
    home.report('meter', 'power', 40);
    home.report('meter', 'power', 60);
    home.advance(31_000);
    expect(home.sent()).toHaveLength(1);
  });
});
