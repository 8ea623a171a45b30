import { claimHub, createHubFolder } from './hub-process.ts';

export type HubAnswer<Json = Record<string, unknown>> = {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Json;
};
export type HubCall = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Source address, as 127.0.0.3: each may have 32 connections. */
  readonly localAddress?: string;
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

/** Starts it on a free loopback port in a folder of its own; the settings are environment variables. */
export async function startRunningHub(settings: Readonly<Record<string, string>> = {}): Promise<RunningHub> {
  const hubs = createHubFolder();
  const hub = await hubs.serve({ HEARTHD_SIMULATE: '0', HEARTHD_LOG: 'info', ...settings });
  const { access_token: accessToken } = await claimHub(hub);
  return {
    baseUrl: hub.address,
    accessToken,
    call: async (line, call = {}) => {
      const [method = '', path = ''] = line.split(' ');
      const { status, headers, json } = await hub.ask(method, `/api/v1${path}`, { token: accessToken, ...call });
      return { status, headers, json: (json ?? {}) as never };
    },
    logged: hub.stderr,
    pid: hub.pid,
    stop: async () => {
      const { code } = await hub.end('SIGTERM');
      await hubs.close();
      return code;
    },
  };
}
