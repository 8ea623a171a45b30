import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Runs in the page before its own scripts: the events of changed values wait here while the gate is closed. */
const GATE = `{
  const plain = window.fetch.bind(window);
  const gate = (window.eventGate = { isClosed: false, held: [], pass: () => undefined });
  window.fetch = async (input, init) => {
    const answer = await plain(input, init);
    if (!answer.ok || !new URL(input.url ?? input, location.href).pathname.endsWith('/event')) return answer;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const encoder = new TextEncoder();
    let rest = '';
    const start = async (controller) => {
      gate.pass = (count) => gate.held.splice(0, count).forEach((frame) => controller.enqueue(encoder.encode(frame)));
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          const frames = (rest + value).split('\\n\\n');
          rest = frames.pop();
          for (const frame of frames) {
            const isHeld = gate.isClosed && frame.includes('event: feature.changed');
            if (isHeld) gate.held.push(frame + '\\n\\n');
            else controller.enqueue(encoder.encode(frame + '\\n\\n'));
          }
        }
      } catch (cause) {
        controller.error(cause);
      }
    };
    return new Response(new ReadableStream({ start, cancel: () => reader.cancel() }), answer);
  };
}`;

/** Lets a test decide how many changed values reach the page in each frame, however busy the machine is. */
export async function addEventGate(page: Page) {
  await page.addInitScript(GATE);
  return {
    close: async (): Promise<void> => page.evaluate('void (eventGate.isClosed = true)'),
    /** Resolves once so many changes wait. */
    waitFor: async (count: number): Promise<void> => {
      await expect
        .poll(() => page.evaluate<number>('eventGate.held.length'), { timeout: 30_000 })
        .toBeGreaterThanOrEqual(count);
    },
    open: async (): Promise<void> => page.evaluate('void (eventGate.isClosed = false, eventGate.pass(Infinity))'),
  };
}
