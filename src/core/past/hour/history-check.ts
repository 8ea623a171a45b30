import type { TimeZone } from '#base/time/time-zone.ts';
import type { HistoryStore, Gap } from '#core/past/history/history-store.ts';
import type { Hour } from './hour.ts';
import { cutGaps } from './hour-parts.ts';
import type { DayOfSeries, HourStore } from './hour-store.ts';
import { daysOf } from './roll-up.ts';
import type { TimeSpan } from './time-span.ts';

/** The catalog knows this of a month; `state` says whether there is a file. */
export type MonthState = {
  readonly month: string;
  /** `lost`: it went earlier, and its time is a gap. `unknown`: the next start of the hub takes it in. */
  readonly state: 'there' | 'missing' | 'unknown' | 'lost';
  readonly samples: number;
};

/** Some blocks of a month. */
export type MonthPart = {
  readonly blocks: number;
  readonly samples: number;
  /** The series of damaged blocks, once for each; empty if not even that is known. */
  readonly bad: readonly string[];
  /** Go on after this block, until it is `null`. */
  readonly next: number | null;
};

export type HoursMade = { readonly spans: readonly TimeSpan[]; readonly late: readonly TimeSpan[] };

export type HistoryCheckStore = {
  readonly listMonths: () => Promise<readonly MonthState[]>;
  /** `null` if the file cannot be used. */
  readonly checkMonth: (month: string, after: number) => Promise<MonthPart | null>;
  readonly readMade: () => Promise<HoursMade>;
  /** The hours from this time on are made again, as after late samples. */
  readonly redoHours: (fromMs: number) => Promise<void>;
};

export type HistoryCheckDeps = {
  readonly history: Pick<HistoryStore, 'findBefore' | 'readSlice' | 'listSeries'>;
  readonly hours: Pick<HourStore, 'readHours' | 'readSamplesFrom'>;
  readonly check: HistoryCheckStore;
  readonly timeZone: () => TimeZone;
  /** How a person writes the name of a series. */
  readonly shownAs: (series: string) => string;
};

export type Finding = {
  readonly level: 'ok' | 'warn' | 'fail';
  /** What was checked, in a word or two. */
  readonly subject: string;
  readonly text: string;
  /** What to do about it, if anything. */
  readonly advice?: string;
  /** Further lines with details. */
  readonly details?: readonly string[];
};

/** `undefined`: still at work. */
type Findings = AsyncGenerator<Finding | undefined, void>;

/** Files, and series, that a finding names. */
const MAX_NAMED = 20;
/** Days of a series that are made at once. */
const DAYS_AT_ONCE = 16;

/**
 * Reads every block of every month, and makes the hours once more from the samples to compare them. It takes as long as the
 * history is, memory for a part of it, and the storage for 20 ms at a time.
 */
export async function* checkHistory(deps: HistoryCheckDeps, { repairs }: { readonly repairs: boolean }): Findings {
  const months = await deps.check.listMonths();
  if (months.length === 0) yield { level: 'ok', subject: 'months', text: 'there are none yet' };
  for (const month of months) yield* checkMonth(deps, month);
  yield* checkHours(deps, repairs);
}

