import { z } from 'zod/mini';
import { AUDIT_TYPES } from '#auth/audit/audit-entry.ts';
import type { AuditHistory } from '#auth/audit/audit-history.ts';
import { defineRoute, type Route } from '#http/routing/route.ts';
import { auditEntryJson, auditEntrySchema } from './json.ts';
import { described, wordOf } from '#http/note/described.ts';
import * as notes from './notes.ts';

const PATH = '/api/v1/audit';

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
