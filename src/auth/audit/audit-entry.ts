import type { UserId } from '#core/person/user.ts';
import type { ApiTokenId } from '#auth/token/api-token.ts';
import type { SessionId } from '#auth/session/session.ts';

/**
 * How long the history of a kind of entry reaches does not depend on the others: what a stranger can cause by the
 * thousand must not wash out what only few can do.
 */
export type AuditKind = 'change' | 'command' | 'session' | 'refusal';

/** Every type there is, and its kind. All but `refusal` are on disk before the caller is answered. */
export const AUDIT_KINDS = {
  'hub.claimed': 'change',
  'user.added': 'change',
  'user.changed': 'change',
  'user.removed': 'change',
  'password.changed': 'change',
  'api_token.added': 'change',
  'api_token.removed': 'change',
  'backup.made': 'change',
  'backup.downloaded': 'change',
  'backup.restored': 'change',
  'hub.renamed': 'change',
  'integration.changed': 'change',
  'pairing.opened': 'change',
  'device.removed': 'change',
  'device.marked': 'change',
  'webhook.added': 'change',
  'webhook.changed': 'change',
  'webhook.removed': 'change',
  'command.given': 'command',
  'token.reused': 'session',
  'login.succeeded': 'session',
  'session.revoked': 'session',
  'login.failed': 'refusal',
  'login.throttled': 'refusal',
  'password.refused': 'refusal',
  'claim.failed': 'refusal',
  'token.refused': 'refusal',
  'request.refused': 'refusal',
} as const satisfies Record<string, AuditKind>;

export type AuditType = keyof typeof AUDIT_KINDS;
export const AUDIT_TYPES = Object.keys(AUDIT_KINDS) as readonly AuditType[];

/** What happened, as its witness tells it. No member may hold a secret, or text that a stranger typed. */
export type AuditEvent = {
  readonly type: AuditType;
  /** Socket address; `console` for the machine's own administrator, `null` for the hub itself. */
  readonly peer: string | null;
  /** Whose account it was about, where it is one of the hub. */
  readonly userId?: UserId | undefined;
  /** Who did it, where that is another. */
  readonly actorId?: UserId | undefined;
  /** Only its beginning is kept. */
  readonly sessionId?: SessionId | undefined;
  /** Id of the API token with which it was done. */
  readonly apiTokenId?: ApiTokenId | undefined;
  /** Why, or what of it, in a word of the hub's own: a code, a role, a selector. */
  readonly detail?: string | undefined;
};

/** One or several equal events, as they are kept. */
export type AuditRecord = {
  readonly type: AuditType;
  readonly kind: AuditKind;
  /** Among whom the history of a kind is shared out: the one who acts, or the peer that is refused. */
  readonly party: string;
  readonly peer: string | null;
  readonly userId: string | null;
  readonly actorId: string | null;
  readonly session: string | null;
  readonly apiToken: string | null;
  readonly detail: string | null;
  /** How many events; above 1 the first was at `firstAtMs`. */
  readonly count: number;
  /** Hub time, as `epoch` counts it. */
  readonly firstAtMs: number;
  readonly atMs: number;
  readonly epoch: string;
  /** Wall time, where the machine's clock was synchronised. */
  readonly wallMs: number | null;
};

/** Newer ones have higher numbers. */
export type NumberedAuditRecord = AuditRecord & { readonly number: number };

export type AuditQuery = {
  /** All where absent. */
  readonly types?: readonly AuditType[] | undefined;
  /** Only those with a lower number. */
  readonly before?: number | undefined;
  readonly limit: number;
};

/** What the audit needs kept. Old entries go as new ones come: how many are kept is the store's to say. */
export type AuditStore = {
  /** All in one transaction, on disk when it resolves. */
  readonly insertAudit: (records: readonly AuditRecord[]) => Promise<void>;
  /** Newest first. */
  readonly loadAudit: (query: AuditQuery) => Promise<readonly NumberedAuditRecord[]>;
  readonly countAudit: (types?: readonly AuditType[]) => Promise<number>;
};

const SESSION_PREFIX_LENGTH = 13;
const MAX_TEXT_LENGTH = 64;
const SAFE = /[^\x20-\x7e]/g;

/** The event as one record of one event. */
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

/** Whatever it was, it is one short line of printable characters now. */
function plainText(text: string): string {
  const escaped = text.replaceAll(SAFE, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return escaped.slice(0, MAX_TEXT_LENGTH);
}
