import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, test } from 'vitest';
import { listSources, SRC } from '#test/support/sources.ts';

/** The noun's own files. */
const OWN = /^(?:core\/variable|http\/variable|storage\/migrations)\//;

/** Not counted: words of the languages, and what a program writes. */
const WRITTEN_ELSEWHERE = /^web\/(?:strings\/|client\/(?:api|rule-forms|vocabulary)\.ts$)/;

/**
 * Not counted, because it is logic that a noun without such uses does not have: automations wait for variables, ask and set
 * them; the past records them, and its answers, the page of the past and `hearthd history` show what was recorded.
 */
const LOGIC =
  /^(?:core\/automation|automations\/|http\/(?:automation|simulation)|hub\/automation\/|web\/rule\/|core\/past\/|http\/(?:history|series)\/|web\/history\/|cli\/state\/offline-admin\.ts$)/;

/** Where the word means something else: a variable of the environment, of a shell or of a template. */
const OTHER_MEANING =
  /^(?:config\/|systemd\/|lan\/|integrations\/|hub\/integration\/|cli\/(?:help|serve)\.ts$|http\/integration\/|web\/docs\/|words\/)/;

test('a noun without logic of its own costs its own files and four shared ones', () => {
  const shared = listSources()
    .map((path) => relative(SRC, path))
    .filter((file) => ![OWN, WRITTEN_ELSEWHERE, LOGIC, OTHER_MEANING].some((places) => places.test(file)))
    .filter((file) => /variable/i.test(readFileSync(join(SRC, file), 'utf8')));
  // A noun with a right of its own is named in `auth/scope.ts` too.
  expect(shared.toSorted()).toEqual([
    'http/app.ts',
    'hub/hub-household.ts',
    'storage/engine/schema.ts',
    'storage/tables/table-list.ts',
  ]);
});
