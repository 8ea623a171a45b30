import type { JsonObject } from '#base/json.ts';
import { waitMs } from '#base/time/timer.ts';
import type { Discovery } from '#core/integration/instance.ts';
import type { SettingsShape } from '#core/integration/settings-shape.ts';
import { SetupFailure } from '#core/integration/setup-step.ts';
import { defineKind, type IntegrationCode, type IntegrationKind, type SetupResult } from '#integrations/kind.ts';
import type { Conversation } from '#integrations/setup-run.ts';
import type { SetupPorts } from '#integrations/ports.ts';

const SETTINGS = {
  host: { type: 'host', label: 'Address', hint: 'Of the toy box.', defaultPort: 80 },
  room: { type: 'choice', label: 'Room', options: [{ id: 'attic', label: 'Attic' }], optional: true },
  key: { type: 'secret', label: 'Key', boundTo: 'host', optional: true },
} as const satisfies SettingsShape;

/** What the world does to a set-up of the toy box, and what is left of it. */
export type ToyWorld = {
  /** Set-ups whose generator has begun and not ended. */
  readonly open: Set<object>;
  /** What a set-up made at the toy box and has to take back. */
  readonly files: Set<object>;
  isPressed: boolean;
  /** Thrown at the next step, once. */
  failure?: Error;
  uniqueId: string;
};

export function createToyWorld(): ToyWorld {
  return { open: new Set(), files: new Set(), isPressed: true, uniqueId: 'box-1' };
}

/** A kind whose set-up has a step of each type. */
export function toyKind(world: ToyWorld): IntegrationKind {
  return defineKind<SettingsShape>({
    id: 'toy_box',
    name: 'Toy box',
    about: 'Toys that pretend.',
    instances: 'many',
    settings: SETTINGS,
    settingsVersion: 1,
    discovery: {
      mdns: ['_toy._tcp'],
      identify: ({ name, addresses, txt }) => {
        const [host] = addresses;
        return host === undefined ? undefined : { uniqueId: txt['id'] ?? null, name, settings: { host } };
      },
    },
    load: async () => ({ ...noRun, setUp: (found, ports) => setUpToy(world, found, ports) }),
  });
}

/** The same without a set-up of its own. */
export function plainToyKind(): IntegrationKind {
  const kind = toyKind(createToyWorld());
  return { ...kind, id: 'plain_box', name: 'Plain box', load: async () => noRun };
}

const noRun: IntegrationCode = {
  create: ({ id, name }) => ({
    id,
    name,
    run: async (sink, signal) => {
      sink.reportStatus('connected', null);
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    },
    sendCommand: async () => 'none',
  }),
};

async function* setUpToy(world: ToyWorld, found: Discovery | undefined, ports: SetupPorts): Conversation {
  const here = {};
  world.open.add(here);
  const fail = (): void => {
    const { failure } = world;
    delete world.failure;
    if (failure !== undefined) throw failure;
  };
  try {
    const { host = '', key } = yield {
      type: 'form',
      fields: SETTINGS,
      values: { ...(found?.settings as JsonObject | undefined) },
      errors: [],
    };
    fail();
    yield { type: 'busy', text: 'Looking for the box.' };
    world.files.add(here);
    await waitMs(1_000, ports.startTimer, ports.signal);
    fail();
    const { option } = yield {
      type: 'choose',
      text: 'Which lid?',
      options: [
        { id: 'red', title: 'Red', detail: 'the left one' },
        { id: 'blue', title: 'Blue', detail: '' },
      ],
    };
    const untilMs = ports.clock.monotonicMs() + 60_000;
    yield { type: 'act', text: 'Press the button.', untilMs };
    while (!world.isPressed) {
      if (ports.clock.monotonicMs() >= untilMs) throw new SetupFailure('button_not_pressed', 'Nobody pressed it.');
      await waitMs(1_000, ports.startTimer, ports.signal);
      ports.signal.throwIfAborted();
    }
    yield { type: 'show', text: 'Compare the code.', code: '123-45-678' };
    fail();
    world.files.delete(here);
    const secrets: Record<string, string> = typeof key === 'string' ? { key } : {};
    const settings: JsonObject = { host, room: null };
    const name = `The ${option === 'red' ? 'red' : 'blue'} box`;
    return { uniqueId: world.uniqueId, name, settings: settings as SetupResult['settings'], secrets };
  } finally {
    world.files.delete(here);
    world.open.delete(here);
  }
}
