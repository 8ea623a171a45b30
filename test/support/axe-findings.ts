import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page as it stands, as `rule: element`. */
export async function axeFindings(page: Page): Promise<readonly string[]> {
  // What still moves into its place has other colours there.
  await page.evaluate(`Promise.all(document.getAnimations().map((animation) => animation.finished.catch(() => null)))`);
  await page.evaluate(AXE);
  return page.evaluate<string[]>(`axe.run(document).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
}
