import type { RouteAnswer } from './answer.ts';
import { contentTag } from '#base/content/content-tag.ts';
import { isNotModified } from './entity-tag.ts';

type Fields = Readonly<Record<string, string>>;

/** The header field with the position from which a client follows what it has just read. */
export function cursorOf({ eventCursor }: { readonly eventCursor: () => string }): { readonly 'Event-Cursor': string } {
  return { 'Event-Cursor': eventCursor() };
}

/** A client may keep a resource if it asks before each use whether it has changed. */
export type Resource = {
  readonly etag: string;
  /** Sent with a 304 as well. */
  readonly headers?: Fields;
  /** Called only if the client does not have it yet; its headers go out with the content only. */
  readonly content: () => Pick<RouteAnswer, 'json' | 'bytes' | 'headers'>;
};

/** The tag of something with a revision; `requiredRevision` reads it back from If-Match. */
export function revisionTag({ revision }: { readonly revision: number }): string {
  return `"${revision}"`;
}

/** Something with a revision that changes by itself as well: its tag begins with the revision. */
export function revisedResource<Json extends { readonly revision: number }>(json: Json, headers: Fields = {}) {
  const hash = contentTag(JSON.stringify(json)).slice(1, -1);
  return { etag: `"${json.revision}-${hash}"`, headers, content: () => ({ json }) };
}

/** A whole list. It has no revision, so its tag is that of its content. */
export function listResource(json: readonly unknown[], headers: Fields = {}): Resource {
  return {
    etag: contentTag(JSON.stringify(json)),
    headers,
    content: () => ({ json, headers: { 'X-Total-Count': String(json.length) } }),
  };
}

/** The resource as it is now, as the answer to a change of it. */
export function showResource(resource: Resource): RouteAnswer {
  const { headers, ...content } = resource.content();
  return { status: 200, ...content, headers: { ...cacheFields(resource), ...headers } };
}

/** The resource that a call has just made; `location` is the path at which it stands from now on. */
export function showCreated(resource: Resource, location: string): RouteAnswer {
  const { headers, ...answer } = showResource(resource);
  return { ...answer, status: 201, headers: { ...headers, Location: location } };
}

/** The resource, or 304 where the client has it already. */
export function showIfChanged(resource: Resource, header: (name: string) => string | undefined): RouteAnswer {
  if (!isNotModified(header('if-none-match'), resource.etag)) return showResource(resource);
  return { status: 304, headers: cacheFields(resource) };
}

function cacheFields({ etag, headers }: Resource): Fields {
  return { ETag: etag, 'Cache-Control': 'private, no-cache', ...headers };
}
