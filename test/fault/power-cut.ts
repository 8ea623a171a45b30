import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '#storage/engine/database.ts';
import { createDice } from '#test/support/machine/dice.ts';
import { watchSqlite } from './broken-sqlite.ts';
import { createDiskModel, drawSurvival, EVERYTHING, NOTHING, type DiskModel, type Survival } from './disk-model.ts';
import { NO_FACTS, readBackups, readKept, readSamples, readValues, type Facts } from './facts.ts';
import { foldersOf, openHub, packageSqlite, recordHistory } from './history.ts';
import type { History, Mistakes, Recording } from './history.ts';

/** In memory where possible: nothing here tests the real disk. */
const ROOT = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();

export type Verdict =
  | 'does not open'
  | 'corrupt'
  | 'torn or lost'
  | 'value lost'
  | 'sample lost'
  | 'backup lost'
  | 'original lost';
export type Finding = {
  readonly history: string;
  /** Events that were done when the power went. */
  readonly at: number;
  readonly cut: number;
  readonly verdict: Verdict;
  readonly detail: string;
};
export type Campaign = { readonly points: number; readonly findings: readonly Finding[] };

export type CampaignSize = {
  /** Cuts to try, shared out evenly among the histories and among the events of each. */
  readonly points: number;
  readonly seed: number;
};

