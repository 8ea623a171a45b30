import { execFile } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type GrownHub, growHub } from '#test/support/clients/grown-hub.ts';
import { CONTRACT_PATH } from '#test/support/daemon/contract-check.ts';
import { claimHub, createHubFolder, type HubFolder, type HubProcess, OWNER } from '#test/support/daemon/hub-process.ts';
import { expectBelow, startStopwatch } from '#test/support/machine/bounds.ts';
import { needs } from '#test/support/machine/requires.ts';

const CLIENTS = join(import.meta.dirname, '../support/clients');
const BIN = join(CLIENTS, 'node_modules/.bin');
const VENV = join(CLIENTS, 'venv/bin');
/** Each is run by Go itself, which fetches and compiles it once. */
const OAPI_CODEGEN = 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2';
const OASDIFF = 'github.com/oasdiff/oasdiff@v1.38.0';
const MODULES = ['github.com/oapi-codegen/runtime@v1.9.0', 'gopkg.in/validator.v2@v2.0.1'];
/** A client in Go has 200,000 lines, which take minutes on a busy machine. */
const TIMEOUT_MS = 900_000;
const runFile = promisify(execFile);

/** What a program printed; throws with all of it if the program fails. */
async function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  const options = { cwd, timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 };
  const { stdout } = await runFile(program, args, options).catch((error: Error & { stdout?: string }) => {
    throw new Error(`${error.message}\n${error.stdout ?? ''}`);
  });
  return stdout;
}

type Command = readonly [program: string, ...args: string[]];
/** Makes a client in `hub` of a folder that has the document, and checks it with the program; how that is run. */
type Maker = (folder: string) => Promise<Command>;

const generate = (folder: string, name: string, options: readonly string[]): Promise<string> =>
  run(
    join(VENV, 'openapi-generator-cli'),
    ['generate', '-g', name, '-i', 'openapi.json', '-o', 'hub', ...options],
    folder,
  );

/** Checks a program strictly, and bundles it. */
async function compileTypeScript(folder: string, name: string): Promise<Command> {
  copyFileSync(join(CLIENTS, name), join(folder, name));
  const strict = ['--strict', '--noEmit', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler'];
  const types = ['--lib', 'es2023,dom,dom.iterable', '--types', 'node', '--allowImportingTsExtensions'];
  await run(join(BIN, 'tsc'), [...strict, ...types, name], folder);
  const outfile = join(folder, `${name}.mjs`);
  await build({ entryPoints: [join(folder, name)], outfile, bundle: true, platform: 'node', format: 'esm' });
  return [process.execPath, outfile];
}

async function compileGo(folder: string, name: string): Promise<Command> {
  const go = join(VENV, 'go');
  copyFileSync(join(CLIENTS, name), join(folder, 'main.go'));
  for (const made of ['go.mod', 'go.sum', 'test']) rmSync(join(folder, 'hub', made), { recursive: true, force: true });
  await run(go, ['mod', 'init', 'program'], folder);
  await run(go, ['get', ...MODULES], folder);
  await run(go, ['build', '-o', 'program', '.'], folder);
  return [join(folder, 'program')];
}

function copyPython(folder: string, name: string): Command {
  copyFileSync(join(CLIENTS, name), join(folder, name));
  return [join(VENV, 'python'), name];
}

const MAKERS: Readonly<Record<string, Maker>> = {
  'openapi-typescript and openapi-fetch': async (folder) => {
    await run(join(BIN, 'openapi-typescript'), ['openapi.json', '-o', 'hub.d.ts'], folder);
    return compileTypeScript(folder, 'openapi-fetch.ts');
  },
  'hey-api': async (folder) => {
    await run(join(BIN, 'openapi-ts'), ['-i', 'openapi.json', '-o', 'hub', '-c', '@hey-api/client-fetch'], folder);
    return compileTypeScript(folder, 'hey-api.ts');
  },
  orval: async (folder) => {
    await run(
      join(BIN, 'orval'),
      ['--input', './openapi.json', '--output', './hub/hub.ts', '--client', 'fetch'],
      folder,
    );
    return compileTypeScript(folder, 'orval.ts');
  },
  'openapi-generator, typescript-fetch': async (folder) => {
    await generate(folder, 'typescript-fetch', []);
    return compileTypeScript(folder, 'typescript-fetch.ts');
  },
  'openapi-generator, python': async (folder) => {
    await generate(folder, 'python', ['--package-name', 'hub']);
    return copyPython(join(folder, 'hub'), 'program.py');
  },
  'openapi-python-client': async (folder) => {
    const args = ['generate', '--path', 'openapi.json', '--output-path', 'hub', '--meta', 'none'];
    await run(join(VENV, 'openapi-python-client'), args, folder);
    return copyPython(folder, 'python-client.py');
  },
  'oapi-codegen': async (folder) => {
    mkdirSync(join(folder, 'hub'));
    const args = ['-package', 'hub', '-generate', 'types,client,skip-prune', '-o', 'hub/hub.go', 'openapi.json'];
    await run(join(VENV, 'go'), ['run', OAPI_CODEGEN, ...args], folder);
    return compileGo(folder, 'oapi-codegen.go');
  },
  'openapi-generator, java': async (folder) => {
    const packages = 'invokerPackage=hub,apiPackage=hub.api,modelPackage=hub.model';
    await generate(folder, 'java', ['--library', 'native', `--additional-properties=${packages}`]);
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies'], join(folder, 'hub'));
    copyFileSync(join(CLIENTS, 'Program.java'), join(folder, 'Program.java'));
    const jars = 'hub/target/dependency/*';
    const sources = readdirSync(join(folder, 'hub/src/main'), { recursive: true, encoding: 'utf8' });
    const paths = sources.filter((path) => path.endsWith('.java')).map((path) => `hub/src/main/${path}`);
    writeFileSync(join(folder, 'sources'), [...paths, 'Program.java'].join('\n'));
    await run('javac', ['-proc:none', '-nowarn', '-encoding', 'UTF-8', '-cp', jars, '-d', 'out', '@sources'], folder);
    return ['java', '-cp', `out:${jars}`, 'Program'];
  },
  'openapi-generator, go': async (folder) => {
    await generate(folder, 'go', [
      '--additional-properties=packageName=hub,enumClassPrefix=true,disallowAdditionalPropertiesIfNotPresent=false',
    ]);
    return compileGo(folder, 'openapi-generator.go');
  },
};

/** How much a generator wrote. */
function linesOf(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.startsWith('hub'));
  const texts = paths
    .filter((path) => /\.(go|java|py|ts)$/.test(path))
    .map((path) => readFileSync(join(folder, path), 'utf8'));
  return texts.reduce((sum, text) => sum + text.split('\n').length - 1, 0);
}

