import type {
  AvailabilityChangedData,
  CommandChangedData,
  Device,
  Feature,
  FeatureChangedData,
  FeatureOccurredData,
  TimelineLine,
} from '#web/client/api.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import { reasonWords } from '#web/device/reason-words.ts';
import { t } from '#web/strings/strings.ts';
import { enumWords, valueWords } from '#web/strings/value-words.ts';

/** An event of a device with its place in the order of all events. */
export type LogEntry = HubEvent & { readonly sequence: number };

export type LogLine = {
  readonly id: number;
  readonly at: string;
  readonly what: string;
  readonly note: string;
  readonly tone: 'plain' | 'bad';
};
/** What names a device's features. */
type Named = Pick<Device, 'features'>;
type Words = Pick<LogLine, 'what' | 'note'> & { readonly tone?: 'bad' };

/** The fields of all events that a log has lines for. */
type Data = AvailabilityChangedData & FeatureChangedData & FeatureOccurredData & CommandChangedData;

/** The lines of a device's log, in words. What was sent and then confirmed is one line. */
export function logLines(log: readonly LogEntry[], device: Device): readonly LogLine[] {
  const lines: LogLine[] = [];
  let newer: Data['feature'] | undefined;
  for (const { type, data, sequence } of log) {
    const words = WORDS[type]?.(data as Data, device);
    const { feature, at } = data as Data;
    const isSent = type === 'feature.changed' && feature.quality === 'assumed' && isSameValue(feature, newer);
    newer = type === 'feature.changed' ? feature : newer;
    if (words !== undefined && !isSent && !isMeasured(feature, device))
      lines.push({ id: sequence, at, tone: 'plain', ...words });
  }
  return lines;
}

/** The lines that the hub kept of the past, in the words of the others. */
export function earlierLines(lines: readonly TimelineLine[], device: Device): readonly LogLine[] {
  return lines.flatMap((line, index) => {
    const words = wordsOfPast(line, device);
    if (words === undefined || isMeasured(line.feature, device)) return [];
    const note = [words.note, causeWords(line)].filter((part) => part !== '').join(', ');
    return [{ id: -1 - index, at: line.at, tone: 'plain' as const, ...words, note }];
  });
}

/** What a device measures is in its chart, and what only technicians read in the details. */
function isMeasured(changed: { readonly key: string; readonly value?: unknown } | undefined, device: Named): boolean {
  const feature = changed === undefined ? undefined : featureAt(changed.key, device);
  if (feature === undefined || feature.writable || feature.kind === 'event') return false;
  return typeof changed?.value === 'number' || feature.category === 'diagnostic';
}

/** `undefined` for a line that this page has no words for. */
export function wordsOfPast(line: TimelineLine, device: Named): Words | undefined {
  const { type, feature, command, skipped = 0, name = '' } = line;
  if (type === 'device.renamed') return { what: t.log.renamed(name), note: '' };
  if (type === 'device.removed') return { what: t.log.removed, note: '' };
  if (type === 'lines.skipped') return { what: t.log.skipped(skipped), note: '' };
  const reason = command?.reason ?? undefined;
  const results = Object.entries(command?.set ?? {}).map(([key, requested]) => ({ key, requested, reason }));
  const data = {
    ...line,
    feature: { ...feature, quality: 'confirmed' },
    occurrence: { action: feature?.action ?? '' },
    availability: { ...line.availability, reason: null },
    command: { ...command, results },
  };
  const asEvent = type === 'command.finished' ? 'command.changed' : type;
  return WORDS[asEvent]?.(data as unknown as Data, device);
}

/** Who or what caused it. */
export function causeWords({ cause, by }: TimelineLine, sceneName?: string): string {
  if (isThere(cause?.automation)) return t.log.automation;
  const name = by?.user?.name;
  const scene = isThere(cause?.scene) ? (sceneName === undefined ? t.log.scene : t.log.bySceneOf(sceneName)) : '';
  if (name !== undefined) {
    const person = by?.type === 'api_token' ? t.log.byToken(name) : t.log.by(name);
    return scene === '' ? person : `${scene}, ${person}`;
  }
  if (scene !== '') return scene;
  return isThere(cause?.command) ? t.log.commanded : '';
}

function isThere(id: string | null | undefined): boolean {
  return typeof id === 'string';
}

function isSameValue(one: Data['feature'], other: Data['feature'] | undefined): boolean {
  return one.key === other?.key && JSON.stringify(one.value) === JSON.stringify(other.value);
}

const WORDS: Readonly<Record<string, (data: Data, device: Named) => Words | undefined>> = {
  'device.added': () => ({ what: t.log.added, note: '' }),
  'device.changed': () => ({ what: t.log.changed, note: '' }),
  'availability.changed': ({ availability: { state, reason } }) => ({
    what: t.device.states[state] ?? enumWords(state),
    note: reason === null ? '' : (reasonWords(reason) ?? enumWords(reason)),
    ...(state === 'offline' ? { tone: 'bad' } : {}),
  }),
  'feature.changed': ({ feature }, device) => ({
    what: `${nameOf(feature.key, device)}: ${valueOf(feature.key, feature.value, device)}`,
    note: t.log.qualities[feature.quality] ?? '',
  }),
  'feature.occurred': ({ feature, occurrence }, device) => ({
    what: `${nameOf(feature.key, device)}: ${t.presses[occurrence.action] ?? enumWords(occurrence.action)}`,
    note: '',
  }),
  'command.changed': ({ command: { status, results } }, device) => {
    const note = t.log.outcomes[status];
    if (note === undefined) return undefined;
    const wanted = results.map(({ key, requested }) =>
      requested === null ? nameOf(key, device) : `${nameOf(key, device)}: ${valueOf(key, requested, device)}`,
    );
    const reason = results.find((result) => result.reason !== undefined)?.reason;
    return {
      what: t.log.command(wanted.join(', ')),
      note: reason === undefined ? note : `${note}: ${reason}`,
      ...(status === 'failed' ? { tone: 'bad' } : {}),
    };
  },
};

function featureAt(key: string, { features }: Named): Feature | undefined {
  return features.find((feature) => feature.key === key);
}

function nameOf(key: string, device: Named): string {
  return featureAt(key, device)?.name ?? key;
}

function valueOf(key: string, value: unknown, device: Named): string {
  return valueWords(featureAt(key, device) ?? { capability: key, unit: null, step: null }, value);
}
