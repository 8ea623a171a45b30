import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import * as z from 'zod/mini';
import type { ContentCoding } from '#base/content/compress.ts';
import { chooseCoding } from '#http/answer/content-coding.ts';
import type { NotFoundPage } from '#http/routing/dispatch.ts';
import { isNotModified } from '#http/answer/entity-tag.ts';
import { pathOfTarget } from '#http/edge/request-facts.ts';
import type { RequestFacts } from '#http/edge/request-facts.ts';
import type { RouteAnswer } from '#http/answer/answer.ts';
import type { Route } from '#http/routing/route.ts';
import { defineRoute } from '#http/routing/route.ts';

type ManifestEntry = z.infer<typeof manifestSchema>[number];

/** As the build writes it: each path with its file, which lies beside the manifest. */
const manifestSchema = z.array(
  z.object({
    /** Matched as sent, as the path of every route. */
    path: z.string(),
    type: z.string(),
    /** The path changes with the content, so browsers never have to ask again. */
    immutable: z.boolean(),
    file: z.string(),
    /** It is clearly smaller when it is compressed. */
    compressible: z.boolean(),
    etag: z.string(),
    /** A path whose files have languages has one for each that the page speaks. */
    language: z.optional(z.string()),
  }),
);

/**
 * The forms in which a file is served. None is brotli, which browsers accept over HTTPS only, and from this machine
 * itself.
 */
type Form = Extract<ContentCoding, 'gzip'> | 'identity';
type Variant = { readonly bytes: () => Later<Buffer>; readonly headers: Readonly<Record<string, string>> };

type Variants = ReadonlyMap<ContentCoding | 'identity', Variant>;

/** One path of the page with the bytes that answer it: by language, or under `''` where it has none. */
export type WebFile = {
  readonly path: string;
  readonly languages: ReadonlyMap<string, Variants>;
};

/** The page shows this of the hub before it asks. */
type WebUiHub = {
  readonly identity: () => { readonly name: string };
  /** A tag of BCP 47, for browsers that ask for none of the page's languages; `null` where nobody chose. */
  readonly language: () => string | null;
};

const SECURITY_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Resource-Policy': 'same-origin',
};
/** Stands in the page for the command that a person types on the machine of the hub. */
const HUB_COMMAND = '{{hub_command}}';
/** Stands in the app manifest for the name of the hub. */
const HUB_NAME = '{{hub_name}}';
/** The cookie has the language that a person chose in this browser. */
const LANGUAGE_COOKIE = 'hearthd_language';
const DEFAULT_LANGUAGE = 'en';
const APP_MANIFEST = 'application/manifest+json';
const IMMUTABLE = 'public, max-age=31536000, immutable';

/**
 * The files that the build has put into the folder, which must stay as it is: a file is read when somebody asks for it,
 * because a start does not wait for two megabytes of which a home uses a third. Only what is filled in is read at once,
 * synchronously: nothing else waits then. `hubCommand` is what a person types before the name of a command on the
 * machine of the hub; everyone on the network may read it.
 */