async function* checkMonth(
  { check, shownAs }: HistoryCheckDeps,
  { month, state, samples: known }: MonthState,
): Findings {
  const subject = `samples of ${month}`;
  if (state === 'lost') {
    yield { level: 'warn', subject, text: `${known} were lost earlier: their time is a gap` };
    return;
  }
  const advice =
    'it is put aside when it is read, a copy from backups/history takes its place, and what that lacks is a gap';
  if (state === 'missing') {
    yield { level: 'fail', subject, text: `the file is missing, and with it ${known} samples`, advice };
    return;
  }
  let [blocks, samples] = [0, 0];
  const bad = new Map<string, number>();
  for (let after: number | null = 0; after !== null;) {
    const part: MonthPart | null = await check.checkMonth(month, after);
    if (part === null) {
      yield { level: 'fail', subject, text: 'the file is damaged, or of another hub or version', advice };
      return;
    }
    blocks += part.blocks;
    samples += part.samples;
    for (const name of part.bad) bad.set(name, (bad.get(name) ?? 0) + 1);
    after = part.next;
    yield undefined;
  }
  const text = `${samples} in ${blocks} blocks`;
  if (bad.size > 0) {
    const count = [...bad.values()].reduce((sum, one) => sum + one, 0);
    const details = namesOf(bad, (name, many) => `${name === '' ? 'of no series' : shownAs(name)}: ${many}`);
    yield { level: 'fail', subject, text: `${text}, ${count} of them damaged: their times are gaps`, details };
  } else if (state === 'there' && samples < known) {
    yield {
      level: 'fail',
      subject,
      text: `${text}, but the hub put ${known} there`,
      advice: 'an older copy took its place',
    };
  } else if (state === 'unknown') {
    yield {
      level: 'warn',
      subject,
      text: `${text}, which the hub does not know of`,
      advice: 'a restart takes them in',
    };
  } else yield { level: 'ok', subject, text };
}

function namesOf(found: ReadonlyMap<string, number>, line: (name: string, count: number) => string): readonly string[] {
  const lines = [...found].slice(0, MAX_NAMED).map(([name, count]) => line(name, count));
  return found.size > MAX_NAMED ? [...lines, `and ${found.size - MAX_NAMED} more`] : lines;
}

async function* checkHours(deps: HistoryCheckDeps, repairs: boolean): Findings {
  const { spans, late } = await deps.check.readMade();
  if (spans.length === 0) yield { level: 'ok', subject: 'hours', text: 'none are made yet' };
  const isLate = (span: TimeSpan): boolean => isWithin(span, late);
  let firstWrongMs = Infinity;
  for (const [month, days] of byMonth(spans)) {
    const due = days.filter(isLate);
    const wrong = new Map<string, number>();
    for (const group of groupsOf(days.filter((day) => !isLate(day)))) {
      for await (const found of differences(deps, group)) {
        if (found !== undefined) {
          wrong.set(found.series, (wrong.get(found.series) ?? 0) + 1);
          firstWrongMs = Math.min(firstWrongMs, found.fromMs);
        }
        yield undefined;
      }
    }
    const subject = `hours of ${month}`;
    const text = `${days.length} days`;
    const waiting = due.length === 0 ? '' : `, ${due.length} of them to be made again`;
    if (wrong.size === 0) yield { level: 'ok', subject, text: `${text} as the samples say${waiting}` };
    else {
      const details = namesOf(wrong, (name, count) => `${deps.shownAs(name)}: ${count} days`);
      yield { level: 'fail', subject, text: `${wrong.size} series differ from their samples${waiting}`, details };
    }
  }
  if (firstWrongMs === Infinity) return;
  const subject = 'hours';
  const since = new Date(firstWrongMs).toISOString();
  if (!repairs) {
    const advice = 'hearthd doctor --history --repair makes them again';
    yield { level: 'fail', subject, text: `wrong since ${since}`, advice };
    return;
  }
  await deps.check.redoHours(firstWrongMs);
  const text = `those since ${since} are made again within an hour, or an hour after the start of the hub`;
  yield { level: 'warn', subject, text };
}

function isWithin(span: TimeSpan, late: readonly TimeSpan[]): boolean {
  return late.some(({ fromMs, toMs }) => fromMs < span.toMs && toMs > span.fromMs);
}

function byMonth(spans: readonly TimeSpan[]): ReadonlyMap<string, readonly TimeSpan[]> {
  const months = new Map<string, TimeSpan[]>();
  for (const span of spans) {
    const month = new Date((span.fromMs + span.toMs) / 2).toISOString().slice(0, 7);
    const others = months.get(month);
    if (others === undefined) months.set(month, [span]);
    else others.push(span);
  }
  return months;
}

