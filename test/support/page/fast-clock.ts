import type { Page } from 'playwright-core';

/**
 * Runs in the page before its own scripts: the date and the timers stand still until `fastClock.pass`. Each timer that is
 * due runs once, an interval too. What the browser does by itself goes on: streams, answers and drawing.
 */
const CLOCK = `{
  const RealDate = Date;
  let nowMs = RealDate.now();
  let last = 0;
  const timers = new Map();
  window.Date = class Date extends RealDate {
    constructor(...parts) {
      if (parts.length === 0) super(nowMs);
      else super(...parts);
    }
    static now() {
      return nowMs;
    }
  };
  const start = (run, ms = 0, rest = [], everyMs = undefined) => {
    last += 1;
    timers.set(last, { run: () => run(...rest), atMs: nowMs + Math.max(1, ms), everyMs });
    return last;
  };
  const stop = (id) => void timers.delete(id);
  Object.assign(window, {
    setTimeout: (run, ms, ...rest) => start(run, ms, rest),
    setInterval: (run, ms, ...rest) => start(run, ms, rest, Math.max(1, ms)),
    clearTimeout: stop,
    clearInterval: stop,
  });
  const { port1, port2 } = new MessageChannel();
  /** Lets what waits in the browser run first. */
  const turn = () =>
    new Promise((resolve) => {
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
  window.fastClock = {
    timers: () => timers.size,
    pass: async (ms) => {
      nowMs += ms;
      for (const [id, timer] of [...timers]) {
        if (timer.atMs > nowMs || !timers.has(id)) continue;
        if (timer.everyMs === undefined) timers.delete(id);
        else timer.atMs = nowMs + timer.everyMs;
        timer.run();
      }
      await turn();
    },
  };
}`;

/** Lets a test move the time of a page on, by hours within a second. */
export async function addFastClock(page: Page): Promise<{ readonly pass: (ms: number) => Promise<void> }> {
  await page.addInitScript(CLOCK);
  return { pass: async (ms) => page.evaluate(`fastClock.pass(${ms})`) };
}
