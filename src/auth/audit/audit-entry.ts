import type { UserId } from '#core/person/user.ts';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { SessionId } from '#auth/session/session.ts';

/**
 * Each kind has its own share of the history, so that entries that a stranger can cause by the thousand do not push out
 * those that only a few people can cause.
 */
export type AuditKind = 'change' | 'command' | 'session' | 'refusal';

/** All types and their kinds. All but `refusal` are on disk before the caller gets its answer. */
export const AUDIT_KINDS = {
  'hub.claimed': 'change',
  'user.added': 'change',
  'user.changed': 'change',
  'user.ended': 'change',
  'user.removed': 'change',
  'password.changed': 'change',
  'api_token.added': 'change',
  'api_token.removed': 'change',
  'backup.made': 'change',
  'backup.downloaded': 'change',
  'backup.restored': 'change',
  'exporter.added': 'change',
  'exporter.changed': 'change',
  'exporter.removed': 'change',
  'exporter.replayed': 'change',
  'hub.renamed': 'change',
  'hub.changed': 'change',
  'integration.added': 'change',
  'integration.changed': 'change',
  'integration.removed': 'change',
  'integration.ignored': 'change',
  'integration.restored': 'change',
  'pairing.opened': 'change',
  'automation.added': 'change',
  'automation.changed': 'change',
  'automation.removed': 'change',
  'device.removed': 'change',
  'device.marked': 'change',
  'recording.changed': 'change',
  'history.changed': 'change',
  'history.deleted': 'change',
  'energy.changed': 'change',
  'energy.recalculated': 'change',
  'energy.deleted': 'change',
  'webhook.added': 'change',
  'webhook.changed': 'change',
  'webhook.removed': 'change',
  'notification.changed': 'change',
  'history.imported': 'change',
  'notification_channel.added': 'change',
  'notification_channel.changed': 'change',
  'notification_channel.removed': 'change',
  'command.given': 'command',
  'automation.called': 'command',
  'token.reused': 'session',
  'login.succeeded': 'session',
  'session.revoked': 'session',
  'login.failed': 'refusal',
  'login.throttled': 'refusal',
  'password.refused': 'refusal',
  'wall_code.refused': 'refusal',
  'claim.failed': 'refusal',
  'token.refused': 'refusal',
  'request.refused': 'refusal',
} as const satisfies Record<string, AuditKind>;

export type AuditType = keyof typeof AUDIT_KINDS;
export const AUDIT_TYPES = Object.keys(AUDIT_KINDS) as readonly AuditType[];

/** The part that saw something happen reports it so. No member may hold a secret, or text that a stranger typed. */
export type AuditEvent = {
  readonly type: AuditType;
  /** Socket address. `console` for an administrator at the machine, `null` for the hub itself. */
  readonly peer: string | null;
  /** The account concerned, if the hub has it. */
  readonly userId?: UserId | undefined;
  /** The user who acted, if not `userId`. */
  readonly actorId?: UserId | undefined;
  /** Only its first characters are stored. */
  readonly sessionId?: SessionId | undefined;
  readonly apiTokenId?: ApiTokenId | undefined;
  /** A reason or particular, in the hub's own words: a code, a role, a selector. */
  readonly detail?: string | undefined;
};

/** One or several equal events, as they are stored. */
export type AuditRecord = {
  readonly type: AuditType;
  readonly kind: AuditKind;
  /** Parties share the history of a kind: the user who acts, or the peer that is refused. */
  readonly party: string;
  readonly peer: string | null;
  readonly userId: string | null;
  readonly actorId: string | null;
  readonly session: string | null;
  readonly apiToken: string | null;
  readonly detail: string | null;
  /** Number of events. The first was at `firstAtMs`. */
  readonly count: number;
  /** Hub time in `epoch`. */
  readonly firstAtMs: number;
  readonly atMs: number;
  readonly epoch: string;
  /** Wall time, if the machine's clock was synchronised. */
  readonly wallMs: number | null;
};

/** Newer ones have higher numbers. */
export type NumberedAuditRecord = AuditRecord & { readonly number: number };

export type AuditQuery = {
  /** All types if absent. */
  readonly types?: readonly AuditType[] | undefined;
  /** Only those with a lower number. */
  readonly before?: number | undefined;
  readonly limit: number;
};

/** The store keeps the audit log. It decides how many entries it keeps, and drops the oldest. */
export type AuditStore = {
  readonly insertAudit: (records: readonly AuditRecord[]) => Promise<void>;
  /** Newest first. */
  readonly loadAudit: (query: AuditQuery) => Promise<readonly NumberedAuditRecord[]>;
  readonly countAudit: (types?: readonly AuditType[]) => Promise<number>;
};

const SESSION_PREFIX_LENGTH = 13;
const MAX_TEXT_LENGTH = 64;
const SAFE = /[^\x20-\x7e]/g;

/** The record of a single event. */
export function recordFromEvent(
  event: AuditEvent,
  now: Pick<AuditRecord, 'atMs' | 'epoch' | 'wallMs'>,
  partyOf: (peer: string) => string,
): AuditRecord {
  const { type, actorId, userId, sessionId } = event;
  const kind = AUDIT_KINDS[type];
  const peer = event.peer === null ? null : plainText(event.peer);
  const account = actorId ?? userId;
  return {
    ...now,
    type,
    kind,
    party: kind === 'refusal' || account === undefined ? partyOf(peer ?? 'hub') : account,
    peer,
    userId: userId ?? null,
    actorId: actorId ?? null,
    session: sessionId === undefined ? null : plainText(sessionId.slice(0, SESSION_PREFIX_LENGTH)),
    apiToken: event.apiTokenId ?? null,
    detail: event.detail === undefined ? null : plainText(event.detail),
    count: 1,
    firstAtMs: now.atMs,
  };
}

/** One short line of printable characters. */
function plainText(text: string): string {
  const escaped = text.replaceAll(SAFE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped.slice(0, MAX_TEXT_LENGTH);
}
