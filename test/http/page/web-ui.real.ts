import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { readWebUi, webNotFoundPage, webUiRoutes } from '#http/page/web-ui.ts';
import { createTestApp } from '#test/support/hub/http-app.ts';
import { BUNDLE } from '#test/support/daemon/run-hearthd.ts';

/** Of a folder that somebody gave a hostile name. */
const HUB_COMMAND = `node 'a"><script src="/x">&amp;$&'`;
const FOLDER = join(BUNDLE, '../web');
type Entry = {
  path: string;
  type: string;
  immutable: boolean;
  file: string;
  compressible: boolean;
  language?: string;
};
const manifest = JSON.parse(readFileSync(join(FOLDER, 'manifest.json'), 'utf8')) as Entry[];
// Parts that are fetched later are not named in the page.
const hashed = manifest.find(({ immutable, path }) => immutable && /^\/en-[\w-]+\/main\.js$/.test(path))?.path ?? '';

let languageOfHub: string | null = null;
let request: (path: string, init?: RequestInit) => Promise<Response>;
beforeAll(async () => {
  const files = readWebUi(pathToFileURL(`${FOLDER}/`), HUB_COMMAND);
  const hub = { identity: () => ({ name: `Ada's "Hütte"` }), language: () => languageOfHub };
  const notFoundPage = webNotFoundPage(files, hub);
  ({ request } = createTestApp(webUiRoutes(files, hub), { isClaimed: () => false, notFoundPage }));
});
const filledIn = (file: Buffer): Buffer => {
  const escaped = HUB_COMMAND.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
  return file.includes('{{hub_command}}') ? Buffer.from(file.toString().split('{{hub_command}}').join(escaped)) : file;
};
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