export function readWebUi(folder: URL, hubCommand: string): readonly WebFile[] {
  const manifest = manifestSchema.parse(JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')));
  const read = (name: string, type: string, builtTag: string): Content => {
    const file = new URL(name, folder);
    if (!type.startsWith('text/html')) return contentFrom(readShared(file), builtTag);
    const filled = fillIn(readFileSync(file), hubCommand);
    return contentFrom(() => filled, createHash('sha256').update(filled).digest('base64url').slice(0, 22));
  };
  // Many paths share a file.
  const shared = new Map<string, Variants>();
  const variantsOf = (entry: ManifestEntry): Variants => {
    const key = `${entry.file} ${entry.immutable}`;
    const variants = shared.get(key) ?? variantsFrom(entry, read(entry.file, entry.type, entry.etag));
    shared.set(key, variants);
    return variants;
  };
  const files = new Map<string, Map<string, Variants>>();
  for (const entry of manifest) {
    const languages = files.get(entry.path) ?? new Map<string, Variants>();
    files.set(entry.path, languages.set(entry.language ?? '', variantsOf(entry)));
  }
  return [...files].map(([path, languages]) => ({ path, languages }));
}

/** All who ask while it is read get the same bytes: many slow clients at once take the memory of one. */
function readShared(file: URL): () => Promise<Buffer> {
  let reading: Promise<Buffer> | undefined;
  return () =>
    (reading ??= readFile(file).finally(() => {
      reading = undefined;
    }));
}

function variantsFrom(entry: ManifestEntry, { etag, bytes }: Content): Variants {
  const { type, immutable, compressible, language } = entry;
  // What is filled in for each request is sent as it is.
  const forms: readonly Form[] = compressible && type !== APP_MANIFEST ? ['identity', 'gzip'] : ['identity'];
  const variants = new Map<Form, Variant>();
  for (const form of forms) {
    const isPlain = form === 'identity';
    const headers = {
      'Content-Type': type,
      'Cache-Control': immutable ? IMMUTABLE : 'no-cache',
      // A strong tag names one sequence of bytes.
      ETag: isPlain ? `"${etag}"` : `"${etag}-${form}"`,
      Vary: language === undefined ? 'Accept-Encoding, Origin' : 'Accept-Encoding, Accept-Language, Cookie, Origin',
      ...(language === undefined ? {} : { 'Content-Language': language }),
      ...(isPlain ? {} : { 'Content-Encoding': form }),
      ...SECURITY_HEADERS,
    };
    variants.set(form, { bytes: () => bytes(form), headers });
  }
  return variants;
}

type Content = ReturnType<typeof contentFrom>;

const compressed = promisify(gzip);

/** Compresses when it is first asked for: compressed files would be a seventh of the package. Keeps only that. */
function contentFrom(identity: () => Later<Buffer>, etag: string) {
  let kept: Promise<Buffer> | undefined;
  const pack = async (): Promise<Buffer> => {
    try {
      return await compressed(await identity());
    } catch (cause) {
      kept = undefined;
      throw cause;
    }
  };
  return {
    etag,
    bytes: (form: Form): Later<Buffer> => (form === 'identity' ? identity() : (kept ??= pack())),
  };
}

/** Puts in what the build could not know. */
function fillIn(built: Buffer, hubCommand: string): Buffer {
  const escaped = hubCommand.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return Buffer.from(built.toString().replaceAll(HUB_COMMAND, () => escaped));
}

/** The page ignores its query. */
const anyQuery = z.looseObject({});

/** The files of the page. They need no token and no owner, and their paths are outside the API. */
export function webUiRoutes(files: readonly WebFile[], hub: WebUiHub): readonly Route[] {
  return files.map(({ path, languages }) =>
    defineRoute({
      id: `show ${path}`,
      method: 'GET',
      path,
      summary: 'The page',
      tag: 'Reference',
      access: 'public',
      query: anyQuery,
      answers: { 200: null, 304: null },
      handle: ({ header }) => answerWith(variantFor(languages, header, hub), header, hub),
    }),
  );
}

type Header = RequestFacts['header'];

const NOT_FOUND_VARY = 'Accept, Accept-Encoding, Accept-Language, Cookie, Origin, Sec-Fetch-Mode';

/**
 * Answers a browser that opens an unknown address with the page, which says that nothing is there. Scripts get the
 * problem, and so does every request below `/api`.
 */
export function webNotFoundPage(
  files: readonly WebFile[],
  hub: WebUiHub,
): (facts: RequestFacts) => NotFoundPage | undefined {
  const page = files.find(({ path }) => path === '/');
  return ({ method, target, header }) => {
    if (page === undefined || (method !== 'GET' && method !== 'HEAD')) return undefined;
    if (/^\/api(?:\/|$)/.test(pathOfTarget(target))) return undefined;
    if (!isNavigation(header)) return { vary: NOT_FOUND_VARY };
    const { bytes, headers } = variantFor(page.languages, header, hub);
    const { ETag: _, ...others } = headers;
    const fields = { ...others, 'Cache-Control': 'no-store', Vary: NOT_FOUND_VARY };
    return { vary: NOT_FOUND_VARY, answer: withBytes({ status: 404, headers: fields }, bytes()) };
  };
}

/** On https and loopback browsers send that a person opens the address; on plain http only Accept shows it. */
function isNavigation(header: Header): boolean {
  const mode = header('sec-fetch-mode');
  if (mode !== undefined) return mode === 'navigate';
  const accepted = header('accept') ?? '';
  return qualityOf(accepted, 'text/html') > qualityOf(accepted, 'application/json');
}

/** RFC 9110 section 12.5.1 without wildcards, which scripts send. */
function qualityOf(accepted: string, type: string): number {
  for (const part of accepted.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
    if (name !== type) continue;
    const quality = parameters.find((text) => text.startsWith('q='));
    return quality === undefined ? 1 : Number(quality.slice(2)) || 0;
  }
  return 0;
}

type Later<Value> = Value | Promise<Value>;

function withBytes(answer: RouteAnswer, bytes: Later<Buffer>): Later<RouteAnswer> {
  return bytes instanceof Promise ? bytes.then((read) => ({ ...answer, bytes: read })) : { ...answer, bytes };
}

function answerWith({ bytes, headers }: Variant, header: Header, hub: WebUiHub): Later<RouteAnswer> {
  if (headers['Content-Type'] === APP_MANIFEST) return appManifest(bytes, headers, hub.identity().name);
  if (isNotModified(header('if-none-match'), headers['ETag'] ?? '')) return { status: 304, headers };
  return withBytes({ status: 200, headers }, bytes());
}

/** It is asked for when the page becomes an app: its few bytes are made each time. */
async function appManifest(bytes: Variant['bytes'], headers: Variant['headers'], name: string): Promise<RouteAnswer> {
  const { ETag: _, ...others } = headers;
  const built = await bytes();
  const text = built.toString().replaceAll(`"${HUB_NAME}"`, () => JSON.stringify(name));
  return { status: 200, bytes: Buffer.from(text), headers: others };
}

function variantFor(languages: WebFile['languages'], header: Header, hub: WebUiHub): Variant {
  const language = languages.has('') ? '' : languageOf(header, (one) => languages.has(one), hub.language());
  const variants = languages.get(language);
  const coding = chooseCoding(header('accept-encoding'), (one) => variants?.has(one) === true);
  const variant = variants?.get(coding ?? 'identity');
  if (variant === undefined) throw new Error('a file of the page has no uncompressed form');
  return variant;
}

/** Chooses the person's language, else the browser's first that the page speaks, else the hub's, else English. */
function languageOf(header: Header, speaks: (language: string) => boolean, ofHub: string | null): string {
  const chosen = (header('cookie') ?? '')
    .split(';')
    .map((one) => one.trim().split('='))
    .find(([name]) => name === LANGUAGE_COOKIE)?.[1];
  const accepted = acceptedLanguages(header('accept-language') ?? '');
  return (
    [chosen, ...accepted, ofHub?.toLowerCase().split('-')[0]].find((one) => one !== undefined && speaks(one)) ??
    DEFAULT_LANGUAGE
  );
}

/** RFC 9110 section 12.5.4, without regions: the most wanted first. */
function acceptedLanguages(field: string): readonly string[] {
  return field
    .split(',')
    .map((part) => {
      const [tag = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const quality = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return { language: tag.split('-')[0] ?? '', quality: quality === undefined ? 1 : Number(quality) || 0 };
    })
    .filter(({ quality }) => quality > 0)
    .sort((one, other) => other.quality - one.quality)
    .map(({ language }) => language);
}
