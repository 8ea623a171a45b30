import { contentTag } from '#base/content/content-tag.ts';
import { HubError } from '#base/hub-error.ts';

const TAGS = /\s*(W\/)?"([\x21\x23-\x7e]*)"\s*(?:,|$)/gy;

type EntityTag = { readonly opaque: string; readonly isWeak: boolean };

/** The tags of an `If-Match` or `If-None-Match` field; `undefined` if the field is no list of tags. */
function readTags(field: string): readonly EntityTag[] | undefined {
  const tags: EntityTag[] = [];
  let end = 0;
  for (const match of field.matchAll(TAGS)) {
    tags.push({ opaque: match[2] ?? '', isWeak: match[1] !== undefined });
    end = match.index + match[0].length;
  }
  return end === field.length ? tags : undefined;
}

/** Whether the client has this representation already (RFC 9110 section 13.1.2, weak comparison). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  // Most clients send back exactly the tag that they got.
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true;
  return readTags(ifNoneMatch)?.some((tag) => `"${tag.opaque}"` === etag) ?? false;
}

/**
 * The revision that an update is conditional on, or `undefined` for an unconditional one. Takes `"<revision>"` and the
 * whole tag `"<revision>-…"` of a representation. Throws PRECONDITION_FAILED if the field names another revision.
 */
export function requiredRevision(ifMatch: string | undefined, revision: number): number | undefined {
  const wanted = wantedTags(ifMatch);
  if (wanted === undefined) return undefined;
  if (wanted.some((opaque) => opaque.split('-')[0] === String(revision))) return revision;
  throw new HubError('PRECONDITION_FAILED', `The revision is now ${revision}.`);
}

/** The tag of what has no revision, made of all that can be set. */
export function tagOf(settable: object): string {
  return contentTag(JSON.stringify(settable));
}

/** Throws PRECONDITION_FAILED if the field names another tag than this one: for what has no revision. */
export function requireTag(ifMatch: string | undefined, etag: string): void {
  const isWanted = wantedTags(ifMatch)?.some((opaque) => `"${opaque}"` === etag) ?? true;
  if (!isWanted) throw new HubError('PRECONDITION_FAILED', `The tag is now ${etag}.`);
}

/** The strong tags of If-Match; `undefined` where each will do. Throws MALFORMED_REQUEST. */
function wantedTags(ifMatch: string | undefined): readonly string[] | undefined {
  if (ifMatch === undefined || ifMatch.trim() === '*') return undefined;
  const tags = readTags(ifMatch);
  if (tags === undefined) throw new HubError('MALFORMED_REQUEST', 'The header field if-match is not a list of tags.');
  return tags.flatMap(({ opaque, isWeak }) => (isWeak ? [] : opaque));
}

/** Somebody who changes one thing without end must not hold up another person for ever. */
const TRIES = 5;

/**
 * Makes a change out of what is read at its beginning, and that holds for this revision only: once more where another
 * change came between, unless the caller named a revision itself. Throws what the last try throws.
 */
export async function changeAsRead<Done>(
  { header }: { readonly header: (name: string) => string | undefined },
  change: () => Promise<Done>,
): Promise<Done> {
  const isNamed = (header('if-match') ?? '*').trim() !== '*';
  for (let triesLeft = TRIES; ; triesLeft -= 1) {
    try {
      return await change();
    } catch (cause) {
      const isOvertaken = cause instanceof HubError && cause.code === 'PRECONDITION_FAILED';
      if (!isOvertaken || triesLeft === 1 || isNamed) throw cause;
    }
  }
}