/** Neighbours. */
function groupsOf(spans: readonly TimeSpan[]): readonly (readonly TimeSpan[])[] {
  const groups: TimeSpan[][] = [];
  for (const span of spans) {
    const group = groups.at(-1);
    if (group?.at(-1)?.toMs === span.fromMs && group.length < DAYS_AT_ONCE) group.push(span);
    else groups.push([span]);
  }
  return groups;
}

/** Each day of a series that is not what its samples say. `undefined` for a series without any. */
async function* differences(
  { history, hours, check, timeZone }: HistoryCheckDeps,
  spans: readonly TimeSpan[],
): AsyncGenerator<{ readonly series: string; readonly fromMs: number } | undefined, void> {
  const range = { fromMs: spans[0]?.fromMs ?? 0, toMs: spans.at(-1)?.toMs ?? 0 };
  for (let after: string | null = null; ;) {
    const page = await history.listSeries(after);
    for (const series of page.series) {
      yield undefined;
      if (series.firstMs >= range.toMs) continue;
      let late: readonly TimeSpan[] | undefined;
      const samplesFromMs = await hours.readSamplesFrom(series.name);
      const kept = await readKept(hours, series.name, range);
      const made = await daysOf({ history }, series, { zone: timeZone(), spans });
      for (const [index, span] of spans.entries()) {
        const day = made[index];
        // Nothing is left to compare them with.
        if (day === undefined || span.fromMs < samplesFromMs) continue;
        if (day.gaps.some(({ reason }) => reason === 'lost')) continue;
        const isIn = ({ fromMs }: TimeSpan): boolean => fromMs >= span.fromMs && fromMs < span.toMs;
        const found = { hours: kept.hours.filter(isIn), gaps: cutGaps(kept.gaps, span) };
        const isThere = kept.made.some(({ fromMs, toMs }) => fromMs <= span.fromMs && toMs >= span.toMs);
        if (isThere && isSameDay(day, found)) continue;
        // Samples may have come for it, or gone, since it was looked at.
        late ??= (await check.readMade()).late;
        if (!isWithin(span, late)) yield { series: series.name, fromMs: span.fromMs };
      }
    }
    if (page.next === null) return;
    after = page.next;
  }
}

async function readKept({ readHours }: Pick<HourStore, 'readHours'>, series: string, { fromMs, toMs }: TimeSpan) {
  const found: { hours: Hour[]; gaps: Gap[]; made: TimeSpan[] } = { hours: [], gaps: [], made: [] };
  for (let next: number | null = fromMs; next !== null && next < toMs;) {
    const slice = await readHours(series, { fromMs: next, toMs });
    found.hours.push(...slice.hours);
    found.gaps.push(...slice.gaps);
    found.made.push(...slice.made);
    next = slice.next;
  }
  return found;
}

type Day = Pick<DayOfSeries, 'hours' | 'gaps'>;

function isSameDay(made: Day, kept: Day): boolean {
  return (
    made.hours.length === kept.hours.length &&
    made.gaps.length === kept.gaps.length &&
    made.hours.every((hour, index) => isSame(hour, kept.hours[index])) &&
    made.gaps.every((gap, index) => isSame(gap, kept.gaps[index]))
  );
}

/** Sums of binary fractions differ in their last digits. */
function isSame(made: unknown, kept: unknown): boolean {
  if (typeof made === 'number' && typeof kept === 'number') {
    return Math.abs(made - kept) <= 1e-6 * Math.max(1, Math.abs(made));
  }
  if (made instanceof Map && kept instanceof Map) {
    // The kept map leaves out some of very many values.
    return kept.size <= made.size && [...kept].every(([key, value]) => isSame(made.get(key), value));
  }
  if (typeof made !== 'object' || made === null || typeof kept !== 'object' || kept === null) return made === kept;
  const [left, right] = [Object.entries(made), Object.entries(kept)];
  const others = new Map<string, unknown>(right);
  return left.length === right.length && left.every(([key, value]) => isSame(value, others.get(key)));
}
