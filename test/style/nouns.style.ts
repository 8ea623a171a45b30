import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { listSources, SRC } from '#test/support/sources.ts';

/** Places that do not count as shared files of the noun `variable`, each with the reason. */
const NOT_SHARED: readonly [path: RegExp, reason: string][] = [
  [/^core\/variable\//, 'its own files'],
  [/^http\/variable\//, 'its own files'],
  [/^storage\/migrations\//, 'a step of the schema of its own'],
  [/^web\/strings\//, 'words of the languages'],
  [/^web\/client\/(?:api|rule-forms|vocabulary)\.ts$/, 'a program writes it'],
  // A noun that no automation names has no such logic.
  [/^core\/automation(?:-run|-replay|-template)?\//, 'automations wait for variables, ask and set them'],
  [/^automations\//, 'automations see and set them'],
  [/^hub\/automation\//, 'automations see and set them'],
  [/^http\/(?:automation(?:-run)?|simulation)\//, 'automations name them'],
  [/^web\/rule\//, 'people name them in automations'],
  // A noun that is not recorded has no such logic.
  [/^core\/past\/(?:history\/house-series|timeline\/timeline-(?:line|reader))\.ts$/, 'the past records their values'],
  [/^core\/past\/archive\/series-(?:finder|labels)\.ts$/, 'exports and imports of the past name them'],
  [/^http\/(?:history|series)\//, 'answers about the past name them'],
  [/^web\/history\//, 'the page of the past shows them'],
  [/^cli\/state\/offline-admin\.ts$/, '`hearthd history` reads them from the storage of a hub that does not run'],
  [/^words\/[a-z]{2}\/faults\.ts$/, 'what is wrong with a field names it'],
  // The word means something else.
  [/^(?:config|systemd)\//, 'a variable of the environment'],
  [/^cli\/(?:help|serve)\.ts$/, 'a variable of the environment'],
  [/^lan\/client\/exchange\.ts$/, 'a variable of the environment'],
  [/^hub\/integration\/hub-integrations\.ts$/, 'a variable of the environment'],
  [/^http\/integration\/json\.ts$/, 'a variable of the environment'],
  [/^web\/docs\/try-it\.ts$/, 'a variable of the shell'],
  [/^integrations\/home-assistant-discovery\//, 'a variable of a template'],
  [/^words\/fr\/templates\.ts$/, 'a French adjective'],
];

const naming = listSources()
  .map((path) => relative(SRC, path))
  .filter((file) => /variable/i.test(readFileSync(join(SRC, file), 'utf8')));

test('a noun without logic of its own costs its own files and four shared ones', () => {
  const shared = naming.filter((file) => !NOT_SHARED.some(([path]) => path.test(file)));
  // A noun with a right of its own is named in `auth/scope.ts` too.
  expect(shared.toSorted()).toEqual([
    'http/app.ts',
    'hub/hub-household.ts',
    'storage/engine/schema.ts',
    'storage/tables/table-list.ts',
  ]);
});

test.each(NOT_SHARED.map(([path, reason]) => [path.source, reason, path] as const))(
  'it is named in %s: %s',
  (_source, _reason, path) => {
    expect(naming.some((file) => path.test(file))).toBe(true);
  },
);
