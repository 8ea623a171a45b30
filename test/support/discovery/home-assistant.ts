import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';

export type SeenEntity = {
  readonly entity_id: string;
  readonly unique_id: string;
  readonly domain: string;
  readonly device: string | null;
  readonly area: string | null;
  readonly state: string | null;
  readonly attributes: Readonly<Record<string, unknown>>;
};

export type HomeAssistant = {
  readonly version: string;
  readonly entities: () => Promise<readonly SeenEntity[]>;
  /** Throws what the call throws there. */
  readonly call: (service: string, entity: string, data?: object) => Promise<void>;
  readonly warnings: () => Promise<readonly string[]>;
};

const PYTHON = process.env['HEARTHD_HOME_ASSISTANT'] ?? '';

/** The real one, at this broker. */
export async function startHomeAssistant(brokerPort: number): Promise<HomeAssistant> {
  const script = join(import.meta.dirname, 'home_assistant.py');
  const child = spawn(PYTHON, [script, String(brokerPort)], {
    env: { ...process.env, PYTHONHASHSEED: '0' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.stdin.end());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const readLine = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('Home Assistant has ended');
    // Libraries of it print lines of their own.
    return value.startsWith('{') ? (JSON.parse(value) as Record<string, unknown>) : readLine();
  };
  let last: Promise<unknown> = Promise.resolve();
  const ask = (question: object): Promise<Record<string, unknown>> => {
    const answer = last.then(async () => {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      const said = await readLine();
      if (said['error'] !== undefined) throw new Error(JSON.stringify(said['error']));
      return said;
    });
    last = answer.catch(() => undefined);
    return answer;
  };
  const { version } = await readLine();
  return {
    version: String(version),
    entities: async () => (await ask({ entities: true }))['entities'] as SeenEntity[],
    call: async (service, entity, data = {}) => void (await ask({ call: service, entity, data })),
    warnings: async () => (await ask({ warnings: true }))['warnings'] as string[],
  };
}
