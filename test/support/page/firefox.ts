import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { WebSocket } from 'ws';

type Json = Readonly<Record<string, unknown>>;
type Reply = { readonly id?: number; readonly method?: string; readonly params?: Json; readonly error?: string } & Json;

/** A page in Firefox. Expressions are JavaScript of the page; what they find is used as a person would. */
export type FirefoxPage = {
  readonly goto: (address: string) => Promise<void>;
  /** The value must be JSON. */
  readonly evaluate: <Value>(expression: string) => Promise<Value>;
  /** Waits until the expression is true. */
  readonly waitFor: (expression: string) => Promise<void>;
  /** Waits for the element, moves the pointer to its middle and presses. */
  readonly click: (element: string) => Promise<void>;
  /** Clicks the field and presses a key for each letter. */
  readonly type: (element: string, text: string) => Promise<void>;
  /** Errors of the page and on its console, and refusals by the policy. */
  readonly complaints: readonly string[];
};

export type Firefox = { readonly open: () => Promise<FirefoxPage>; readonly close: () => Promise<void> };

/** Nothing but the pages of the test is asked for. */
const PREFERENCES: Json = {
  'app.update.enabled': false,
  'browser.shell.checkDefaultBrowser': false,
  'browser.startup.page': 0,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'remote.active-protocols': 1,
  'toolkit.telemetry.reportingpolicy.firstRun': false,
};

/** Debian's Firefox without a window, driven by WebDriver BiDi. */
export async function launchFirefox(): Promise<Firefox> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-firefox-'));
  const lines = Object.entries(PREFERENCES).map(([name, value]) => `user_pref("${name}", ${JSON.stringify(value)});\n`);
  writeFileSync(join(folder, 'user.js'), lines.join(''));
  const flags = ['--headless', '--no-remote', '--remote-debugging-port', '0', '--profile', folder];
  const child = spawn('firefox-esr', flags, {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its home is written to as well.
    env: { ...process.env, HOME: folder, MOZ_CRASHREPORTER_DISABLE: '1' },
  });
  const exited = once(child, 'exit');
  let endpoint: string | undefined;
  for await (const line of createInterface(child.stderr)) {
    endpoint = /^WebDriver BiDi listening on (ws:\S+)/.exec(line)?.[1];
    if (endpoint !== undefined) break;
  }
  if (endpoint === undefined) throw new Error('Firefox did not start');
  child.stderr.resume();
  const bidi = await connect(`${endpoint}/session`);
  await bidi.send('session.new', { capabilities: {} });
  await bidi.send('session.subscribe', { events: ['log.entryAdded'] });
  return {
    open: () => openPage(bidi),
    close: async () => {
      await bidi.send('browser.close', {});
      bidi.end();
      await exited;
      rmSync(folder, { recursive: true, maxRetries: 5 });
    },
  };
}

type Bidi = {
  readonly send: (method: string, params: Json) => Promise<Json>;
  readonly listen: (listener: (params: Json) => void) => void;
  readonly end: () => void;
};

async function connect(address: string): Promise<Bidi> {
  const socket = new WebSocket(address, { perMessageDeflate: false });
  await once(socket, 'open');
  const waiting = new Map<number, (reply: Reply) => void>();
  const listeners: ((params: Json) => void)[] = [];
  let last = 0;
  socket.on('message', (data: Buffer) => {
    const reply = JSON.parse(data.toString()) as Reply;
    if (reply.id === undefined) return listeners.forEach((listener) => listener(reply.params ?? {}));
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  return {
    send: async (method, params) => {
      last += 1;
      const id = last;
      const answered = new Promise<Reply>((resolve) => void waiting.set(id, resolve));
      socket.send(JSON.stringify({ id, method, params }));
      const reply = await answered;
      if (reply.error !== undefined) throw new Error(`${method}: ${JSON.stringify(reply)}`);
      return reply['result'] as Json;
    },
    listen: (listener) => void listeners.push(listener),
    end: () => socket.close(),
  };
}

const REPORT_VIOLATIONS = `() => addEventListener('securitypolicyviolation', (event) =>
  console.error('refused by the policy: ' + event.violatedDirective + ' ' + event.blockedURI))`;
/** The browser writes a failed request to the console as well; a test looks at what the page shows. */
const ORDINARY = /NetworkError|AbortError/;

async function openPage(bidi: Bidi): Promise<FirefoxPage> {
  const complaints: string[] = [];
  bidi.listen(({ level, text }) => {
    if ((level === 'error' || level === 'warn') && !ORDINARY.test(String(text))) complaints.push(String(text));
  });
  await bidi.send('script.addPreloadScript', { functionDeclaration: REPORT_VIOLATIONS });
  const { context } = await bidi.send('browsingContext.create', { type: 'tab' });
  const evaluate = async <Value>(expression: string): Promise<Value> => {
    const { result, exceptionDetails } = (await bidi.send('script.evaluate', {
      expression: `(async () => JSON.stringify((await (${expression})) ?? null))()`,
      target: { context },
      awaitPromise: true,
    })) as { result?: { value: string }; exceptionDetails?: { text: string } };
    if (result === undefined) throw new Error(`${expression}: ${exceptionDetails?.text}`);
    return JSON.parse(result.value) as Value;
  };
  const waitFor = async (expression: string): Promise<void> => {
    await expect.poll(() => evaluate<boolean>(`Boolean(${expression})`), { message: expression }).toBe(true);
  };
  const click = async (element: string): Promise<void> => {
    await waitFor(`${element} && !${element}.disabled`);
    const [x, y] = await evaluate<[number, number]>(`(async () => {
      const element = ${element};
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const { left, top, width, height } = element.getBoundingClientRect();
      return [Math.round(left + width / 2), Math.round(top + height / 2)];
    })()`);
    const actions = [
      { type: 'pointerMove', x, y },
      { type: 'pointerDown', button: 0 },
      { type: 'pointerUp', button: 0 },
    ];
    await bidi.send('input.performActions', { context, actions: [{ type: 'pointer', id: 'mouse', actions }] });
  };
  return {
    complaints,
    evaluate,
    waitFor,
    click,
    goto: async (address) =>
      void (await bidi.send('browsingContext.navigate', { context, url: address, wait: 'complete' })),
    type: async (element, text) => {
      await click(element);
      const actions = Array.from(text).flatMap((value) => [
        { type: 'keyDown', value },
        { type: 'keyUp', value },
      ]);
      await bidi.send('input.performActions', { context, actions: [{ type: 'key', id: 'keys', actions }] });
    },
  };
}
