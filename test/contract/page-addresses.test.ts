import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CONTRACT_PATH } from '#test/support/daemon/contract-check.ts';

const WEB = join(import.meta.dirname, '../../src/web');
/** A text in quotes, or a template whose holes may hold texts. */
const TEXT = String.raw`(?:'(/[^']*)'|"(/[^"]*)"|\x60(/(?:[^\x60$\\]|\\.|\$\{(?:[^\x60{}]|\x60[^\x60]*\x60)*\})*)\x60)`;
/** The places in which the page says what it asks the hub for; the first hole is the method, where it stands there. */
const PLACES = [
  String.raw`\(\s*'(GET|POST|PUT|PATCH|DELETE)',\s*`,
  String.raw`(?:useReading|useFresh|\bgive)(?:<[^(]*>)?\(()\s*`,
  String.raw`patchIf(?:<[^(]*>)?\(()[^,()]*,\s*`,
  String.raw`bar\.run\(()[^,]*(?:\([^)]*\))?,\s*`,
  String.raw`\bpath(?:: |=|=\{| = )()`,
];
type Asked = { readonly file: string; readonly method: string; readonly path: string };

function asksIn(file: string): readonly Asked[] {
  const text = readFileSync(join(WEB, file), 'utf8');
  return PLACES.flatMap((place) =>
    [...text.matchAll(new RegExp(place + TEXT, 'g'))].map(([, method = '', ...texts]) => ({
      file,
      method,
      path: pathOf(texts.find((one) => one !== undefined) ?? ''),
    })),
  );
}

/** `/scene/{}` of `/scene/${scene.id}?limit=1`; what is glued to a word at the end is a query. */
function pathOf(text: string): string {
  const holes = text.replaceAll(/\$\{(?:[^`{}]|`[^`]*`)*\}/g, '{}').replace('/api/v1', '');
  return (holes.split('?')[0] ?? '').replace(/(?<=[a-z}])\{\}$/, '');
}

const document = JSON.parse(readFileSync(CONTRACT_PATH, 'utf8')) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
};
const CALLS = Object.entries(document.paths).map(([path, methods]) => ({
  parts: path.replace('/api/v1', '').split('/'),
  methods: new Set(Object.keys(methods).map((method) => method.toUpperCase())),
}));

/** Whether a call has this path: a word stands for itself alone, never for a selector. */
function isCall(path: string, method: string): boolean {
  const asked = path.split('/');
  return CALLS.some(({ parts, methods }) => {
    if (parts.length !== asked.length || (method !== '' && !methods.has(method))) return false;
    return parts.every((part, at) => asked[at] === part || (asked[at] === '{}' && part !== ''));
  });
}

describe('each address that the page asks for', () => {
  const asked = readdirSync(WEB, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^(?:strings|docs)\//.test(file))
    .flatMap(asksIn);

  test('names a call of the document, and words of a path are never taken for a selector', () => {
    expect(asked.length).toBeGreaterThan(120);
    expect(asked.filter(({ method }) => method !== '').length).toBeGreaterThan(70);
    expect(asked.filter(({ path, method }) => !isCall(path, method))).toEqual([]);
  });

  test('is found in all its forms, and a wrong one is seen', () => {
    expect(pathOf("/device/${id}${isForced ? `?force=true` : ''}")).toBe('/device/{}');
    expect(pathOf('/integration_found${isIgnored ? "?ignored=true" : ""}')).toBe('/integration_found');
    expect(isCall('/automation/{}', 'GET')).toBe(true);
    expect(isCall('/automation/exported', 'GET')).toBe(false);
    expect(isCall('/device', 'DELETE')).toBe(false);
  });
});
