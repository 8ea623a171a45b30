import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needs } from '#test/support/machine/requires.ts';
import { LOOKS } from '#test/support/page/page-tests.ts';
import { type LookedHome, openLookedHome } from '#test/support/page/views.ts';
import { PHONE } from '#test/support/page/web-page.ts';

describe.skipIf(!needs('chromium'))('axe finds nothing, and nothing is wider than the screen', () => {
  let home: LookedHome;
  beforeAll(async () => {
    home = await openLookedHome();
  });
  afterAll(() => home.close());

  test.each(LOOKS)('on %s', async (_name, look) => {
    expect(await home.faultsIn(look)).toEqual([]);
  });

  test.each(['de', 'fr', 'es'])('in the language %s', async (language) => {
    expect(await home.faultsOfPages(PHONE, language)).toEqual([]);
  });
});
