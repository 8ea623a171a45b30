import type { AuditEntry } from '#web/client/api.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { inEnglish } from '#web/strings/hub-text.ts';
import { ownWord } from '#web/strings/language/hub-tables.ts';
import { clockWords, dayWords, momentWords } from '#web/strings/measure-words.ts';

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

/** The sentence for an entry, with the names of people. A type that this page does not know is shown as it is. */
export function auditSentence(entry: AuditEntry, names: ReadonlyMap<string, string>): string {
  const { type, user_id: userId, actor_id: actorId, peer, detail } = inEnglish(entry);
  const nameOf = (id: string | null): string | null =>
    id === null ? null : (names.get(id) ?? settingsWords.audit.gone);
  const whom = nameOf(userId);
  const who = nameOf(actorId) ?? (peer === 'console' ? settingsWords.audit.console : (whom ?? settingsWords.audit.hub));
  const isOwn = actorId === null && peer !== 'console';
  const sentence = settingsWords.audit.sentences[type];
  return sentence === undefined ? type : sentence({ who, whom, isOwn, detail: detailWords(type, detail) });
}

const MOMENT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

/** Puts into the language of the page what the hub notes in words and times of its own. */
function detailWords(type: string, detail: string | null): string | null {
  if (detail === null) return null;
  if (type === 'user.added') return ownWord(settingsWords.roles, detail) ?? detail;
  if (type === 'device.marked') {
    const marks = Object.entries(settingsWords.audit.marks);
    return marks.reduce((text, [mark, words]) => text.replace(new RegExp(`([ ,])${mark}\\b`), `$1${words}`), detail);
  }
  return detail.replace(`Z to `, 'Z – ').replace(MOMENT, momentWords);
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
