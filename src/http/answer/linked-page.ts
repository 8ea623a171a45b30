import * as z from 'zod/mini';
import { described } from '#http/note/described.ts';
import type { RouteAnswer } from './answer.ts';

/** The query of a page of a released list, which is an array. Newer lists are objects with the cursor in `next`. */
export const linkedPageShape = {
  limit: described(
    'The most rows on a page; the header `Link` leads to the next page. By default all are on one.',
    z.optional(z.int().check(z.minimum(1), z.maximum(1000))),
  ),
  cursor: described('From the `Link` of the previous page.', z.optional(z.uuid())),
};

type Asked = {
  readonly query: { readonly limit?: number | undefined; readonly cursor?: string | undefined };
  /** Path and query as sent. */
  readonly target: string;
};

/** The rows behind the one of the cursor; where that one is gone, the list begins anew. */
export function linkedPage(rows: readonly { readonly id: string }[], { query, target }: Asked): RouteAnswer {
  const { limit = rows.length, cursor } = query;
  const start = rows.findIndex(({ id }) => id === cursor) + 1;
  const json = rows.slice(start, start + limit);
  const last = json.at(-1);
  const hasMore = last !== undefined && start + json.length < rows.length;
  const headers = { 'X-Total-Count': String(rows.length), ...(hasMore && { Link: nextLink(target, last.id) }) };
  return { status: 200, json, headers };
}

/** The header field that leads to the page behind this cursor, with all else in the query as it was. */
export function nextLink(target: string, cursor: string): string {
  const [path, query] = target.split('?', 2);
  const next = new URLSearchParams(query);
  next.set('cursor', cursor);
  return `<${path}?${next.toString()}>; rel="next"`;
}
