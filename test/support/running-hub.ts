import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startHearthd } from './run-hearthd.ts';

export type HubAnswer<Json = Record<string, unknown>> = {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
};
export type HubCall = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
};

/** The shipped program as a process of its own, claimed by an owner who is logged in. */
export type RunningHub = {
  readonly baseUrl: string;
  readonly accessToken: string;
  /** `call('POST /device/lamp/command', { body })`: the path is below `/api/v1`. */
  readonly call: <Json = Record<string, unknown>>(line: string, call?: HubCall) => Promise<HubAnswer<Json>>;
  /** What it logged. */
  readonly logged: () => string;
  readonly pid: number;
  /** Ends it as systemd would and removes its folder; the answer is its exit code. */
  readonly stop: () => Promise<number | null>;
};

const OWNER = { email: 'anna@home.test', password: 'lamp quilt orbit' };

/** Starts it on a free loopback port in a folder of its own; the settings are environment variables. */
export async function startRunningHub(settings: Readonly<Record<string, string>> = {}): Promise<RunningHub> {
  const folder = mkdtempSync(join(tmpdir(), 'hearthd-e2e-'));
  const env = {
    HEARTHD_STATE_DIR: join(folder, 'state'),
    HEARTHD_RUNTIME_DIR: join(folder, 'run'),
    HEARTHD_PORT: '0',
    HEARTHD_MQTT_URL: 'off',
    ...settings,
  };
  const child = startHearthd(['serve'], { env });
  let printed = '';
  let logged = '';
  child.stdout?.on('data', (chunk: Buffer) => void (printed += chunk.toString()));
  child.stderr?.on('data', (chunk: Buffer) => void (logged += chunk.toString()));
  const ended = new Promise<number | null>((resolve) => void child.once('close', resolve));

  const found = async (pattern: RegExp, text: () => string): Promise<string> => {
    for (let waitedMs = 0; waitedMs < 15_000; waitedMs += 25) {
      const match = pattern.exec(text())?.[1];
      if (match !== undefined) return match;
      if (child.exitCode !== null) break;
      await wait(25);
    }
    throw new Error(`the hub did not start: ${printed}${logged}`);
  };
  const baseUrl = await found(/ready: .*?(http:\/\/127\.0\.0\.1:\d+)\//, () => printed);
  const claimCode = await found(/claim code is (\S+)/, () => logged);

  const send: RunningHub['call'] = async (line, { body, headers = {}, signal } = {}) => {
    const [method = '', path = ''] = line.split(' ');
    const answer = await fetch(`${baseUrl}/api/v1${path}`, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, json: JSON.parse(text === '' ? '{}' : text) };
  };
  const claimed = await send('POST /setup', { body: { ...OWNER, claim_code: claimCode } });
  if (claimed.status !== 201) throw new Error(`the hub could not be claimed: ${JSON.stringify(claimed.json)}`);
  const accessToken = String(claimed.json['access_token']);
  return {
    baseUrl,
    accessToken,
    call: (line, { headers, ...call } = {}) =>
      send(line, { ...call, headers: { Authorization: `Bearer ${accessToken}`, ...headers } }),
    logged: () => logged,
    pid: child.pid ?? 0,
    stop: async () => {
      const deadline = setTimeout(() => child.kill('SIGKILL'), 10_000);
      child.kill('SIGTERM');
      const code = await ended;
      clearTimeout(deadline);
      rmSync(folder, { recursive: true, force: true });
      return code;
    },
  };
}