describe('H4: static files from a build-time manifest', () => {
  test('each path of the manifest is answered with its file, plain or compressed, and with 304 the next time', async () => {
    for (const { path, type, file, compressible, language } of manifest) {
      if (path === '/manifest.webmanifest') continue;
      const plain = filledIn(readFileSync(join(FOLDER, file)));
      const packed = compressible ? 'gzip' : undefined;
      const target = path.replace(/:\w+/, 'anything');
      for (const [accepted, coding] of [
        ['', undefined],
        ['gzip, deflate', packed],
        ['gzip, deflate, br', packed],
        ['br;q=0, GZIP;q=0.5', packed],
      ] as const) {
        const asked = {
          'Accept-Encoding': accepted,
          ...(language === undefined ? {} : { 'Accept-Language': language }),
        };
        const answer = await request(target, { headers: asked });
        expect([path, accepted, answer.status, answer.headers.get('content-encoding')]).toEqual([
          path,
          accepted,
          200,
          coding ?? null,
        ]);
        expect(answer.headers.get('content-type')).toBe(type);
        const sent = await bytesOf(answer);
        const text = coding === 'gzip' ? gunzipSync(sent) : sent;
        expect(text.equals(plain)).toBe(true);
        const etag = answer.headers.get('etag') ?? '';
        const again = await request(target, { headers: { ...asked, 'If-None-Match': etag } });
        expect([again.status, again.headers.get('etag'), (await bytesOf(again)).length]).toEqual([304, etag, 0]);
      }
    }
  });

  test('those who ask at once share the bytes of one read, which are not kept', async () => {
    const files = readWebUi(pathToFileURL(`${FOLDER}/`), HUB_COMMAND);
    const [variants] = files.find(({ path }) => path === hashed)?.languages.values() ?? [];
    const read = async () => variants?.get('identity')?.bytes();
    const [one, other] = await Promise.all([read(), read()]);
    expect(one?.length).toBeGreaterThan(0);
    expect(other).toBe(one);
    expect(await read()).not.toBe(one);
  });

  test('the page shows the command for the machine of the hub, and has another tag for another command', async () => {
    const [here, there] = ['sudo hearthd', 'node dist/hearthd.mjs'].map((command) => {
      const page = readWebUi(pathToFileURL(`${FOLDER}/`), command).find(({ path }) => path === '/');
      const variants = page?.languages.get('en');
      return [...(variants?.values() ?? [])].map(({ headers }) => headers['ETag']);
    });
    expect(new Set([...(here ?? []), ...(there ?? [])]).size).toBe(4);
    const html = await (await request('/')).text();
    expect(html.match(/<meta name="hub-command" content="([^"]*)" \/>/)?.[1]).toBe(
      "node 'a&quot;>&lt;script src=&quot;/x&quot;>&amp;amp;$&amp;'",
    );
  });

  test.each([
    ['nothing', {}, null, 'en'],
    ['the browser', { 'Accept-Language': 'it, de-CH;q=0.7, fr;q=0.8' }, 'es', 'fr'],
    ['what the browser refuses', { 'Accept-Language': 'de;q=0, *;q=0.1' }, null, 'en'],
    ['the hub, for a browser with none of its languages', { 'Accept-Language': 'it' }, 'de-AT', 'de'],
    ['a hub that speaks none of them', {}, 'pt-BR', 'en'],
    ['the person', { 'Accept-Language': 'fr', Cookie: 'other=1; hearthd_language=es' }, 'de', 'es'],
    ['an unknown choice', { 'Accept-Language': 'fr', Cookie: 'hearthd_language=constructor' }, 'de', 'fr'],
  ] as const)('the language is that of %s', async (...[, headers, ofHub, language]) => {
    languageOfHub = ofHub;
    for (const path of ['/', '/docs', '/nothing/here']) {
      const answer = await request(path, { headers: { Accept: 'text/html', ...headers } });
      expect([path, answer.headers.get('content-language')]).toEqual([path, language]);
      expect(answer.headers.get('vary')).toMatch(/Accept-Language, Cookie/);
      const html = await answer.text();
      expect(html).toMatch(new RegExp(`<html lang="${language}">`));
    }
    const manifest = await request('/manifest.webmanifest', { headers: { ...headers, 'Accept-Encoding': 'gzip' } });
    expect(await manifest.json()).toMatchObject({ lang: language, name: `Ada's "Hütte"`, short_name: `Ada's "Hütte"` });
    languageOfHub = null;
  });

  test('each variant of a file has its own tag', async () => {
    const tags = await Promise.all(
      ['', 'gzip'].map(async (accepted) =>
        (await request('/', { headers: { 'Accept-Encoding': accepted } })).headers.get('etag'),
      ),
    );
    expect(new Set(tags).size).toBe(2);
  });

  test('browsers keep a file with a hash in its name for ever, and ask for the page each time', async () => {
    expect((await request(hashed)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await request('/')).headers.get('cache-control')).toBe('no-cache');
    const html = await (await request('/')).text();
    const names = [...html.matchAll(/(?:href|src)="(\/[^"]+)"/g)].map((match) => match[1]);
    expect(names).toContain(hashed);
    for (const name of names) expect([name, (await request(name ?? '')).status]).toEqual([name, 200]);
  });

  test('every answer has the strict policy, and the page has nothing inline and nothing from other hosts', async () => {
    for (const path of ['/', '/device/kitchen-ceiling', hashed, '/icon.svg', '/manifest.webmanifest']) {
      const { headers } = await request(path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
          "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cross-origin-resource-policy')).toBe('same-origin');
      const isSame = path === hashed || path === '/icon.svg';
      expect(headers.get('vary')).toBe(
        isSame ? 'Accept-Encoding, Origin' : 'Accept-Encoding, Accept-Language, Cookie, Origin',
      );
    }
    const html = await (await request('/')).text();
    expect(html).not.toMatch(/<style|style=|\son\w+=|<script(?![^>]*src="\/)|https?:|\/\//);
  });

  test.each([
    '/index.html',
    '/page.html',
    '/manifest.json',
    hashed.replace('-', '%2d'),
    `${hashed}/`,
    '/device',
    '/device/a/b',
    '/settings/a/b',
    '/api/',
  ])('%s is no address of the page', async (path) => {
    const answer = await request(path);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
  });

  test('the page is shown with any query, and only by GET and HEAD', async () => {
    expect((await request('/?from=somewhere')).status).toBe(200);
    expect((await request('/', { method: 'HEAD' })).status).toBe(200);
    expect((await request('/', { method: 'POST' })).status).toBe(405);
  });

  test('the manifest names every file beside it', () => {
    const named = new Set(['manifest.json', ...manifest.map(({ file }) => file)]);
    expect(readdirSync(FOLDER).filter((name) => !named.has(name))).toEqual([]);
  });
});

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';

describe('an unknown address', () => {
  test.each([
    ['a browser on https', '/nonsense', { 'Sec-Fetch-Mode': 'navigate', Accept: BROWSER }],
    ['a browser on plain http, which sends no fetch metadata', '/settings/a/b?x=1', { Accept: BROWSER }],
    ['a browser on an address like that of the API', '/apiary', { Accept: BROWSER }],
    ['a text browser', '/Kitchen', { Accept: 'text/html;q=0.9, text/plain;q=0.8, */*;q=0.01' }],
  ])('shows the page to %s, with 404', async (_who, path, headers) => {
    const answer = await request(path, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(await answer.text()).toBe(await (await request('/')).text());
    expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding, Accept-Language, Cookie, Origin, Sec-Fetch-Mode');
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    // Nothing is kept of an address that may be something after the next update.
    expect([answer.headers.get('cache-control'), answer.headers.get('etag')]).toEqual(['no-store', null]);
  });

  test('is compressed for a client that accepts it, has no 304, and HEAD has the fields of GET', async () => {
    const headers = { Accept: BROWSER, 'Accept-Encoding': 'gzip', 'If-None-Match': '*' };
    const got = await request('/nonsense', { headers });
    expect([got.status, got.headers.get('content-encoding')]).toEqual([404, 'gzip']);
    const length = String((await bytesOf(got)).length);
    const asked = await request('/nonsense', { method: 'HEAD', headers });
    expect([asked.status, asked.headers.get('content-length'), (await bytesOf(asked)).length]).toEqual([
      404,
      length,
      0,
    ]);
  });

  test.each([
    ['a script', '/nonsense', { Accept: '*/*' }],
    ['a client of the specification', '/nonsense', { Accept: 'application/json, text/plain, */*' }],
    ['who would rather have JSON', '/nonsense', { Accept: 'text/html;q=0.5, application/json' }],
    ['who has no preference', '/nonsense', { Accept: 'text/html, application/json' }],
    ['who refuses HTML', '/nonsense', { Accept: 'text/html;q=0, */*' }],
    ['a fetch of a page', '/nonsense', { Accept: BROWSER, 'Sec-Fetch-Mode': 'cors' }],
    ['who names nothing', '/nonsense', {}],
  ])('is a problem to %s', async (_who, path, headers) => {
    const answer = await request(path, { headers });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json']);
    expect(answer.headers.get('vary')).toBe('Accept, Accept-Encoding, Accept-Language, Cookie, Origin, Sec-Fetch-Mode');
  });

  test.each([
    ['/api/', 'GET', 404],
    ['/api/v2/device', 'GET', 404],
    ['/api/v1/nonsense', 'GET', 409],
    ['/nonsense', 'POST', 404],
  ])('under the API, or by another method, is a problem to a browser too: %s %s', async (path, method, status) => {
    const answer = await request(path, { method, headers: { Accept: BROWSER, 'Sec-Fetch-Mode': 'navigate' } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.status).toBe(status);
  });
});
