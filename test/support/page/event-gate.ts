import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** Runs in the page before its own scripts: the events of changed values wait here while the gate is closed. */
const GATE = `{
  const plain = window.fetch.bind(window);
  const gate = (window.eventGate = { isClosed: false, held: [], pass: () => undefined, said: 0, say: () => undefined, streams: 0, isLive: false });
  window.fetch = async (input, init) => {
    const answer = await plain(input, init);
    if (!answer.ok || !new URL(input.url ?? input, location.href).pathname.endsWith('/event')) return answer;
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    const encoder = new TextEncoder();
    let rest = '';
    const end = (own) => void (own === gate.streams && (gate.isLive = false));
    const start = async (controller) => {
      const own = (gate.streams += 1);
      gate.isLive = false;
      gate.pass = (count) => gate.held.splice(0, count).forEach((frame) => controller.enqueue(encoder.encode(frame)));
      // Changes that no hub reported: the next of these features take a value that differs, with the time of the page.
      gate.say = async (count, series) => {
        if (!gate.isLive) throw new Error('the page has dropped its stream');
        const at = new Date().toISOString();
        const frame = (type, data) => 'event: ' + type + '\\ndata: ' + JSON.stringify(data) + '\\n\\n';
        let frames = '';
        for (let left = count; left > 0; left -= 1) {
          const { device, key, value } = series[gate.said % series.length];
          const turn = Math.floor(gate.said / series.length);
          const next = typeof value === 'number' ? (turn % 90) + 1 : typeof value === 'boolean' ? turn % 2 === 0 : value;
          const feature = { key, value: next, quality: 'confirmed', observed_at: at, changed_at: at };
          frames += frame('feature.changed', { device, feature, cause: null, at });
          gate.said += 1;
        }
        controller.enqueue(encoder.encode(frames + frame('hub.heartbeat', { at })));
        // Until the page has read it.
        while (controller.desiredSize < 1) await new Promise((resolve) => queueMicrotask(resolve));
      };
      try {
        for (;;) {
          const { done, value } = await reader.read();
          if (done) {
            end(own);
            return controller.close();
          }
          // Before its first bytes the page may still give it up.
          if (own === gate.streams) gate.isLive = true;
          const frames = (rest + value).split('\\n\\n');
          rest = frames.pop();
          for (const frame of frames) {
            const isHeld = gate.isClosed && frame.includes('event: feature.changed');
            if (isHeld) gate.held.push(frame + '\\n\\n');
            else controller.enqueue(encoder.encode(frame + '\\n\\n'));
          }
        }
      } catch (cause) {
        end(own);
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
      await expect.poll(() => page.evaluate<number>('eventGate.held.length')).toBeGreaterThanOrEqual(count);
    },
    open: async (): Promise<void> => page.evaluate('void (eventGate.isClosed = false, eventGate.pass(Infinity))'),
  };
}
