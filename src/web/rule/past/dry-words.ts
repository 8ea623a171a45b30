import type { AutomationDryRun } from '#web/client/api.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';
import { literalWords } from '#web/rule/sentence/hole-words.ts';
import { inside, type Json } from '#web/rule/sentence/json.ts';
import type { Line } from '#web/rule/sentence/sentence.ts';
import { ruleDry as dryWords } from '#web/strings/en/rule/dry.ts';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { reasonWords } from '#web/strings/rule/reason-words.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { nameOrGone } from './trace-words.ts';
import { errorWords } from '#web/strings/error-words.ts';

type Target = AutomationDryRun['commands'][number]['targets'][number];
type Note = { readonly text: string; readonly isBad: boolean };

/** Says what one step would do, and what of it not, with the reason. */
export function dryNotes(line: Line, { commands, others, trace }: AutomationDryRun, home: RuleHome): readonly Note[] {
  const isOf = ({ step }: { readonly step: string }): boolean =>
    step === line.pointer || step === inside(line.pointer, line.word);
  const sent = commands.filter(isOf).flatMap(({ after_ms: afterMs, targets, problem }): readonly Note[] => {
    if (problem !== null) return [{ text: dryWords.notSent(errorWords(problem)), isBad: true }];
    const reached = targets.filter((target) => target.problem === null);
    const words = reached.map((target) => dryWords.target(deviceWords(target, home), targetWords(target, home)));
    return [
      ...(words.length === 0 ? [] : [{ text: [afterWords(afterMs), ...words].join(' · '), isBad: false }]),
      ...targets.flatMap((target) =>
        target.problem === null
          ? []
          : [{ text: dryWords.notNow(deviceWords(target, home), errorWords(target.problem)), isBad: true }],
      ),
    ];
  });
  const done = others
    .filter(isOf)
    .map(({ kind, after_ms: afterMs, problem }): Note =>
      problem === null
        ? { text: [afterWords(afterMs), dryWords.kinds[kind] ?? kind].join(' · '), isBad: false }
        : { text: dryWords.notDone(errorWords(problem)), isBad: true },
    );
  const left = trace.steps
    .filter(({ pointer, outcome }) => outcome === 'skipped' && isOf({ step: pointer }))
    .map((step): Note => {
      const text = step.message === null ? dryWords.leftOut : dryWords.reason(dryWords.leftOut, reasonWords(step));
      return { text, isBad: false };
    });
  return [...sent, ...done, ...left];
}

/** How many devices and other things would not be done. */
function countProblems({ commands, others }: AutomationDryRun): number {
  const ofCommands = commands.map(({ problem, targets }) =>
    problem === null ? targets.filter((target) => target.problem !== null).length : 1,
  );
  return ofCommands.reduce((sum, count) => sum + count, 0) + others.filter(({ problem }) => problem !== null).length;
}

/** In one sentence what would come of a start. */
export function drySentence(run: AutomationDryRun): string {
  const { trace, over, commands, others } = run;
  const wrong = countProblems(run);
  if (trace.outcome === 'finished' || !over) {
    if (wrong > 0) return dryWords.notAll(wrong);
    if (!over) return dryWords.waits;
    return commands.length + others.length === 0 ? dryWords.nothing : dryWords.would;
  }
  const words = dryWords.outcomes[trace.outcome] ?? pastWords.outcomes[trace.outcome] ?? trace.outcome;
  return trace.message === null || trace.outcome === 'not_met' ? words : dryWords.because(words, reasonWords(trace));
}

const HOUR_MS = 3_600_000;

function afterWords(afterMs: number): string {
  // Nobody waits for the seconds of an hour.
  return afterMs < 100
    ? dryWords.atOnce
    : dryWords.after(afterMs < HOUR_MS ? afterMs : Math.round(afterMs / 60_000) * 60_000);
}

function deviceWords({ device }: Target, home: RuleHome): string {
  return nameOrGone('device', device, home);
}

function targetWords({ device, set, do: action }: Target, home: RuleHome): string {
  const values = Object.entries(set ?? {}).map(([key, value]) => {
    const look = home.feature(device, key);
    const words = literalWords(value as Json, look);
    return key === 'on' ? words : ruleWords.setting(ruleWords.inside(look?.name ?? enumWords(key)), words);
  });
  const done = action === undefined ? [] : [home.feature(device, action)?.name ?? enumWords(action)];
  return [...values, ...done].join(', ');
}
