import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import * as z from 'zod/mini';
import { AUDIT_TYPES, type NumberedAuditRecord } from '#auth/audit/audit-entry.ts';
import type { AuditHistory } from '#auth/audit/audit-history.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { named, described, wordOf } from '#http/note/described.ts';
import * as notes from './notes.ts';

const PATH = '/api/v1/audit';

const auditEntrySchema = named(
  'AuditEntry',
  z.object({
    id: described('Grows with each entry.', z.string()),
    type: described('What happened.', wordOf('AuditType', AUDIT_TYPES)),
    at: described('When it happened, or for the last time if `count` is above 1, by the time of the hub.', timeSchema),
    first_at: described('When it happened for the first time.', timeSchema),
    wall_at: described('The time of day that the machine showed; `null`: it knew none.', z.nullable(timeSchema)),
    epoch: described('The run of the time of the hub in which it happened.', z.string()),
    count: described('How many times it happened; the same many times is one entry.', z.int()),
    peer: described('Socket address of the client; `null`: no client did it.', z.nullable(z.string())),
    user_id: described('The person whom it is about; `null`: nobody.', z.nullable(z.string())),
    actor_id: described('The person who did it; `null`: nobody, or unknown.', z.nullable(z.string())),
    session: described('Id of the login with which it was done; `null`: none.', z.nullable(z.string())),
    api_token: described('Id of the API token with which it was done; `null`: none.', z.nullable(z.string())),
    detail: described('More in a few words; `null`: none.', z.nullable(z.string())),
  }),
);

function auditEntryJson(record: NumberedAuditRecord): z.infer<typeof auditEntrySchema> {
  return {
    id: String(record.number),
    type: record.type,
    at: timeJson(record.atMs),
    first_at: timeJson(record.firstAtMs),
    wall_at: timeJson(record.wallMs),
    epoch: record.epoch,
    count: record.count,
    peer: record.peer,
    user_id: record.userId,
    actor_id: record.actorId,
    session: record.session,
    api_token: record.apiToken,
    detail: record.detail,
  };
}

const querySchema = z.strictObject({
  types: described('Only these types.', z.optional(z.array(wordOf('AuditType', AUDIT_TYPES)))),
  limit: described(
    'How many entries are on a page; by default all are on one.',
    z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
  ),
  cursor: described('From the `Link` of the previous page.', z.optional(z.string().check(z.regex(/^\d{1,15}$/)))),
});

/** Logins, refusals and changes, which only the owner may read. */
export function auditRoutes(deps: { readonly auditHistory: AuditHistory }): readonly Route[] {
  return [
    defineRoute({
      id: 'listAuditEntries',
      method: 'GET',
      path: PATH,
      summary: 'List the audit log, newest first: logins, refusals, changes and commands that open doors',
      tag: 'Hub',
      note: notes.listAuditEntries,
      access: 'system:manage',
      query: querySchema,
      answers: { 200: z.array(auditEntrySchema) },
      handle: async ({ query: { types, limit, cursor } }) => {
        const before = cursor === undefined ? undefined : Number(cursor);
        const { records, total, hasMore } = await deps.auditHistory.list({ types, before, limit: limit ?? null });
        const last = records.at(-1);
        const next = new URLSearchParams({
          ...(types === undefined ? {} : { types: types.join(',') }),
          limit: String(limit),
          cursor: String(last?.number),
        });
        const link = hasMore && last !== undefined ? { Link: `<${PATH}?${next.toString()}>; rel="next"` } : {};
        return { status: 200, json: records.map(auditEntryJson), headers: { ...link, 'X-Total-Count': String(total) } };
      },
    }),
  ];
}
