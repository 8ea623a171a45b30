import type { Locator, Page } from 'playwright-core';

/** Counts the taps and typed fields of a task, from the first page on a telephone. */
export function createCounter(page: Page) {
  const counts = { taps: 0, fields: 0 };
  return {
    tap: async (locator: Locator): Promise<void> => {
      counts.taps += 1;
      await locator.tap();
    },
    type: async (locator: Locator, text: string): Promise<void> => {
      counts.fields += 1;
      await locator.fill(text);
    },
    /** A choice in a list of the browser is a tap on the field and one in the list. */
    choose: async (locator: Locator, option: string): Promise<void> => {
      counts.taps += 2;
      await locator.selectOption(option);
    },
    /** One drag of a finger to this share of a slider. */
    drag: async (slider: Locator, share: number): Promise<void> => {
      counts.taps += 1;
      await slider.evaluate((one) =>
        (one as unknown as { scrollIntoView: (how: object) => void }).scrollIntoView({ block: 'center' }),
      );
      const box = await slider.boundingBox();
      if (box === null) throw new Error('there is no slider');
      // Waits until it is drawn: before, nothing is at the place.
      const track = page.locator('.slider', { has: slider });
      await track.hover({ position: { x: box.width * 0.9, y: box.height / 2 } });
      await page.mouse.down();
      await page.mouse.move(box.x + box.width * share, box.y + box.height / 2, { steps: 8 });
      await page.mouse.up();
    },
    done: (task: string): typeof counts => {
      process.stdout.write(`${task}: ${counts.taps} taps, ${counts.fields} fields\n`);
      return counts;
    },
  };
}
