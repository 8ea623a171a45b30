import type { AuditEntry, Device } from '#web/client/api.ts';
import { nameAndValue } from '#web/history/log-words.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { inEnglish } from '#web/strings/hub-text.ts';
import { listed } from '#web/strings/en/grammar.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { ownWord } from '#web/strings/language/hub-tables.ts';
import { clockWords, dayWords, momentWords, sizeWords } from '#web/strings/measure-words.ts';

const DOORS = ['command.given'];
const LOGINS = ['login.succeeded', 'session.revoked', 'token.reused'];
const REFUSALS = [
  'login.failed',
  'login.throttled',
  'password.refused',
  'wall_code.refused',
  'claim.failed',
  'token.refused',
  'request.refused',
];
const UNCHANGING: ReadonlySet<string> = new Set([...DOORS, ...LOGINS, ...REFUSALS]);

/** The entry types of each filter. An empty list means all types; every type has a sentence. */
export const AUDIT_FILTERS = {
  all: [],
  changes: Object.keys(settingsWords.audit.sentences).filter((type) => !UNCHANGING.has(type)),
  doors: DOORS,
  logins: LOGINS,
  refusals: REFUSALS,
} satisfies Record<string, readonly string[]>;
export type AuditFilter = keyof typeof AUDIT_FILTERS;

/** The page knows these of what the log has by an id or selector. */
type Things = {
  readonly device: (selector: string) => Pick<Device, 'name' | 'features'> | undefined;
  /** The id is that of an integration or of a kind. */
  readonly integration: (id: string) => string | undefined;
};
const NO_THINGS: Things = { device: () => undefined, integration: () => undefined };

/** The sentence for an entry, with the names of people. A type that this page does not know is shown as it is. */
export function auditSentence(
  entry: AuditEntry,
  names: ReadonlyMap<string, string>,
  things: Things = NO_THINGS,
): string {
  const { type, user_id: userId, actor_id: actorId, peer, detail } = inEnglish(entry);
  const nameOf = (id: string | null): string | null =>
    id === null ? null : (names.get(id) ?? settingsWords.audit.gone);
  const whom = nameOf(userId);
  const who = nameOf(actorId) ?? (peer === 'console' ? settingsWords.audit.console : (whom ?? settingsWords.audit.hub));
  const isOwn = actorId === null && peer !== 'console';
  if (type === 'automation.changed' && detail !== null) return automationSentence(who, detail);
  const sentence = settingsWords.audit.sentences[type];
  return sentence === undefined
    ? type
    : sentence({ who, whom, isOwn, detail: detail && detailWords(type, detail, things) });
}

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Puts into the language of the page what the hub notes in words and times of its own. */
function detailWords(type: string, detail: string, things: Things): string {
  switch (type) {
    case 'command.given':
      return commandWords(detail, things);
    case 'integration.added':
    case 'integration.changed':
    case 'integration.removed':
    case 'integration.ignored':
    case 'integration.restored':
      // What stands behind the id stays apart from it by a blank.
      return detail.replace(/^\S+/, (id) => things.integration(id)?.replaceAll(' ', '\u00a0') ?? id);
    case 'user.added':
      return ownWord(settingsWords.roles, detail) ?? detail;
    case 'device.marked': {
      const marks = Object.entries(settingsWords.audit.marks);
      return marks.reduce((text, [mark, words]) => text.replace(new RegExp(`([ ,])${mark}\\b`), `$1${words}`), detail);
    }
    case 'automation.called':
      return detail.replace(/ by hook$/, '');
    case 'history.changed':
      return keptWords(detail);
    case 'history.deleted':
    case 'energy.deleted':
      return deletedWords(detail);
    case 'notification.changed':
      return switchedWords(detail);
    default:
      return detail.replace(`Z to `, 'Z – ').replace(MOMENT, momentWords);
  }
}

const { details } = settingsWords.audit;

