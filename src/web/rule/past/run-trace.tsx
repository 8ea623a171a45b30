import type { AutomationDryRun, AutomationRun } from '#web/client/api.ts';
import { Notice } from '#web/parts/notice.tsx';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { rule as ruleWords } from '#web/strings/en/rule/rule.ts';
import type { Json } from '#web/rule/sentence/json.ts';
import { sentenceOf, type Body, type Line, lineWords } from '#web/rule/sentence/sentence.ts';
import { useRuleHome } from '#web/rule/use-rule-home.ts';
import { Icon } from '#web/parts/icon.tsx';
import { useHub } from '#web/hub.ts';
import { reasonWords } from '#web/strings/rule/reason-words.ts';
import { wordsOf } from '#web/rule/sentence/hole.ts';
import type { RuleHome } from '#web/rule/editor/rule-home.ts';
import { dryNotes } from './dry-words.ts';
import {
  clockOf,
  evidenceOf,
  markOf,
  seenWords,
  type StepSeen,
  stepsOf,
  type Traced,
  triggerWords,
} from './trace-words.ts';

type TraceProps = {
  readonly run: AutomationRun;
  readonly definition: { readonly definition: object };
  /** What the run would have sent, if it is one that did not happen. */
  readonly dryRun?: AutomationDryRun;
};

/** The sentence of an automation with how each part of it went. */
export function RunTrace({ run, definition, dryRun }: TraceProps) {
  const home = useRuleHome();
  const document = definition.definition as Json;
  const sentence = sentenceOf(document, home, true);
  const traced = { run, definition: document, home, dryRun };
  return (
    <>
      {(['triggers', 'conditions', 'steps'] as const)
        .filter((name) => sentence[name].lines.length > 0)
        .map((name) => (
          <section key={name} class="rule-part" aria-label={ruleWords.parts[name]}>
            <h2 class="rule-part-title" aria-hidden="true">
              {ruleWords.parts[name]}
            </h2>
            <TraceLines body={sentence[name]} traced={traced} />
          </section>
        ))}
      {run.steps_left_out > 0 ? <Notice text={pastWords.leftOut(run.steps_left_out)} /> : null}
    </>
  );
}

type Props = { readonly body: Body; readonly traced: Traced };

/** The sentence of an automation with what happened to each part of it, as far as the run came. */
function TraceLines({ body, traced }: Props) {
  return (
    <ol class="rule-lines">
      {body.lines.map((line) => (
        <TraceLine key={line.pointer} line={line} traced={traced} />
      ))}
    </ol>
  );
}

function TraceLine({ line, traced }: { readonly line: Line; readonly traced: Traced }) {
  const notes = traced.dryRun === undefined || line.part !== 'step' ? [] : dryNotes(line, traced.dryRun, traced.home);
  const mark = notes.some(({ isBad }) => isBad) ? 'failed' : markOf(line, traced);
  const own = line.bodies.length === 0 ? lineWords(line) : wordsOf(line.pieces);
  return (
    <li class="rule-trace" data-mark={mark}>
      <div class="rule-trace-head">
        <span class="rule-trace-mark">
          <Icon name={ICONS[mark]} size={18} />
          <span class="unseen">{pastWords.marks[mark]}</span>
        </span>
        <div class="rule-trace-words">
          <p>{own}</p>
          {traced.dryRun === undefined || line.part !== 'step' ? (
            <Evidence line={line} traced={traced} />
          ) : (
            notes.map(({ text }) => (
              <p key={text} class="row-note">
                {text}
              </p>
            ))
          )}
        </div>
      </div>
      {line.bodies.map((inner) => (
        <div key={inner.pointer} class="rule-body">
          {inner.title === '' ? null : <p class="rule-body-title">{inner.title}</p>}
          <TraceLines body={inner} traced={traced} />
        </div>
      ))}
    </li>
  );
}

const ICONS = {
  yes: 'check',
  no: 'close',
  unknown: 'warning',
  failed: 'close',
  running: 'clock',
  none: 'stop',
} as const;

const MOST_ROUNDS = 5;

function Evidence({ line, traced }: { readonly line: Line; readonly traced: Traced }) {
  const { run, home } = traced;
  if (line.part === 'trigger') {
    if (markOf(line, traced) !== 'yes') return null;
    return <p class="row-note">{triggerWords(run, home)}</p>;
  }
  if (line.part === 'condition') {
    const seen = evidenceOf(run, line)?.operands ?? [];
    return seen.length === 0 ? null : <p class="row-note">{seen.map((one) => seenWords(one, home)).join(' · ')}</p>;
  }
  const steps = stepsOf(run, line);
  return (
    <>
      {steps.slice(-MOST_ROUNDS).map((step) => (
        <StepNote key={`${step.at} ${step.outcome}`} step={step} home={home} />
      ))}
      {steps.length > MOST_ROUNDS ? (
        <p class="row-note">{pastWords.earlierRounds(steps.length - MOST_ROUNDS)}</p>
      ) : null}
    </>
  );
}

function StepNote({ step, home }: { readonly step: StepSeen; readonly home: RuleHome }) {
  const { home: devices } = useHub();
  const { command, message, values } = step;
  const length = step.ms === null ? [] : [pastWords.took(step.ms)];
  const lines = Object.entries(command?.results ?? {}).map(([device, status]) => {
    const name = devices.find(device)?.device.value.name ?? device;
    return pastWords.result(
      name,
      pastWords.statuses[status] ?? reasonWords({ reason: { id: status, with: {} }, message: null }),
    );
  });
  return (
    <>
      <p class="row-note">
        {[
          clockOf(step.at),
          pastWords.stepOutcomes[step.outcome],
          ...length,
          ...(message === null ? [] : [reasonWords(step)]),
        ].join(' · ')}
      </p>
      {lines.length === 0 ? null : <p class="row-note">{lines.join(' · ')}</p>}
      {values.length === 0 ? null : <p class="row-note">{values.map((one) => seenWords(one, home)).join(' · ')}</p>}
    </>
  );
}
