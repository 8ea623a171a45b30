import { RUN_OUTCOMES, type RunOutcome } from '#core/cause/run-outcome.ts';
import { shortText } from '#base/content/short-text.ts';
import { parseJson, type JsonValue } from '#base/json.ts';
import type { Cause } from '#core/cause/cause.ts';
import { COMMAND_STATUSES, type CommandStatus } from '#core/command/command.ts';
import { type Issuer, ISSUER_TYPES } from '#core/cause/issuer.ts';
import type { AvailabilityState } from '#core/device/device.ts';
import { INTEGRATION_STATES, type IntegrationState } from '#core/integration/integration-status.ts';
import type { SampleValue } from '#core/past/history/sample.ts';
import type { PresenceState } from '#core/presence/presence.ts';
import type { UserId } from '#core/person/user.ts';

/**
 * One line of the logbook, without its time. Changes of states, presses and comings and goings are samples already: of these
 * only what a command caused is written once more, because a sample has no cause.
 */
export type TimelineEntry =
  | {
      readonly type: 'feature.changed';
      readonly key: string;
      readonly value: SampleValue;
      /** `null`: nobody commanded it. */
      readonly cause: Cause | null;
      /** Who gave the command that it answers; `null` if that is not known. */
      readonly by: Issuer | null;
    }
  | { readonly type: 'feature.occurred'; readonly key: string; readonly action: string }
  | {
      readonly type: 'availability.changed';
      readonly state: AvailabilityState;
    }
  | {
      readonly type: 'command.finished';
      readonly command: string;
      readonly status: CommandStatus;
      /** Why it failed, for people. */
      readonly reason: string | null;
      /** The same as a code of the API; `null` also in lines that an older version wrote. */
      readonly code: string | null;
      /** What was wished of each feature; `null` of an action, and of what could be a code. */
      readonly wishes: Readonly<Record<string, boolean | number | string | null>>;
      readonly cause: Cause;
      readonly by: Issuer;
    }
  | { readonly type: 'device.added' | 'device.removed' | 'hub.started' }
  | { readonly type: 'device.renamed'; readonly name: string }
  | {
      readonly type: 'integration.changed';
      readonly integration: string;
      readonly state: IntegrationState | 'removed';
      readonly error: string | null;
    }
  | { readonly type: 'mode.changed' | 'variable.changed'; readonly key: string; readonly value: SampleValue }
  | { readonly type: 'presence.changed'; readonly user: UserId; readonly state: PresenceState }
  | {
      readonly type: 'automation.run';
      readonly automation: string;
      readonly run: string;
      readonly outcome: RunOutcome;
    }
  /** So many lines before this one were more than the logbook takes in a time. */
  | { readonly type: 'lines.skipped'; readonly count: number };

/** These entries are written for the logbook alone. */
export type StoredEntry = Exclude<TimelineEntry, { readonly type: (typeof SAMPLED)[number] }>;
/** Samples alone tell of these. */
const SAMPLED = [
  'feature.occurred',
  'availability.changed',
  'mode.changed',
  'variable.changed',
  'presence.changed',
] as const satisfies readonly TimelineEntry['type'][];

export type TimelineType = TimelineEntry['type'];
/** Lines on disk have their places in this list. */
export const TIMELINE_TYPES = [
  'feature.changed',
  'feature.occurred',
  'availability.changed',
  'command.finished',
  'device.added',
  'device.removed',
  'device.renamed',
  'integration.changed',
  'hub.started',
  'lines.skipped',
  'mode.changed',
  'variable.changed',
  'presence.changed',
  'automation.run',
] as const satisfies readonly TimelineType[];

/** Texts of samples have at most 4,096 characters, and a line of a logbook needs fewer. */
const MAX_TEXT = 200;

export function lineText(text: string): string {
  return shortText(text, MAX_TEXT);
}

/** The line as the text of a sample. Short, because it is written twice: to the journal and to the file of its month. */
export function textFromEntry(entry: StoredEntry): string {
  const type = TIMELINE_TYPES.indexOf(entry.type);
  switch (entry.type) {
    case 'feature.changed':
      return textOf([type, entry.key, entry.value, causeCells(entry.cause), byCells(entry.by)]);
    case 'command.finished': {
      const { command, status, reason, code, wishes, cause, by } = entry;
      return textOf([type, shortId(command), status, reason, { ...wishes }, causeCells(cause), byCells(by), code]);
    }
    case 'device.renamed':
      return textOf([type, entry.name]);
    case 'integration.changed':
      return textOf([type, entry.integration, entry.state, entry.error]);
    case 'automation.run':
      return textOf([type, shortId(entry.automation), shortId(entry.run), entry.outcome]);
    case 'lines.skipped':
      return textOf([type, entry.count]);
    default:
      return textOf([type]);
  }
}