/** `porch-light started`, `fan replaced by fan-2`, `template evening 3`, `all resumed`, or a selector alone. */
function automationSentence(who: string, detail: string): string {
  if (detail === 'all resumed') return details.resumed(who);
  const [, template, version] = /^template (\S+) (\S+)$/.exec(detail) ?? [];
  if (template !== undefined) return details.template(who, template, version === 'removed');
  const [, from, to] = /^(\S+) replaced by (\S+)$/.exec(detail) ?? [];
  if (from !== undefined && to !== undefined) return details.replaced(who, from, to);
  const [name = '', done = ''] = detail.split(' ');
  return details.automation(who, name, ownWord(details.done, done) ?? details.done.changed);
}

/** `locked=false,pin front-door` */
function commandWords(detail: string, { device }: Things): string {
  const [wanted = '', selector = ''] = detail.split(' ');
  const known = device(selector);
  const words = wanted.split(',').map((one) => {
    const [key = '', value] = one.split('=');
    if (known === undefined) return one.replace('=', ' = ');
    if (value !== undefined) return nameAndValue(key, plainOf(value), known);
    return known.features.find((own) => own.key === key)?.name ?? key;
  });
  return `${known?.name ?? selector} (${listed(words)})`;
}

function plainOf(value: string): boolean | number | string {
  if (value === 'true' || value === 'false') return value === 'true';
  return value === '' || Number.isNaN(Number(value)) ? value : Number(value);
}

/** `30 days, usual bytes, 2 rules` */
function keptWords(detail: string): string {
  const [, days, bytes, rules] = /^(\d+) days, (\d+|usual) bytes, (\d+) rules$/.exec(detail) ?? [];
  if (days === undefined || bytes === undefined) return detail;
  return details.kept(Number(days), bytes === 'usual' ? null : sizeWords(Number(bytes)), Number(rules));
}

/** `everything first 2026-11-01T00:00:00.000Z`, `3 series …`, `2 consumers …` */
function deletedWords(detail: string): string {
  const [, count, noun, from, to] = /^(?:everything|(\d+) (series|consumers)) (\S+) (\S+)$/.exec(detail) ?? [];
  if (from === undefined || to === undefined) return detail;
  const what =
    count === undefined
      ? historyWords.keep.everything
      : noun === 'series'
        ? details.series(Number(count))
        : details.consumers(Number(count));
  return historyWords.keep.what(
    what,
    historyWords.keep.times(from === 'first' ? null : momentWords(from), momentWords(to)),
  );
}

/** `water on, smoke off` */
function switchedWords(detail: string): string {
  const builtIns: Readonly<Record<string, string>> = notificationWords.builtIns;
  const parts = detail.split(', ').map((part) => {
    const [kind = '', isOn] = part.split(' ');
    return details.switched(ownWord(builtIns, kind) ?? kind, isOn === 'on');
  });
  return listed(parts);
}

/** From where, by what and how often. */
export function auditNote(entry: AuditEntry): string {
  const { peer, count, first_at: firstAt, at, api_token: apiToken } = entry;
  const notes = [
    peer === null || peer === 'console' ? null : settingsWords.audit.from(peer),
    apiToken === null ? null : settingsWords.audit.byToken,
    count === 1
      ? null
      : firstAt === at
        ? settingsWords.audit.times(count)
        : settingsWords.audit.timesSince(count, clockWords(firstAt)),
  ];
  return notes.filter((note) => note !== null).join(' · ');
}

/** Entries in their order, by their days in the browser's zone. */
export function byDay(entries: readonly AuditEntry[]): readonly (readonly [string, readonly AuditEntry[]])[] {
  const days = new Map<string, AuditEntry[]>();
  for (const entry of entries) {
    const day = dayWords(entry.wall_at ?? entry.at);
    days.set(day, [...(days.get(day) ?? []), entry]);
  }
  return [...days];
}
