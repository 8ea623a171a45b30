import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CONTRACT_PATH } from '#test/support/daemon/contract-check.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess, OWNER } from '#test/support/daemon/hub-process.ts';
import { needs } from '#test/support/machine/requires.ts';

const CLIENTS = join(import.meta.dirname, '../support/clients');
const TSC = join(CLIENTS, 'node_modules/.bin/tsc');
const GENERATOR = join(CLIENTS, 'venv/bin/openapi-generator-cli');
const TIMEOUT_MS = 90_000;
const runFile = promisify(execFile);

/** What a program printed; throws with all of it if the program fails. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await runFile(program, args, { cwd, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

describe.skipIf(!needs('clients') || !needs('java'))('a client that was made from the document', () => {
  let hubs: HubFolder;
  let hub: HubProcess;
  let folder: string;

  beforeAll(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    await claimHub(hub);
    folder = mkdtempSync(join(tmpdir(), 'hearthd-clients-'));
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    symlinkSync(join(CLIENTS, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(join(folder, 'openapi.json'), (await hub.ask('GET', '/api/v1/openapi.json')).bytes);
  });
  afterAll(async () => {
    await hubs.close();
    rmSync(folder, { recursive: true });
  });

  const generate = (name: string, options: readonly string[]): Promise<string> =>
    run(GENERATOR, ['generate', '-g', name, '-i', 'openapi.json', '-o', 'hub', ...options], folder);

  /** Checks a program strictly, then runs it. */
  const runTypeScript = async (name: string): Promise<string> => {
    copyFileSync(join(CLIENTS, name), join(folder, name));
    const strict = [
      '--strict',
      '--noEmit',
      '--target',
      'es2022',
      '--module',
      'esnext',
      '--moduleResolution',
      'bundler',
    ];
    const types = ['--lib', 'es2023,dom,dom.iterable', '--types', 'node', '--allowImportingTsExtensions'];
    await run(TSC, [...strict, ...types, name], folder);
    const outfile = join(folder, `${name}.mjs`);
    await build({ entryPoints: [join(folder, name)], outfile, bundle: true, platform: 'node', format: 'esm' });
    return run(process.execPath, [outfile, hub.address, OWNER.email, OWNER.password], folder);
  };

  /** What a program tells that has logged in, listed, commanded, renamed and followed by the types of its client. */
  const all = {
    devices: 13,
    room: 'Kitchen',
    command: 'confirmed',
    renamed: 'Galley',
    events: ['feature.changed as wanted', 'room.changed Galley'],
    missing: 'NOT_FOUND',
  };
  const outcomeOf = (printed: string): unknown => {
    const { wanted, events, ...rest } = JSON.parse(printed) as { wanted: boolean; events: string[] };
    return { ...rest, events: events.map((event) => event.replace(` ${wanted}`, ' as wanted')) };
  };

  test('openapi-typescript and openapi-fetch: compiles strictly, and works', { timeout: TIMEOUT_MS }, async () => {
    await run(join(CLIENTS, 'node_modules/.bin/openapi-typescript'), ['openapi.json', '-o', 'hub.d.ts'], folder);
    expect(outcomeOf(await runTypeScript('openapi-fetch.ts'))).toEqual(all);
  });

  test('openapi-generator, typescript-fetch: compiles strictly, and works', { timeout: TIMEOUT_MS }, async () => {
    await generate('typescript-fetch', []);
    expect(outcomeOf(await runTypeScript('typescript-fetch.ts'))).toEqual(all);
  });

  test('openapi-generator, python: is whole, and works', { timeout: TIMEOUT_MS }, async () => {
    await generate('python', ['--package-name', 'hub']);
    copyFileSync(join(CLIENTS, 'program.py'), join(folder, 'hub/program.py'));
    const args = ['hub/program.py', hub.address, OWNER.email, OWNER.password];
    expect(outcomeOf(await run(join(CLIENTS, 'venv/bin/python'), args, folder))).toEqual(all);
  });
});

/** What the linters say of the document, and why it stays. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'redocly no-ambiguous-paths': 'no automation has the selector `simulation`, which is the name of the calls below it',
  'redocly no-required-schema-properties-undefined':
    'the fields of which one is asked for are declared around the `if`, `else` and `not` that ask for it',
  'spectral operation-success-response':
    'the success of an upgrade to a WebSocket is 101 (RFC 9110 section 15.2.2), which the rule does not know',
  'spectral oas3-operation-security-defined':
    'since OpenAPI 3.1 the rights that a bearer token needs are named beside its scheme, which declares none',
};

test.skipIf(!needs('clients'))(
  'Spectral and Redocly find nothing in the document but what is explained',
  async () => {
    const printed = await run(process.execPath, [join(CLIENTS, 'lint.mjs'), CONTRACT_PATH], CLIENTS);
    const all = JSON.parse(printed) as { rule: string; at: string; isError: boolean }[];
    // Spectral takes whatever has a `default` for a schema, also the fields of a form in an example.
    const findings = all.filter(
      ({ rule, at }) => rule !== 'spectral oas3-valid-schema-example' || !at.includes('/example/'),
    );
    expect(findings.filter(({ rule, isError }) => isError || !Object.hasOwn(EXPLAINED, rule))).toEqual([]);
    const found = new Set(findings.map(({ rule }) => rule));
    expect(Object.keys(EXPLAINED).filter((rule) => !found.has(rule))).toEqual([]);
  },
  120_000,
);