/** Without the empty cells at its end. */
function textOf(cells: readonly JsonValue[]): string {
  const last = cells.findLastIndex((cell) => cell !== null);
  return JSON.stringify(cells.slice(0, last + 1));
}

function causeCells(cause: Cause | null): JsonValue {
  if (cause === null) return null;
  const { command, scene, automation, run, depth } = cause;
  const isDirect = scene === null && automation === null && run === null && depth === 0;
  return isDirect ? [shortId(command)] : [...[command, scene, automation, run].map(shortId), depth];
}

function byCells(by: Issuer | null): JsonValue {
  return by === null ? null : [ISSUER_TYPES.indexOf(by.type), shortId(by.id), shortId(by.userId)];
}

/** `undefined` for a text that is no line, as of a later version. */
export function entryFromText(text: SampleValue): StoredEntry | undefined {
  const cells = typeof text === 'string' ? parseJson(text) : undefined;
  if (!Array.isArray(cells)) return undefined;
  const [number] = cells;
  const type = typeof number === 'number' ? TIMELINE_TYPES[number] : undefined;
  const [, one = null, two = null, three = null, four = null, five = null, six = null, seven = null] = cells;
  switch (type) {
    case undefined:
      return undefined;
    case 'feature.changed': {
      if (typeof one !== 'string' || two === null || typeof two === 'object') return undefined;
      return { type, key: one, value: two, cause: causeFrom(three), by: byFrom(four) };
    }
    case 'feature.occurred':
    case 'availability.changed':
    case 'mode.changed':
    case 'variable.changed':
    case 'presence.changed':
      return undefined;
    case 'command.finished': {
      const status = COMMAND_STATUSES.find((known) => known === two);
      const [cause, by] = [causeFrom(five), byFrom(six)];
      const command = idFrom(one);
      if (command === null || status === undefined || cause === null || by === null) return undefined;
      const [reason, code] = [textOrNull(three), textOrNull(seven)];
      return { type, command, status, reason, code, wishes: wishesFrom(four), cause, by };
    }
    case 'device.renamed':
      return typeof one === 'string' ? { type, name: one } : undefined;
    case 'integration.changed': {
      const state = [...INTEGRATION_STATES, 'removed' as const].find((known) => known === two);
      if (typeof one !== 'string' || state === undefined) return undefined;
      return { type, integration: one, state, error: textOrNull(three) };
    }
    case 'automation.run': {
      const outcome = RUN_OUTCOMES.find((known) => known === three);
      const [automation, run] = [idFrom(one), idFrom(two)];
      return automation === null || run === null || outcome === undefined
        ? undefined
        : { type, automation, run, outcome };
    }
    case 'lines.skipped':
      return typeof one === 'number' ? { type, count: one } : undefined;
    default:
      return { type };
  }
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** A UUID in 22 characters instead of 36; a mark before any other text. */
function shortId(id: string | null): string | null {
  if (id === null) return null;
  return UUID.test(id) ? Buffer.from(id.replaceAll('-', ''), 'hex').toString('base64url') : `=${id}`;
}

function idFrom(short: JsonValue): string | null {
  if (typeof short !== 'string') return null;
  if (short.startsWith('=')) return short.slice(1);
  const hex = Buffer.from(short, 'base64url').toString('hex');
  return hex.length === 32 ? hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') : null;
}

function textOrNull(value: JsonValue): string | null {
  return typeof value === 'string' ? value : null;
}

function causeFrom(cells: JsonValue): Cause | null {
  if (!Array.isArray(cells)) return null;
  const [command = null, scene = null, automation = null, run = null, depth = 0] = cells;
  return {
    command: idFrom(command),
    scene: idFrom(scene),
    automation: idFrom(automation),
    run: idFrom(run),
    depth: typeof depth === 'number' ? depth : 0,
  };
}

function byFrom(cells: JsonValue): Issuer | null {
  if (!Array.isArray(cells)) return null;
  const [number, shortOne = null, shortUser = null] = cells;
  const [type, id, userId] = [
    typeof number === 'number' ? ISSUER_TYPES[number] : undefined,
    idFrom(shortOne),
    idFrom(shortUser),
  ];
  return type === undefined || id === null || userId === null ? null : { type, id, userId: userId as UserId };
}

function wishesFrom(value: JsonValue): Record<string, boolean | number | string | null> {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return {};
  return Object.fromEntries(
    Object.entries(value).map(([key, wish]) => [key, typeof wish === 'object' ? null : (wish ?? null)]),
  );
}
