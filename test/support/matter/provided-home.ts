import { expect } from 'vitest';
import { VOCABULARY } from '#core/feature/vocabulary.ts';
import { type Ask, type BridgeWorld, SOON } from '#test/support/matter/bridge-world.ts';

/** A device that a script brings in: `features` by their keys, with what they have beside what the vocabulary says. */
export type ProvidedDevice = {
  readonly id: string;
  readonly type: string;
  readonly features: Readonly<Record<string, object>>;
  readonly values: Readonly<Record<string, unknown>>;
};

/** Devices that do at once what they are asked for, and say so. */
export type ProvidedHome = {
  /** For the setting that offers them. */
  readonly ids: readonly string[];
  /** What each was last asked for, without what came before it. */
  readonly asked: (device: string) => unknown;
  readonly report: (device: string, report: object) => Promise<void>;
  readonly stop: () => Promise<void>;
  /** With a hub that was started again. */
  readonly goOn: () => Promise<void>;
};

const NAME = 'workshop';

export function nameOf(id: string): string {
  return id.replaceAll('-', ' ').replace(/^./, (first) => first.toUpperCase());
}

export async function bringDevices(
  { ask: askOwner, askWith }: Pick<BridgeWorld, 'ask' | 'askWith'>,
  devices: readonly ProvidedDevice[],
): Promise<ProvidedHome> {
  const made = await askOwner('POST', '/api_token', { name: NAME, scopes: ['device:provide'], provider: NAME });
  const { token } = made.json as { token: string };
  const ask: Ask = (method, path, body) => askWith(token)(method, `/provider/${NAME}${path}`, body);
  const own = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    let { status, json } = await ask(method, path, body);
    // A flood that reaches the script is more than its token may answer in a second.
    const tryAgain = async (): Promise<number> => ({ status, json } = await ask(method, path, body)).status;
    if (status === 429) await expect.poll(tryAgain, { ...SOON, interval: 500 }).not.toBe(429);
    if (status >= 300) throw new Error(`${path}: ${JSON.stringify(json)}`);
    return json;
  };
  await own('PUT', '', { lease_s: 600 });
  const ids: string[] = [];
  for (const { id, type, features } of devices) {
    const declared = { name: nameOf(id), type, features: Object.entries(features).map(featureOf) };
    ids.push(((await own('PUT', `/device/${id}`, declared)) as { id: string }).id);
  }
  const report = async (reports: readonly object[]): Promise<void> => {
    const answer = await own('POST', '/state', { reports });
    expect(answer).toEqual({ taken: reports.length, refused: [] });
  };
  await report(devices.map(({ id, values }) => ({ device: id, values })));
  const asked = new Map<string, unknown>();
  let ending = new AbortController();
  const serve = async (): Promise<void> => {
    while (!ending.signal.aborted) {
      const { commands } = (await own('GET', '/command?wait=1')) as { commands: readonly Command[] };
      for (const { id, device, set } of commands) {
        asked.set(device, set);
        await own('POST', `/command/${id}`, { status: 'done', ...(set === undefined ? {} : { values: set }) });
      }
    }
  };
  let served = serve();
  return {
    ids,
    asked: (device) => asked.get(device),
    report: (device, said) => report([{ device, ...said }]),
    stop: async () => {
      ending.abort();
      await served;
    },
    goOn: async () => {
      const hear = async (): Promise<number> => (await ask('POST', '/state', { reports: [] })).status;
      await expect.poll(hear, SOON).toBe(200);
      ending = new AbortController();
      served = serve();
    },
  };
}

type Command = { readonly id: string; readonly device: string; readonly set?: unknown };

function featureOf([key, details]: [string, object]) {
  const capability = key.split('.').at(-1) as keyof typeof VOCABULARY;
  const { kind, valueType } = VOCABULARY[capability];
  return { key, capability, kind, value_type: valueType, ...details };
}
