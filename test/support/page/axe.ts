import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All that can differ in the dark, where each test is also run in the light. */
const COLORS = JSON.stringify({ runOnly: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] } });

/** What axe finds, as `rule: element`. */
export async function findingsOn(page: Page): Promise<readonly string[]> {
  // A moving element has other colours on its way, and an animation starts only with the next frames.
  await page.evaluate(`(async () => {
    const moving = () => document.getAnimations().filter(({ effect }) => effect.getTiming().iterations !== Infinity);
    for (let still = 0; still < 3; still += moving().length === 0 ? 1 : 0) {
      await Promise.all(moving().map((animation) => animation.finished.catch(() => null)));
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  })()`);
  if (!(await page.evaluate<boolean>(`'axe' in window`))) await page.evaluate(AXE);
  return page.evaluate<string[]>(`axe.run(document, matchMedia('(prefers-color-scheme: dark)').matches ? ${COLORS} : {})
    .then(({ violations }) => violations.flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html + ' ' + failureSummary)))`);
}
