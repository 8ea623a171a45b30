import type { AuditEntry } from '#web/client/api.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { clockWords } from '#web/strings/measure-words.ts';

/** The entry types of each filter. An empty list means all types. */
export const AUDIT_FILTERS = {
  all: [],
  changes: [
    'hub.claimed',
    'user.added',
    'user.changed',
    'user.ended',
    'user.removed',
    'password.changed',
    'api_token.added',
    'api_token.removed',
    'backup.made',
    'backup.downloaded',
    'backup.restored',
    'history.imported',
    'hub.renamed',
    'hub.changed',
    'integration.added',
    'integration.changed',
    'integration.removed',
    'integration.ignored',
    'integration.restored',
    'pairing.opened',
    'automation.added',
    'automation.changed',
    'automation.removed',
    'automation.called',
    'device.removed',
    'device.marked',
    'recording.changed',
    'history.changed',
    'history.deleted',
    'energy.changed',
    'energy.recalculated',
    'energy.deleted',
    'webhook.added',
    'webhook.changed',
    'webhook.removed',
    'notification.changed',
    'notification_channel.added',
    'notification_channel.changed',
    'notification_channel.removed',
    'exporter.added',
    'exporter.changed',
    'exporter.removed',
    'exporter.replayed',
  ],
  doors: ['command.given'],
  logins: ['login.succeeded', 'session.revoked', 'token.reused'],
  refusals: ['login.failed', 'login.throttled', 'password.refused', 'claim.failed', 'token.refused', 'request.refused'],
} as const satisfies Record<string, readonly string[]>;
export type AuditFilter = keyof typeof AUDIT_FILTERS;

/** The sentence for an entry, with the names of people. A type that this page does not know is shown as it is. */
export function auditSentence(entry: AuditEntry, names: ReadonlyMap<string, string>): string {
  const { type, user_id: userId, actor_id: actorId, peer, detail } = entry;
  const nameOf = (id: string | null): string | null =>
    id === null ? null : (names.get(id) ?? settingsWords.audit.gone);
  const whom = nameOf(userId);
  const who = nameOf(actorId) ?? (peer === 'console' ? settingsWords.audit.console : (whom ?? settingsWords.audit.hub));
  const isOwn = actorId === null && peer !== 'console';
  const sentence = settingsWords.audit.sentences[type];
  return sentence === undefined ? type : sentence({ who, whom, isOwn, detail });
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