describe.skipIf(!needs('clients') || !needs('mvn'))('a client that was made from the document', () => {
  let hubs: HubFolder;
  let hub: HubProcess;
  let grown: GrownHub;
  let document: Buffer;

  beforeAll(async () => {
    hubs = createHubFolder();
    hub = await hubs.serve();
    await claimHub(hub);
    grown = await growHub(hub.address);
    document = (await hub.ask('GET', '/api/v1/openapi.json')).bytes;
  });
  afterAll(async () => {
    await grown.close();
    await hubs.close();
  });

  /** What a program tells that has done all this by the types of its client. */
  const all = {
    devices: 13,
    room: 'Kitchen',
    command: 'confirmed',
    renamed: 'Galley',
    history: 'kitchen-ceiling/on',
    scene: 'confirmed',
    automation: 'ready',
    events: ['feature.changed as wanted', 'room.changed Galley'],
    missing: 'NOT_FOUND',
  };
  const outcomeOf = async ([program, ...args]: Command, address: string, folder: string): Promise<unknown> => {
    const printed = await run(program, [...args, address, OWNER.email, OWNER.password], folder);
    const { wanted, events, ...rest } = JSON.parse(printed) as { wanted: boolean; events: string[] };
    return { ...rest, events: events.map((event) => event.replace(` ${wanted}`, ' as wanted')) };
  };

  test.each(Object.entries(MAKERS))(
    '%s: works, also with a hub of later words',
    { timeout: TIMEOUT_MS },
    async (name, make) => {
      const folder = mkdtempSync(join(tmpdir(), 'hearthd-clients-'));
      onTestFinished(() => rmSync(folder, { recursive: true }));
      writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
      symlinkSync(join(CLIENTS, 'node_modules'), join(folder, 'node_modules'));
      writeFileSync(join(folder, 'openapi.json'), document);
      const sinceMs = startStopwatch();
      const command = await make(folder);
      const took = sinceMs() / 1_000;
      expectBelow(`${name}, lines`, linesOf(folder), 400_000);
      expectBelow(`${name}, s until it is compiled`, took, 600);
      const at = name.endsWith('python') ? join(folder, 'hub') : folder;
      expect(await outcomeOf(command, hub.address, at)).toEqual(all);
      expect(await outcomeOf(command, grown.address, at)).toEqual({ ...all, missing: 'POOL_EMPTY' });
    },
  );
});

test.skipIf(!needs('clients'))(
  'oasdiff finds no break since the released document',
  { timeout: TIMEOUT_MS },
  async () => {
    const args = ['breaking', '-f', 'json', join(CONTRACT_PATH, '../released-openapi.json'), CONTRACT_PATH];
    const breaks = JSON.parse(await run(join(VENV, 'go'), ['run', OASDIFF, ...args], CLIENTS)) as {
      id: string;
      text: string;
    }[];
    expect(breaks.map(({ id, text }) => `${id}: ${text}`)).toEqual([]);
  },
);

/** What the linters say of the document, and why it stays. */
const EXPLAINED: Readonly<Record<string, string>> = {
  'redocly no-invalid-media-type-examples':
    'its validator does not count what a discriminator chose as evaluated (issue 1892 of ajv)',
  'redocly no-unused-components': 'they are used by `x-known` and `x-answer-with`',
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
