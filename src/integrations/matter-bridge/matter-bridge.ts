import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { repeat } from '#base/time/repeat.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { BridgeReport, OfferingReport } from '#core/integration/integration-report.ts';
import type { Places } from '#core/integration/settings-shape.ts';
import { pressFrom } from '#integrations/matter-bridge/mapping/sensors.ts';
import type { Integration } from '#integrations/integration.ts';
import { type CommandDoor, createCommandDoor, type ReadCommand, refusal } from '#integrations/offering/command-door.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { type BridgeCatalogue, createBridgeCatalogue } from './bridge-catalogue.ts';
import { type BridgeState, createBridgeState } from './bridge-state.ts';
import { createNodeFile } from './node-file.ts';
import { createNodeLife, type NodeLife, type Send } from './node-life.ts';
import type { FromNode, NodeCommand, ToNode } from './node-message.ts';
import { createSentEndpoints, type SentEndpoints } from './sent-endpoints.ts';

export type MatterBridgeInstance = {
  readonly name: string;
  readonly settings: { readonly expose: Places; readonly token: string | null; readonly port: number };
};

export type MatterBridgePorts = Pick<
  InstancePorts,
  'clock' | 'startTimer' | 'random' | 'log' | 'home' | 'startProgram' | 'file' | 'lanAddresses'
>;

const LOOK_EVERY_MS = 5_000;
/** What a controller wrote and no device took is by then what it was. */
const SETTLE_MS = 10_000;

/** Offers devices of the home to controllers of other makers, as a bridge of Matter. The node is a program beside the hub. */
export function createMatterBridge({ name, settings }: MatterBridgeInstance, ports: MatterBridgePorts): Integration {
  const { home, log, startTimer } = ports;
  const door = createCommandDoor({
    home,
    apiToken: settings.token,
    monotonicMs: ports.clock.monotonicMs,
    from: 'over Matter',
    log,
  });
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
      const catalogue = createBridgeCatalogue({ home, expose: settings.expose });
      const file = createNodeFile(ports.file, log);
      let addresses = ports.lanAddresses();
      const life: NodeLife = createNodeLife({
        ...ports,
        begin: async () => {
          state.begin();
          const { kept, isLost } = await file.load();
          if (isLost) state.noteLost();
          addresses = ports.lanAddresses();
          const endpoints = sent.reset(catalogue.devices());
          const about = { id: home.hubId, name, version: home.version };
          return { type: 'start', port: settings.port, addresses, kept, about, endpoints };
        },
        onMessage: (message, answer) => listen(message, answer),
        onDown: state.noteDown,
      });
      const sent = createSentEndpoints({ startTimer, of: catalogue.of, send: life.send });
      const listen = createListener({ state, door, catalogue, life, sent, save: file.save, log });
      running = { life, state, catalogue };
      const stopFollowing = home.follow((event) => follow(event, { catalogue, sent, life }));
      const stopLooking = repeat(startTimer, LOOK_EVERY_MS, () => {
        const now = ports.lanAddresses();
        if (JSON.stringify(now) === JSON.stringify(addresses)) return;
        addresses = now;
        life.send({ type: 'addresses', addresses });
      });
      try {
        await life.run(signal);
      } finally {
        running = undefined;
        stopFollowing();
        stopLooking();
        sent.stop();
      }
    },
    sendCommand: async () => {
      throw new HubError('NOT_SUPPORTED', 'The Matter bridge has no devices of its own.');
    },
    openBridge: async (seconds) => send(seconds > 0 ? { type: 'open_window', seconds } : { type: 'close_window' }),
    removeFabric: async (index) => {
      const { state } = current();
      if (!state.report().fabrics.some(({ id }) => id === index)) {
        throw new HubError('NOT_FOUND', 'No such home has the bridge.');
      }
      send({ type: 'remove_fabric', index });
      await state.untilGone(index, startTimer);
    },
    report: () => {
      const bridge: BridgeReport = running?.state.report() ?? { codes: null, fabrics: [] };
      const offering = running === undefined ? null : offeringOf(running.catalogue, door);
      return { offering, leftOut: [], bridge };
    },
  };
}

type Running = {
  readonly life: NodeLife;
  readonly state: BridgeState;
  readonly catalogue: Pick<BridgeCatalogue, 'counts'>;
};

function offeringOf(catalogue: Pick<BridgeCatalogue, 'counts'>, door: CommandDoor): OfferingReport {
  const { accepted: commands, refused, lastError: error } = door.counts();
  return { ...catalogue.counts(), commands, refused, error };
}

type FollowDeps = {
  readonly catalogue: BridgeCatalogue;
  readonly sent: Pick<SentEndpoints, 'mark'>;
  readonly life: Pick<NodeLife, 'send'>;
};

function follow(event: HomeEvent, { catalogue, sent, life }: FollowDeps): void {
  if (event.type !== 'feature.occurred') return sent.mark(catalogue.take(event));
  const id = catalogue.buttonOf(event.device.id, event.key);
  const press = pressFrom(event.occurrence);
  if (id !== undefined && press !== undefined) life.send({ type: 'press', id, ...press });
}

type ListenDeps = {
  readonly state: BridgeState;
  readonly door: CommandDoor;
  readonly catalogue: BridgeCatalogue;
  readonly life: Pick<NodeLife, 'renew'>;
  readonly sent: Pick<SentEndpoints, 'repeat'>;
  readonly save: (kept: string) => Promise<void>;
  readonly log: Log;
};

function createListener(deps: ListenDeps): (message: FromNode, answer: Send) => void {
  const { state, door, catalogue, life, sent, save, log } = deps;
  /** Faults that the log has: a device that Matter does not take comes with each of its changes. */
  const logged = new Set<string>();
  const inTurn = createTurnQueue();

  const command = ({ seq, ...asked }: NodeCommand, answer: Send): void => {
    const found = catalogue.find(asked.endpoint);
    const fault = isIdle(asked, found) ? null : door.take(() => readCommand(asked, found, state.labelOf(asked.fabric)));
    answer({ type: 'answer', seq, refusal: fault === null ? null : (REFUSALS[fault.code] ?? 'failure') });
    if (found !== undefined && WRITTEN.test(asked.name)) sent.repeat(found.device.id, fault === null ? SETTLE_MS : 0);
  };
  const keep = async (seq: number, text: string, answer: Send): Promise<void> => {
    let isKept = false;
    try {
      await save(text);
      isKept = true;
    } catch (cause) {
      log.error('what the Matter bridge must remember cannot be written', { cause });
    }
    state.noteKept(isKept);
    answer({ type: 'kept', seq, isKept });
  };
  return (message, answer) => {
    switch (message.type) {
      case 'command':
        return command(message.command, answer);
      case 'keep':
        return void inTurn(() => keep(message.seq, message.text, answer));
      case 'left':
        log.info('the last home has left the Matter bridge, which begins anew');
        return life.renew();
      case 'fault':
        if (!logged.has(message.message) && logged.size < MOST_LOGGED) {
          logged.add(message.message);
          log.warn('the Matter program reports a fault', { reason: message.message });
        }
        return state.take(message);
      default:
        return state.take(message);
    }
  };
}

const MOST_LOGGED = 100;
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

/** What a device need not do: every endpoint of Matter can be asked to show itself. */
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
