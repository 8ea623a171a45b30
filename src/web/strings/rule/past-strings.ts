import { counted } from '#web/strings/language/grammar.ts';
import { words } from '#web/strings/language/language.ts';
import { hub } from '#web/strings/language/hub-words.ts';
import { lengthWords } from './length-words.ts';

type Words = Readonly<Record<string, string>>;

const en = {
  marks: {
    yes: 'Yes',
    no: 'No',
    unknown: 'Nobody knew',
    failed: 'Failed',
    running: 'Under way',
    none: 'Not reached',
  } as Words,
  outcomes: {
    running: 'Running',
    finished: 'Done',
    not_met: 'Did nothing: a condition did not hold',
    skipped: 'Not started',
    failed: 'Failed',
    stopped: 'Stopped',
    superseded: 'Replaced by a newer run',
    abandoned: 'Could not go on after a restart',
  } as Words,
  stepOutcomes: {
    running: 'under way',
    done: 'done',
    skipped: 'left out',
    failed: 'failed',
    timed_out: 'waited in vain',
    stopped: 'stopped',
  } as Words,
  statuses: {
    confirmed: 'confirmed',
    unconfirmed: 'not confirmed',
    sent: 'sent',
    queued: 'waits for the device',
    failed: 'failed',
    superseded: 'replaced by a newer command',
    expired: 'did not wake up in time',
    unchanged: 'was so already',
    hand: 'left alone: moved by hand',
    same: 'was so already',
  } as Words,
  qualities: {
    assumed: 'sent, not confirmed',
    restored: 'from before a restart',
    stale: 'last known value',
  } as Words,
  took: (ms: number) => `took ${lengthWords(ms < 10_000 ? Math.round(ms) / 1000 : Math.round(ms / 1000))}`,
  notOver: 'not over yet',
  byHand: 'started by hand',
  late: (seconds: number) => `${lengthWords(seconds)} late`,
  result: (device: string, how: string) => `${device}: ${how}`,
  value: (what: string, value: string) => `${what}: ${value}`,
  valueAs: (what: string, value: string, how: string) => `${what}: ${value} (${how})`,
  unknown: (what: string, why: string) => `${what}: nobody knew, ${why}`,
  hidden: 'A device that you cannot see',
  fromTo: (from: string, to: string) => `${from} → ${to}`,
  earlierRounds: (count: number) => `and ${counted(count, 'earlier round', 'earlier rounds')}`,
  run: 'Run',
  runOf: (at: string) => `Run of ${at}`,
  runNotFound: 'Run not found',
  runNotFoundText: 'The hub keeps the last runs of each automation. This one is no longer among them.',
  toRule: 'Back to the automation',
  toHome: 'All automations',
  runs: 'Runs',
  noRuns: 'No runs yet.',
  moreRuns: 'Show older ones',
  merged: (count: number) => `and ${count} more like it`,
  nearMisses: 'Almost started',
  noNearMisses: 'Nothing came close lately.',
  times: (count: number) => (count === 1 ? '' : `${count} times`),
  why: 'Why did it not run at …?',
  whyAt: 'Day and time',
  whyHint: 'The hub looks at ten minutes around it.',
  ask: 'Ask',
  asking: 'Looking…',
  replayed: 'What was kept of that time is gone. This is an estimate from the recorded values.',
  nothingKept: 'Nothing is kept of that time.',
  stop: 'Stop this run',
  leftOut: (count: number) => `${counted(count, 'further step', 'further steps')} without a line`,
  strip: 'The last 14 days',
  stripText: 'When it would have started, made from the recorded values of your home.',
  stripChanged: 'With your changes (above) and as it is saved (below).',
  stripAsk: 'Show the last 14 days',
  stripAgain: 'Show again with these changes',
  stripBusy: 'The hub replays the last 14 days…',
  stripFailed: 'The hub could not replay this.',
  dayWords: (date: string, starts: number) => `${date}: ${counted(starts, 'start', 'starts')}`,
  dayCompared: (date: string, starts: number, before: number) =>
    `${date}: ${counted(starts, 'start', 'starts')}, ${before} as saved`,
  complete: 'All that it looks at was recorded, so this is as exact as a replay can be.',
  incomplete: 'Some of what it looks at was not recorded, so it may have been different:',
  missing: (what: string, why: string, when: string) => `${what}: ${why}, ${when}`,
  span: (from: string, to: string) => `${from} to ${to}`,
  missingReasons: {
    hub_off: 'the hub was off',
    clock_unset: 'the clock was not set',
    paused: 'recording was paused',
    lost: 'the recording is lost',
    deleted: 'the recording was deleted',
    not_recorded: 'it was not recorded',
    only_hours: 'only hours are kept',
    thinned: 'only some changes were recorded',
    order_unknown: 'two things happened at almost the same moment',
    cause_unknown: 'what caused a change was not kept',
  } as Words,
  compared: (both: number, onlyNew: number, onlyOld: number) =>
    `${counted(both, 'start is', 'starts are')} the same, ${onlyNew} new, ${onlyOld} fewer.`,
  starts: 'Starts',
  openTrace: (at: string) => `Show what it would have done at ${at}`,
};

/** The words of what automations did and would have done. */
export const x = words('rulePast', en);

/** Why a run ended, a step was left out or a value was unknown. */
export function reasonWords(reason: string): string {
  return hub.value(reason) ?? reason.replaceAll('_', ' ');
}
