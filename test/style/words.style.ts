import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const READ = /(?:\.(?:ts|tsx|mjs|cjs|css|md|sh|py|toml|service|sysusers)|\/(?:run|preinst|postinst|prerm|postrm))$/;
const NOT_READ = /node_modules|^test\/(?:fixtures|style\/words\.style\.ts)|\/venv\//;
/** What is written for people and for Debian, beside the folders. */
const FILES = [
  'README.md',
  'SECURITY.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'build.mjs',
  'vitest.config.ts',
  '.ci/run',
  '.ci/night',
  '.ci/install.sh',
];

/** Phrases that make a reader guess who does what, each with what to write in its place. */
const RIDDLES: readonly [phrase: RegExp, better: string][] = [
  [/\b(?:the|an) own\b/i, '"your own", "its own", "the caller\'s"'],
  [/\bwhom?ever\b/i, '"anyone who", or the noun: "a caller that"'],
  [/(?:^|[.:;!?] )Whatever\b/, '"all that", "any … that", or the noun'],
  [/\b(?:is|are|was|were|be|been|being) told\b/i, 'who tells whom: "the hub reports … to …"'],
  [/\b(?:those|them) alone\b/i, '"only those"'],
  [/\bfor want of\b/i, '"because there is no …", "without"'],
  [/\b(?:of|to) whom?\b/i, '"whose", or a second sentence with its subject'],
  [/\bwho asks\b/i, '"the caller"'],
  [/\bto be had\b/i, '"available"'],
  [/\b(?:come|comes|came) to be\b/i, '"appears", "is created"'],
  [/\bnobody hears\b|\bhears of\b/i, '"gets", "receives", "no listener"'],
  [/\bwash(?:es|ed)? out\b/i, '"push out", "evict"'],
  [/\b(?:is|are|was|were) wanted\b/i, '"is needed", "is requested"'],
  [/\blooked at again\b/i, '"checked again"'],
  [/\bnobody's\b/i, '"no one\'s", or who has it'],
  [/\bwhat is to be\b/i, 'the noun: "the value to write"'],
];

/** The text as one reads it: a sentence goes on in the next line of a comment, a list or an element. */
function readable(text: string): string {
  return text.replace(/\s*\n[ \t]*(?:(?:\/\/|\/?\*+(?!\/)|#+|>)[ \t]*)*/g, ' ');
}

/** What of a text makes a reader guess, with some words around it. */
function findRiddles(text: string): string[] {
  const whole = readable(text);
  return RIDDLES.flatMap(([phrase, better]) =>
    [...whole.matchAll(new RegExp(phrase, `g${phrase.flags}`))].map(
      ({ index }) => `…${whole.slice(Math.max(0, index - 30), index + 40)}… → ${better}`,
    ),
  );
}

function listTexts(): string[] {
  const inFolders = ['src', 'test', 'packaging', 'systemd'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((path) => `${folder}/${path}`),
  );
  return [...FILES, ...inFolders].filter((path) => (READ.test(path) || FILES.includes(path)) && !NOT_READ.test(path));
}

describe('comments, texts and names of tests', () => {
  test.each(listTexts())('%s says who does what', (path) => {
    expect(findRiddles(readFileSync(join(ROOT, path), 'utf8'))).toEqual([]);
  });
});

describe('the search for riddles', () => {
  test.each([
    '// Of commands those are told that could be asked for.',
    "summary: 'List the own sessions',",
    '/** Told to those alone\n * who may change it. */',
    '// What prevents it is\n  // told to the first caller.',
    'Whatever somebody has put behind the address, the page is the same.',
    '<p>\n  An address that is\n  wanted\n</p>',
    'The first, to whom it is given.',
    'off for want of one',
  ])('finds what is wrong with %j', (text) => {
    expect(findRiddles(text)).not.toEqual([]);
  });

  test.each([
    'A caller gets events of exactly those commands that it may read.',
    'const told = { own: true }; if (isTold) return whatever;',
    'It is its own, whatever the name is.',
    'the owner, of whole words',
  ])('finds nothing in %j', (text) => {
    expect(findRiddles(text)).toEqual([]);
  });
});

/** The types that `core/command` may export: the words for a command in transit, and what is none. */
const COMMAND_TYPES = {
  inTransit: ['CommandRequest', 'Command', 'DeviceCommand', 'Send'],
  /** They say something of a command. */
  details: [
    'CommandRequests',
    'CommandTerms',
    'CommandId',
    'CommandStatus',
    'CommandResult',
    'CommandEnd',
    'Evidence',
    'SendEvidence',
    'Replay',
    'Undo',
  ],
  /** They do something with commands. */
  parts: ['CommandLog', 'CommandSender', 'CommandService', 'CommandWay', 'Pace', 'SendLanes', 'SentValues'],
};

test('a command in transit has four names', () => {
  const folder = join(ROOT, 'src/core/command');
  const exported = readdirSync(folder).flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/^export (?:type|interface) (\w+)/gm)].map(
      ([, name = '']) => name,
    ),
  );
  expect(exported.toSorted()).toEqual(Object.values(COMMAND_TYPES).flat().toSorted());
  const glossary = readFileSync(join(ROOT, 'src/README.md'), 'utf8');
  for (const word of ['command request', 'command', 'device command', 'send'])
    expect(glossary).toContain(`\n| ${word} | `);
});

/** Files whose fields are those of the API in JSON, which keeps its names. */
const FIELDS_OF_API: Readonly<Record<string, RegExp>> = {
  known: /^src\/(?:http\/(?:energy\/(?:json|notes)|history\/(?:import|notes))|web\/energy\/energy-bars)\.ts$/,
  found: /^src\/(?:http\/integration-(?:setup|found)\/json|web\/integrations\/use-setup)\.ts$/,
  given: /^src\/http\/(?:automation\/start\/routes|simulation\/json)\.ts$/,
};
/** Generated from the API, or texts by their ids. */
const NAMED_ELSEWHERE = /^src\/(?:web\/(?:client\/api\.ts$|strings\/)|(?:.*\/)?words\/)/;

/** Fields, and parameters of exported functions, whose name only says that something was done with them. */
function findParticiples(text: string): string[] {
  const fields =
    /^ *(?:readonly )?(found|known|given|kept)\??:|^(?!\s*\/?\*).*\breadonly (found|known|given|kept)\??:/gm;
  const parameters = /^ *(?:export|readonly|\w+: (?:async )?\() ?.*[(,{] ?(found|known|given|kept)\??:/gm;
  return [...text.matchAll(fields), ...text.matchAll(parameters)].map(([, ...names]) => names.find(Boolean) ?? '');
}

/** Exported names that do the same. A function that answers a question (`isKnown`) may. */
function findParticipleExports(text: string): string[] {
  const exported = /^export (?:async )?(?:type|interface|class|const|function\*?) (\w+)/gm;
  return [...text.matchAll(exported)].flatMap(([, name = '']) =>
    /(?:[a-z]|^)(?:Found|Known|Given|Kept|Asked|Told|Held|Heard|Wanted)$|^(?:found|known|given|kept)$/.test(name) &&
    !/^is[A-Z]/.test(name)
      ? [name]
      : [],
  );
}

test('exports, fields and parameters of exports are named by a noun', () => {
  const named = listTexts().filter((path) => /^src\/.*\.tsx?$/.test(path) && !NAMED_ELSEWHERE.test(path));
  const places = named.flatMap((path) => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    const fields = findParticiples(text).filter((name) => FIELDS_OF_API[name]?.test(path) !== true);
    return [...fields, ...findParticipleExports(text)].map((name) => `${path}: ${name}`);
  });
  expect(places).toEqual([]);
});

test('the search for participles finds fields, parameters and exports', () => {
  expect(findParticiples('type A = {\n  readonly given?: string;\n  kept: B;\n};')).toEqual(['given', 'kept']);
  expect(findParticiples('type A = { readonly found: B };\nexport function a(b: C, known: D) {')).toEqual([
    'found',
    'known',
  ]);
  expect(findParticiples('  readonly add: (item: Item, given?: Terms) => void;')).toEqual(['given']);
  expect(findParticiples('/** `readonly kept: x` */\nconst a = (known: B) => known;')).toEqual([]);
  expect(
    findParticipleExports('export type Given = A;\nexport const useFound = a;\nexport type ReplayAsked = B;'),
  ).toEqual(['Given', 'useFound', 'ReplayAsked']);
  expect(findParticipleExports('export type Unknown = A;\nexport function isKnown() {}\ntype Kept = B;')).toEqual([]);
});
