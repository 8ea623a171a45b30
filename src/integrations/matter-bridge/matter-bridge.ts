import { HubError } from '#base/hub-error.ts';
import { isJsonObject, isSameJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { BridgeReport, OfferingReport } from '#core/integration/integration-report.ts';
import type { Places } from '#core/integration/settings-shape.ts';
import { fitName } from '#integrations/matter-bridge/mapping/bridged-device.ts';
import { pressFrom } from '#integrations/matter-bridge/mapping/sensors.ts';
import type { Integration } from '#integrations/integration.ts';
import { createProgramCare, type ProgramCare } from '#integrations/matter-program/program-care.ts';
import { type CommandDoor, createCommandDoor, type ReadCommand, refusal } from '#integrations/offering/command-door.ts';
import type { InstancePorts, ProgramLife } from '#integrations/ports.ts';
import { type BridgeCatalogue, createBridgeCatalogue } from './bridge-catalogue.ts';
import { type BridgeState, createBridgeState } from './bridge-state.ts';
import type { FromNode, NodeCommand, ToNode } from './node-message.ts';
import { createSentEndpoints, type SentEndpoints } from './sent-endpoints.ts';

export type MatterBridgeInstance = {
  readonly name: string;
  readonly settings: { readonly expose: Places; readonly token: string | null; readonly port: number };
};

export type MatterBridgePorts = Pick<
  InstancePorts,
  'clock' | 'startTimer' | 'random' | 'log' | 'home' | 'joinProgram' | 'file' | 'state' | 'lanAddresses'
>;

/** After this, a value that a controller wrote and no device took is shown again as it was. */
const SETTLE_MS = 10_000;

/** Offers devices of the home to controllers of other makers, as a bridge of Matter. The node is a program beside the hub. */
export function createMatterBridge({ name, settings }: MatterBridgeInstance, ports: MatterBridgePorts): Integration {
  const { home, log, startTimer } = ports;
  const openDoor = (apiToken: string | null): CommandDoor =>
    createCommandDoor({ home, apiToken, monotonicMs: ports.clock.monotonicMs, from: 'over Matter', log });
  /** As they are now. */
  let own = { name: fitName(name), settings };
  let door = openDoor(settings.token);
  let running: Running | undefined;
  const current = (): Running => {
    if (running === undefined || !running.state.isUp()) {
      throw new HubError('INTEGRATION_DOWN', 'The Matter bridge does not run.');
    }
    return running;
  };
  const send = (message: ToNode): void => void current().life.send(message);

  return {
    run: async (sink, signal) => {
      const state = createBridgeState(sink, ports.clock.monotonicMs);
      const catalogue = createBridgeCatalogue({ home, expose: own.settings.expose });
      const care = createProgramCare({ ...ports, onKept: state.noteKept });
      const memory = createBridgeMemory(ports);
      const life: Life = ports.joinProgram<ToNode, FromNode>('matter-process', {
        name: 'bridge',
        begin: async () => {
          state.begin();
          const { text, isLost } = await care.load();
          const { numbers, homes, isLost: wasLost } = await memory.load();
          if (isLost || (text === null && homes > 0)) memory.noteLost();
          if (isLost || wasLost || (text === null && homes > 0)) state.noteLost();
          const addresses = care.addresses();
          const endpoints = sent.reset(catalogue.devices());
          const about = { id: home.hubId, name: own.name, version: home.version };
          return { type: 'start', port: settings.port, addresses, memory: text, numbers, about, endpoints };
        },
        onMessage: (message, answer) => listen(message, answer),
        onDown: state.noteDown,
      });
      const sent = createSentEndpoints({ startTimer, of: catalogue.of, send: life.send });
      const parts = { state, catalogue, sent };
      const take: CommandDoor['take'] = (...given) => door.take(...given);
      const listen = createListener({ ...parts, take, life, care, memory, log });
      running = { ...parts, life };
      const stopFollowing = home.follow((event) => follow(event, { catalogue, sent, life }));
      const stopLooking = care.watchAddresses(life.send);
      try {
        await life.run(signal);
      } finally {
        running = undefined;
        stopFollowing();
        stopLooking();
        sent.stop();
        care.stop();
      }
    },
    takeSettings: (next) => {
      const { name: fullName, settings: given } = next as MatterBridgeInstance;
      // Sockets are opened with the node.
      if (running === undefined || !running.state.isUp() || given.port !== own.settings.port) return false;
      const before = own;
      own = { name: fitName(fullName), settings: given };
      if (own.name !== before.name) send({ type: 'rename', name: own.name });
      if (given.token !== before.settings.token) door = openDoor(given.token);
      if (!isSameJson(given.expose, before.settings.expose)) {
        running.sent.mark(running.catalogue.choose(given.expose));
      }
      return true;
    },
    sendCommand: async () => {
      throw new HubError('NOT_SUPPORTED', 'The Matter bridge has no devices of its own.');
    },
    openBridge: async (seconds) => send(seconds > 0 ? { type: 'open_window', seconds } : { type: 'close_window' }),
    removeFabric: async (index) => {
      await removeFabric(current(), index, startTimer);
    },
    report: () => {
      const bridge: BridgeReport = running?.state.report() ?? { codes: null, fabrics: [] };
      const offering = running === undefined ? null : offeringOf(running.catalogue, door);
      return { offering, leftOut: [], bridge };
    },
  };
}

type Life = ProgramLife<ToNode>;
type Running = {
  readonly life: Life;
  readonly state: BridgeState;
  readonly catalogue: Pick<BridgeCatalogue, 'counts' | 'choose'>;
  readonly sent: Pick<SentEndpoints, 'mark'>;
};

async function removeFabric({ state, life }: Running, index: number, startTimer: StartTimer): Promise<void> {
  if (!state.report().fabrics.some(({ id }) => id === index)) {
    throw new HubError('NOT_FOUND', 'No such home has the bridge.');
  }
  life.send({ type: 'remove_fabric', index });
  await state.untilGone(index, startTimer);
}

function offeringOf(catalogue: Pick<BridgeCatalogue, 'counts'>, door: CommandDoor): OfferingReport {
  const { accepted: commands, refused, lastError: error } = door.counts();
  return { ...catalogue.counts(), commands, refused, error };
}

type FollowDeps = {
  readonly catalogue: BridgeCatalogue;
  readonly sent: Pick<SentEndpoints, 'mark'>;
  readonly life: Pick<Life, 'send'>;
};

function follow(event: HomeEvent, { catalogue, sent, life }: FollowDeps): void {
  if (event.type !== 'feature.occurred') return sent.mark(catalogue.take(event));
  const id = catalogue.buttonOf(event.device.id, event.key);
  const press = pressFrom(event.occurrence);
  if (id !== undefined && press !== undefined) life.send({ type: 'press', id, ...press });
}

type Answer = (message: ToNode) => void;
type ListenDeps = {
  readonly state: BridgeState;
  readonly take: CommandDoor['take'];
  readonly catalogue: BridgeCatalogue;
  readonly life: Pick<Life, 'renew'>;
  readonly sent: Pick<SentEndpoints, 'repeat'>;
  readonly care: Pick<ProgramCare, 'keep' | 'logFault' | 'tryAgain' | 'noteStarted'>;
  readonly memory: Pick<BridgeMemory, 'noteNumbers' | 'noteHomes'>;
  readonly log: Log;
};

function createListener(deps: ListenDeps): (message: FromNode, answer: Answer) => void {
  const { state, take, catalogue, life, sent, care, memory, log } = deps;

  const command = ({ seq, ...asked }: NodeCommand, answer: Answer): void => {
    const found = catalogue.find(asked.endpoint);
    const fault = isIdle(asked, found)
      ? null
      : take(() => readCommand(asked, found, state.labelOf(asked.fabric)), `fabric ${asked.fabric}`);
    answer({ type: 'answer', seq, refusal: fault === null ? null : (REFUSALS[fault.code] ?? 'failure') });
    if (found !== undefined && WRITTEN.test(asked.name)) sent.repeat(found.device.id, fault === null ? SETTLE_MS : 0);
  };
  return (message, answer) => {
    switch (message.type) {
      case 'command':
        return command(message.command, answer);
      case 'keep':
        return care.keep(message, answer);
      case 'left':
        log.info('the last home has left the Matter bridge, which begins anew');
        // From now on nothing reaches the node that ends.
        state.begin();
        return life.renew();
      case 'not_joined':
        log.warn('a home that joined could not be kept, so the Matter bridge begins anew without it');
        return life.renew();
      case 'failed':
        care.tryAgain(life);
        return state.take(message);
      case 'started':
        care.noteStarted();
        return state.take(message);
      case 'numbers':
        return memory.noteNumbers(message.numbers);
      case 'fabrics':
        memory.noteHomes(message.fabrics.length);
        return state.take(message);
      case 'fault':
        care.logFault(message.message);
        return state.take(message);
      case 'window':
        if (message.reason !== undefined) log.warn('the Matter bridge cannot be opened', { reason: message.reason });
        return state.take(message);
      default:
        return state.take(message);
    }
  };
}

/** Attributes that a controller writes: they have its value until the hub says what holds. */
const WRITTEN = /^(?:thermostat|fan)\./;
const REFUSALS: Readonly<Record<string, string>> = {
  FORBIDDEN: 'access',
  INVALID_TOKEN: 'access',
  NO_API_TOKEN: 'access',
  NOT_FOUND: 'failure',
  INVALID_VALUE: 'invalid',
  VALIDATION_FAILED: 'invalid',
  TOO_MANY_COMMANDS: 'busy',
};

type Asked = Omit<NodeCommand, 'seq'>;
type FoundEndpoint = ReturnType<BridgeCatalogue['find']>;

/** Whether the device need not do it: every endpoint of Matter can be asked to show itself. */
function isIdle({ name }: Asked, found: FoundEndpoint): boolean {
  return name === 'identify' && found !== undefined && identifyKey(found) === undefined;
}

function identifyKey({ device }: NonNullable<FoundEndpoint>): string | undefined {
  return device.features.find(({ capability, kind }) => capability === 'identify' && kind === 'action')?.key;
}

function readCommand({ name, value }: Asked, found: FoundEndpoint, label: string): ReadCommand {
  if (found === undefined) throw refusal('NOT_FOUND', 'Nothing like this is offered.');
  const { mapped, device } = found;
  const by = { type: 'matter', id: label } as const;
  const key = name === 'identify' ? identifyKey(found) : undefined;
  const asked = key === undefined ? mapped.commands.get(name)?.(value, device) : { do: key };
  return { device, asked: asked && { ...asked, by } };
}

/** The numbers that endpoints have in Matter, by their ids. */
type EndpointNumbers = Readonly<Record<string, number>>;

/**
 * The hub itself remembers this of the bridge, and its backups with it: no key of a home, but how many homes there
 * were, so that lost keys are noticed, and the numbers of the endpoints, which outlive them.
 */
type BridgeMemory = ReturnType<typeof createBridgeMemory>;

type Remembered = { readonly numbers: EndpointNumbers; readonly homes: number; readonly isLost: boolean };

/** An entry has up to 64 bytes, and all of them 64 KiB. The oldest are those of devices that left long ago. */
const MOST_NUMBERS = 900;

function createBridgeMemory({ state, log }: Pick<InstancePorts, 'state'> & { readonly log: Log }) {
  let now: Remembered = { numbers: {}, homes: 0, isLost: false };

  const save = (next: Partial<Remembered>): void => {
    now = { ...now, ...next };
    state.save(now).catch((cause: unknown) => {
      log.warn('what the hub remembers of the Matter bridge cannot be written', { cause });
    });
  };
  return {
    load: async (): Promise<Remembered> => {
      const { numbers, homes, isLost } = await state.load();
      const count = typeof homes === 'number' ? homes : 0;
      return (now = { numbers: readNumbers(numbers), homes: count, isLost: isLost === true });
    },
    noteNumbers: (numbers: EndpointNumbers): void => {
      const newest = Object.entries(numbers).toSorted(([, one], [, other]) => other - one);
      save({ numbers: Object.fromEntries(newest.slice(0, MOST_NUMBERS)) });
    },
    /** The keys of the homes are lost, until a home has the bridge again. */
    noteLost: (): void => save({ isLost: true }),
    noteHomes: (homes: number): void => {
      const isLost = now.isLost && homes === 0;
      if (homes !== now.homes || isLost !== now.isLost) save({ homes, isLost });
    },
  };
}

function readNumbers(kept: unknown): EndpointNumbers {
  if (!isJsonObject(kept)) return {};
  return Object.fromEntries(
    Object.entries(kept).filter((entry): entry is [string, number] => Number.isInteger(entry[1])),
  );
}
