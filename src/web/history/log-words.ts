import type { Device, Feature, TimelineLine } from '#web/client/api.ts';
import { saysTwice } from '#web/state/device/main-features.ts';
import { isUnchanged, resultWords } from '#web/strings/problem-words.ts';
import { titled } from '#web/strings/en/grammar.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords, valueWords } from '#web/strings/value-words.ts';

type LogLine = {
  readonly id: number;
  readonly at: string;
  readonly what: string;
  readonly note: string;
  readonly tone: 'plain' | 'bad';
};
/** Words need these of a device to name its features. */
type Named = Pick<Device, 'features'>;
type Words = Pick<LogLine, 'what' | 'note'> & { readonly tone?: 'bad' };

/** The lines of a device's logbook, the newest first, in words. */
export function logLines(lines: readonly TimelineLine[], device: Device): readonly LogLine[] {
  return worthTelling(lines, () => device).flatMap((line, index) => {
    const words = wordsOfPast(line, device);
    if (words === undefined) return [];
    const note = [words.note, causeWords(line)].filter((part) => part !== '').join(', ');
    return [{ id: index, at: line.at, tone: 'plain' as const, ...words, note }];
  });
}

/** Picks the lines that people would tell each other; of a logbook, the newest line first. */
export function worthTelling(
  lines: readonly TimelineLine[],
  deviceOf: (id: string) => Named | undefined,
): readonly TimelineLine[] {
  const done = new Set(lines.flatMap(({ type, cause }) => (type === 'feature.changed' ? (cause?.command ?? []) : [])));
  const state = new Map<string, string>();
  const told: TimelineLine[] = [];
  // From the oldest on: whether waking up is news depends on what was before.
  for (const line of [...lines].reverse()) {
    const { device, feature, availability, command } = line;
    const before = state.get(device?.id ?? '');
    if (device !== null && availability !== undefined) state.set(device.id, availability.state);
    // A device with a battery falls asleep and wakes up all day.
    if (availability?.state === 'asleep' || (availability?.state === 'online' && before === 'asleep')) continue;
    // What the command changed says the same.
    if (command?.status === 'confirmed' && done.has(command.id)) continue;
    const known = device === null ? undefined : deviceOf(device.id);
    if (known !== undefined && feature !== undefined && isMeasured(feature, known)) continue;
    told.push(line);
  }
  return told.reverse();
}

/**
 * Whether the logbook leaves the change out: measurements are in the chart, technical values in the details, and some
 * lines say the same again.
 */
export function isMeasured(
  changed: { readonly key: string; readonly value?: unknown } | undefined,
  device: Named,
): boolean {
  const feature = changed === undefined ? undefined : featureAt(changed.key, device);
  if (feature === undefined || feature.writable || feature.kind === 'event') return false;
  if (saysTwice(feature, device)) return true;
  return typeof changed?.value === 'number' || feature.category === 'diagnostic';
}

/** `undefined` for a line that this page has no words for. */
export function wordsOfPast(line: TimelineLine, device: Named): Words | undefined {
  const { type, feature, availability, command, skipped = 0, name = '' } = line;
  switch (type) {
    case 'device.added':
      return { what: pageWords.log.added, note: '' };
    case 'device.renamed':
      return { what: pageWords.log.renamed(name), note: '' };
    case 'device.removed':
      return { what: pageWords.log.removed, note: '' };
    case 'lines.skipped':
      return { what: pageWords.log.skipped(skipped), note: '' };
    case 'feature.changed':
      return feature && { what: nameAndValue(feature.key, feature.value, device), note: '' };
    case 'feature.occurred': {
      const { key = '', action = '' } = feature ?? {};
      return { what: titled(nameOf(key, device), pageWords.presses[action] ?? enumWords(action)), note: '' };
    }
    case 'availability.changed': {
      const state = availability?.state ?? '';
      return { what: pageWords.device.states[state] ?? enumWords(state), note: '', ...(state === 'offline' && BAD) };
    }
    case 'command.finished':
      return command && commandWords(command, device);
    default:
      return undefined;
  }
}

const BAD = { tone: 'bad' } as const;

function commandWords(command: NonNullable<TimelineLine['command']>, device: Named): Words | undefined {
  const { status, set } = command;
  const outcome = pageWords.log.outcomes[status];
  if (outcome === undefined) return undefined;
  const wanted = Object.entries(set).map(([key, value]) =>
    value === null ? nameOf(key, device) : nameAndValue(key, value, device),
  );
  const why = resultWords(command);
  return {
    what: pageWords.log.command(wanted.join(', ')),
    note: isUnchanged(command) ? pageWords.log.unchanged : why === undefined ? outcome : titled(outcome, why),
    ...(status === 'failed' && BAD),
  };
}

/** Who or what caused it. */
export function causeWords({ cause, by }: TimelineLine, sceneName?: string): string {
  if (isThere(cause?.automation)) return pageWords.log.automation;
  const name = by?.user?.name;
  const scene = isThere(cause?.scene)
    ? sceneName === undefined
      ? pageWords.log.scene
      : pageWords.log.bySceneOf(sceneName)
    : '';
  if (name !== undefined) {
    const person = by?.type === 'api_token' ? pageWords.log.byToken(name) : pageWords.log.by(name);
    return scene === '' ? person : `${scene}, ${person}`;
  }
  if (scene !== '') return scene;
  return isThere(cause?.command) ? pageWords.log.commanded : '';
}

function isThere(id: string | null | undefined): boolean {
  return typeof id === 'string';
}

function featureAt(key: string, { features }: Named): Feature | undefined {
  return features.find((feature) => feature.key === key);
}

function nameOf(key: string, device: Named): string {
  return featureAt(key, device)?.name ?? key;
}

/** Says `Brightness: 40 %`; what says by itself what it is about stands alone: `Locked`. */
export function nameAndValue(key: string, value: unknown, device: Named): string {
  const feature = featureAt(key, device) ?? { capability: key, unit: null, step: null };
  const words = valueWords(feature, value);
  const isOnly = device.features.filter(({ capability }) => capability === feature.capability).length < 2;
  return isOnly && SPEAKING.has(feature.capability) ? words : titled(nameOf(key, device), words);
}

const SPEAKING = new Set(['on', 'locked', 'lock_state', 'cover_state', 'open', 'motion', 'presence']);
