import { isJsonObject, isSameJson } from '#base/json.ts';
import { forEachStep } from '#core/automation/check/check-condition.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { RequestStep } from '#core/automation/document/step.ts';
import type {
  AutomationRecord,
  AutomationVersion,
  Signer,
  UrlAuthor,
  UrlAuthors,
  VersionLine,
} from './automation-record.ts';
import type { AutomationStore } from './automation-store.ts';

type AuthorsBefore = { readonly definition: Definition; readonly authors: UrlAuthors };

/** The requests of a definition, with their places. */
export function requestsIn({ steps }: Definition): readonly { readonly pointer: string; readonly step: RequestStep }[] {
  const found: { readonly pointer: string; readonly step: RequestStep }[] = [];
  forEachStep(steps, (step, at) => {
    if ('request' in step) found.push({ pointer: `${at}/request`, step: step.request });
  });
  return found;
}

export function authorOf({ user, via }: Omit<Signer, 'signedAtMs'>): UrlAuthor {
  return { user: user.id, token: via.type === 'api_token' ? via.id : null };
}

/**
 * The authors of a definition that somebody saves. What stood there before keeps those whom it had, and who sends
 * something else to such a URL joins them: so nobody lends a right to what somebody else wrote. What a computed body says
 * may depend on all of the definition.
 */
export function authorsAfter(
  definition: Definition,
  before: AuthorsBefore | null,
  authorFor: (url: string) => UrlAuthor,
): UrlAuthors {
  const requests = requestsIn(definition);
  if (requests.length === 0) return {};
  const old = before === null ? [] : requestsIn(before.definition).map(({ step }) => step);
  const isUnchanged = before !== null && isSameJson(before.definition, definition);
  const authors: Record<string, readonly UrlAuthor[]> = {};
  for (const { step } of requests) {
    const { url } = step;
    const known = authors[url] ?? (old.some((one) => one.url === url) ? (before?.authors[url] ?? [null]) : []);
    const isKept = isUnchanged || !Object.values(step.json ?? {}).some(isJsonObject);
    const isSame = isKept && old.some((one) => isSameJson(one, step));
    authors[url] = isSame ? known : joined(known, [authorFor(url)]);
  }
  return authors;
}

/** The authors of what an older version did, once more: those of that version, and those of the present one. */
export function authorsAgain(definition: Definition, then: UrlAuthors, now: UrlAuthors): UrlAuthors {
  const urls = new Set(requestsIn(definition).map(({ step }) => step.url));
  return Object.fromEntries([...urls].map((url) => [url, joined(then[url] ?? [null], now[url] ?? [])]));
}

function joined(known: readonly UrlAuthor[], news: readonly UrlAuthor[]): readonly UrlAuthor[] {
  return [...known, ...news.filter((one) => !known.some((other) => isSameJson(one, other)))];
}

/** The authors of a version. One from before they were noted has those of the versions that brought each URL. */
export async function loadAuthors(
  store: Pick<AutomationStore, 'loadVersions' | 'loadVersion'>,
  id: AutomationId,
  version: number,
): Promise<UrlAuthors> {
  const wanted = await store.loadVersion(id, version);
  if (wanted === undefined) return {};
  if (wanted.urlAuthors !== undefined) return wanted.urlAuthors;
  if (requestsIn(wanted.definition).length === 0) return {};
  const byVersion = new Map<number, AuthorsBefore>();
  const lines = (await store.loadVersions(id)).filter((line) => line.version <= version).toReversed();
  let last: VersionLine | undefined;
  for (const line of lines) {
    const found = await store.loadVersion(id, line.version);
    if (found !== undefined) {
      const before = last === undefined ? undefined : byVersion.get(last.version);
      const isNext = line.version === (last?.version ?? 0) + 1;
      byVersion.set(line.version, {
        definition: found.definition,
        authors: authorsIn(found, { before, isNext, byVersion }),
      });
      last = line;
    }
  }
  return byVersion.get(version)?.authors ?? {};
}

const known = new WeakMap<AutomationRecord, UrlAuthors>();

/** The authors of the version that a record has, read once. */
export async function authorsNow(
  store: Pick<AutomationStore, 'loadVersions' | 'loadVersion'>,
  record: AutomationRecord,
): Promise<UrlAuthors> {
  if (requestsIn(record.definition).length === 0) return {};
  const authors = known.get(record) ?? (await loadAuthors(store, record.id, record.version));
  known.set(record, authors);
  return authors;
}

type Walk = {
  readonly before: AuthorsBefore | undefined;
  /** Whether the version right before is kept; else nobody knows who brought what is new. */
  readonly isNext: boolean;
  readonly byVersion: ReadonlyMap<number, AuthorsBefore>;
};

function authorsIn(
  { definition, by, revertedTo, urlAuthors }: AutomationVersion,
  { before, isNext, byVersion }: Walk,
): UrlAuthors {
  if (urlAuthors !== undefined) return urlAuthors;
  if (revertedTo !== null) {
    return authorsAgain(definition, byVersion.get(revertedTo)?.authors ?? {}, before?.authors ?? {});
  }
  return authorsAfter(definition, before ?? null, () => (isNext ? authorOf(by) : null));
}