/** Cuts the power at drawn moments of each history and opens the remaining disk with the product's own code. */
export async function cutPower(
  histories: readonly History[],
  { points, seed }: CampaignSize,
  mistakes: Mistakes = {},
): Promise<Campaign> {
  const root = mkdtempSync(join(ROOT, 'hearthd-power-'));
  try {
    const recordings: Recorded[] = [];
    for (const [index, history] of histories.entries()) {
      recordings.push({ history, recording: await recordHistory(history, join(root, `live-${index}`), mistakes) });
    }
    const share = Math.ceil(points / recordings.length);
    const campaigns = recordings.map((recorded, index) =>
      cutHistory(recorded, { root, mistakes, points: share, dice: createDice(seed + index) }),
    );
    return {
      points: campaigns.reduce((sum, campaign) => sum + campaign.points, 0),
      findings: campaigns.flatMap(({ findings }) => findings),
    };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type Recorded = { readonly history: History; readonly recording: Recording };
type CutDeps = {
  readonly root: string;
  readonly mistakes: Mistakes;
  readonly points: number;
  readonly dice: () => number;
};

function cutHistory({ history, recording }: Recorded, { root, mistakes, points, dice }: CutDeps): Campaign {
  const { events, acknowledged } = recording;
  const model = createDiskModel(recording.start, recording.isFolder);
  const originals = history.startsDamaged === true ? [...recording.start.files.values()] : [];
  const findings: Finding[] = [];
  let done = 0;
  for (let at = 0; at <= events.length; at += 1) {
    const last = acknowledged.findLast((entry) => entry.at <= at)?.facts;
    const next = acknowledged.find((entry) => entry.at > at)?.facts;
    // Until the first write is acknowledged, the old state counts.
    const allowed = [last, next ?? last].map((facts) => facts ?? acknowledged[0]?.facts ?? NO_FACTS) as [Facts, Facts];
    const due = Math.round((points * (at + 1)) / (events.length + 1)) - done;
    const ways = [NOTHING, EVERYTHING];
    for (let cut = 0; cut < due; cut += 1) {
      // Of several cuts at one place the first two lose all and nothing; a single one is drawn.
      const survival = (due > 1 ? ways[cut] : dice() < 0.2 ? ways[cut] : undefined) ?? drawSurvival(dice);
      const folder = join(root, 'cut');
      const verdicts = findDamage({ model, survival, folder, mistakes, allowed, originals });
      findings.push(...verdicts.map((found) => ({ history: history.name, at, cut, ...found })));
    }
    done += due;
    const event = events[at];
    if (event !== undefined) model.apply(event);
  }
  return { points: done, findings };
}

type Cut = {
  readonly model: DiskModel;
  readonly survival: Survival;
  readonly folder: string;
  readonly mistakes: Mistakes;
  readonly allowed: readonly [Facts, Facts];
  /** Damaged files that must be kept. */
  readonly originals: readonly Buffer[];
};
type Found = Pick<Finding, 'verdict' | 'detail'>;

/** Opens what a cut left with the product's own code, uses it, closes it, and compares with what was acknowledged. */
function findDamage({ model, survival, folder, mistakes, allowed, originals }: Cut): Found[] {
  const { sqlite, closeAll } = watchSqlite(packageSqlite, mistakes.sqlite);
  model.writeCut(survival, folder);
  try {
    const { engine } = openHub(folder, sqlite);
    const { operations } = engine;
    const found = [
      ...compare(allowed, {
        kept: readKept(operations),
        values: readValues(operations),
        samples: readSamples(operations),
        backups: readBackups(operations),
      }),
    ];
    const { recovered } = operations.health.readHealth();
    // An empty log whose first sector is garbage looks the same as a damaged one. Reporting damage is right, and nothing
    // is lost.
    const isFalseAlarm = survival.hole === 'garbage' && recovered?.from === null;
    if (recovered !== null && originals.length === 0 && !isFalseAlarm) {
      found.push({ verdict: 'corrupt', detail: recovered.reason });
    }
    for (const { id } of operations.backups.list()) {
      if (!allowed.some(({ backups }) => backups.has(id)))
        operations.backups.check(operations.backups.findPath(id) ?? '');
    }
    operations.meta.putMeta(new Map([['after', 'the cut']]));
    engine.close();
    for (const name of listDatabases(foldersOf(folder).state)) {
      const database = openDatabase(sqlite, join(foldersOf(folder).state, name));
      const verdict = String(database.get('PRAGMA integrity_check')?.['integrity_check']);
      database.close();
      if (verdict !== 'ok') found.push({ verdict: 'corrupt', detail: `${name}: ${verdict}` });
    }
    if (!originals.every((bytes) => isKept(folder, bytes))) found.push({ verdict: 'original lost', detail: '' });
    return found;
  } catch (cause) {
    return [{ verdict: 'does not open', detail: String(cause) }];
  } finally {
    closeAll();
    rmSync(folder, { recursive: true, force: true });
  }
}

function listDatabases(state: string): string[] {
  const history = join(state, 'history');
  const months = existsSync(history) ? readdirSync(history).filter((name) => name.endsWith('.db')) : [];
  return ['hearthd.db', 'journal.db', ...months.map((name) => join('history', name))];
}

function compare([before, after]: readonly [Facts, Facts], found: Facts): Found[] {
  const losses: Found[] = [];
  if (found.kept !== before.kept && found.kept !== after.kept) {
    losses.push({ verdict: 'torn or lost', detail: `${found.kept.length} characters, not ${before.kept.length}` });
  }
  for (const [key, value] of before.values) {
    const now = found.values.get(key);
    // A restore takes back values that were newer.
    if (now !== value && now !== after.values.get(key))
      losses.push({ verdict: 'value lost', detail: `${key}: ${now}` });
  }
  // What is being deleted goes as a whole.
  const leaving = [...before.samples].filter(([number, sample]) => after.samples.get(number) !== sample);
  const isGone = leaving.length > 0 && leaving.every(([number]) => !found.samples.has(number));
  for (const [number, sample] of before.samples) {
    if (isGone && after.samples.get(number) !== sample) continue;
    if (found.samples.get(number) !== sample) losses.push({ verdict: 'sample lost', detail: `${number}: ${sample}` });
  }
  for (const [number, sample] of found.samples) {
    const isKnown = before.samples.get(number) === sample || after.samples.get(number) === sample;
    if (!isKnown) losses.push({ verdict: 'torn or lost', detail: `a sample of nothing: ${sample}` });
  }
  for (const [id, digest] of before.backups) {
    if (found.backups.get(id) !== digest && after.backups.has(id)) losses.push({ verdict: 'backup lost', detail: id });
  }
  return losses;
}

function isKept(folder: string, bytes: Buffer): boolean {
  const digest = (content: Buffer): string => createHash('sha256').update(content).digest('base64');
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .some((entry) => digest(readFileSync(join(entry.parentPath, entry.name))) === digest(bytes));
}

/** What was found, counted by points. */
export function summaryOf(findings: readonly Finding[]): string {
  const countOf = (...verdicts: readonly string[]): number =>
    new Set(
      findings
        .filter(({ verdict }) => verdicts.includes(verdict))
        .map(({ history, at, cut }) => `${history} ${at} ${cut}`),
    ).size;
  return [
    `${countOf('does not open')} without a hub`,
    `${countOf('corrupt')} corrupt`,
    `${countOf('torn or lost')} torn or lost`,
    `${countOf('value lost', 'sample lost', 'backup lost', 'original lost')} values, samples, backups or originals lost`,
  ].join(', ');
}
