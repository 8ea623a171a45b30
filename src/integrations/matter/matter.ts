import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { createProgramCare, type ProgramCare } from '#integrations/matter-program/program-care.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import type { HomePort, InstancePorts, ProgramLife } from '#integrations/ports.ts';
import { type CodePairing, createCodePairing, PAIRING_S } from './code-pairing.ts';
import type { FromController, ToController } from './controller-message.ts';
import { createHomeState, type HomeState } from './home-state.ts';
import { createNodes, type Nodes } from './nodes.ts';
import { createTimeKeeper, type TimeKeeper } from './time-keeper.ts';
import type { MatterSettings } from './matter-settings.ts';
import { createQuestions, type Questions, sendCommand } from './questions.ts';
import { setUpMatter } from './set-up.ts';

export const matterCode: IntegrationCode<MatterSettings> = { create: createMatter, setUp: setUpMatter };

export type MatterInstance = { readonly name: string; readonly settings: { readonly port: number } };

export type MatterPorts = Pick<
  InstancePorts,
  'startTimer' | 'random' | 'log' | 'joinProgram' | 'file' | 'lanAddresses' | 'knownDevices'
> & { readonly home: Pick<HomePort, 'local' | 'follow'> };

type Life = ProgramLife<ToController>;
type Parts = {
  readonly sink: DeviceSink;
  readonly life: Pick<Life, 'send'>;
  readonly state: HomeState;
  readonly nodes: Nodes;
  readonly pairing: CodePairing;
  readonly questions: Questions;
  readonly times: TimeKeeper;
  readonly log: Log;
};

/** The program looks for the device and says farewell within half of that: one that needs longer hangs. */
const REMOVED_MS = 60_000;

/** Takes devices that speak Matter into this home. A program beside the hub speaks with them. */
export function createMatter({ name, settings }: MatterInstance, ports: MatterPorts): Integration {
  let running: Parts | undefined;
  const current = (): Parts => {
    if (running === undefined || !running.state.isUp()) {
      throw new HubError('INTEGRATION_DOWN', 'The Matter program does not run.');
    }
    return running;
  };
  return {
    run: async (sink, signal) => {
      const parts = createParts({ name, settings }, ports, sink);
      running = parts;
      const { life, care } = parts;
      const stops = [care.watchAddresses(life.send), care.stop, parts.times.begin()];
      try {
        await life.run(signal);
      } finally {
        running = undefined;
        for (const stop of stops) stop();
        parts.pairing.stop();
        parts.questions.stop();
        parts.nodes.stop();
      }
    },
    sendCommand: async (command) => {
      const { nodes, questions, sink } = current();
      const onTaken = (): void => nodes.confirm(command);
      const deps = { questions, sink, onTaken, startTimer: ports.startTimer };
      return sendCommand(nodes.plan(command), command.externalId, deps);
    },
    openPairing: async (seconds) => {
      const { pairing } = current();
      if (seconds > 0) throw new HubError('NOT_SUPPORTED', 'A Matter device is added by its code.');
      pairing.cancel();
    },
    pairByCode: async (code) => {
      current().pairing.begin(code);
      return PAIRING_S;
    },
    removeDevice: async (externalId, isForced) => {
      const { nodes, questions } = current();
      const found = nodes.find(externalId);
      if (found === undefined) throw new HubError('NOT_FOUND', 'This home has no such device.');
      if (!found.isWhole) throw new HubError('NOT_SUPPORTED', 'A bridge has this device: remove it there.');
      const { nodeId } = found;
      const refusal = await questions.ask((seq) => ({ type: 'remove', seq, nodeId, isForced }), REMOVED_MS);
      if (refusal !== null) {
        const why = refusal.isDiskFull === true ? 'The disk of the hub is full' : 'The device does not answer';
        throw new HubError('COMMAND_FAILED', `${why}, and the device still has the keys of this home.`);
      }
      await nodes.remove(nodeId);
    },
    dismissDevices: async () => {
      const parts = current();
      parts.pairing.cancel();
      return dismissAll(parts);
    },
  };
}

/** All at once, so that one that does not answer holds up nobody. */
async function dismissAll({ nodes, questions }: Pick<Parts, 'nodes' | 'questions'>): Promise<readonly string[]> {
  const dismiss = async (nodeId: string): Promise<readonly string[]> => {
    const refusal = await questions.ask((seq) => ({ type: 'remove', seq, nodeId, isForced: false }), REMOVED_MS);
    if (refusal !== null) return [nodes.externalIdsOf(nodeId)[0] ?? nodeId];
    await nodes.remove(nodeId);
    return [];
  };
  return (await Promise.all(nodes.all().map(dismiss))).flat();
}

function createParts({ name, settings }: MatterInstance, ports: MatterPorts, sink: DeviceSink) {
  const { log, startTimer } = ports;
  const state = createHomeState(sink);
  const nodes = createNodes({ sink, startTimer, log });
  const lives = { now: 0 };
  const care = createProgramCare({ ...ports, onKept: state.noteKept });
  const life: Life = ports.joinProgram<ToController, FromController>('matter-process', {
    name: 'controller',
    begin: async () => {
      lives.now += 1;
      state.begin();
      const { text, isLost } = await care.load();
      // With no keys there can be no devices: they belong to a home that is gone.
      if (isLost || (text === null && ports.knownDevices().length > 0)) state.noteLost();
      const addresses = care.addresses();
      return { type: 'start', port: settings.port, addresses, memory: text, about: { name } };
    },
    onMessage: (message, answer) => listen(message, answer),
    onDown: (why, isOften) => {
      lives.now += 1;
      state.setDown(why, isOften);
      pairing.stop();
      questions.stop();
      sink.reportLost('unknown', 'integration_down');
    },
  });
  const pairing = createCodePairing({ sink, startTimer, send: life.send });
  const questions = createQuestions(life.send, startTimer);
  const times = createTimeKeeper({
    nodes,
    questions,
    local: ports.home.local,
    followClock: (onChange) => ports.home.follow(({ type }) => type === 'clock.changed' && onChange()),
    startTimer,
    log,
  });
  const parts: Parts = { sink, life, state, nodes, pairing, questions, times, log };
  const listen = createListener(parts, care, { renew: life.renew, lives });
  return { ...parts, life, care };
}

type Care = Pick<ProgramCare, 'keep' | 'logFault' | 'tryAgain' | 'noteStarted'>;

type Lives = Pick<Life, 'renew'> & {
  /** Another number for each start and each end of the program. */
  readonly lives: { readonly now: number };
};

function createListener(parts: Parts, care: Care, { renew, lives }: Lives) {
  const { state, questions, log, pairing } = parts;
  const takeInTurn = createTurnQueue();
  return (message: FromController, answer: (message: ToController) => void): void => {
    switch (message.type) {
      case 'keep':
        return care.keep(message, answer);
      case 'answer':
        return questions.answer(message.seq, message.refusal);
      case 'failed':
        care.tryAgain({ renew });
        return state.setFailed(message);
      case 'commissioning':
        return pairing.take(message);
      case 'fault':
        return care.logFault(message.message);
      default: {
        if (message.type === 'started') care.noteStarted();
        const own = lives.now;
        const isCurrent = (): boolean => lives.now === own;
        // What a device says while it is being described comes after that, unless the program has ended meanwhile.
        takeInTurn(async () => (isCurrent() ? takeNews(parts, message, isCurrent) : undefined)).catch(
          (cause: unknown) => {
            log.error('what a Matter device said could not be taken', { cause });
          },
        );
      }
    }
  };
}

type News = Exclude<FromController, { type: 'keep' | 'answer' | 'failed' | 'commissioning' | 'fault' }>;

async function takeNews(parts: Parts, message: News, isCurrent: () => boolean): Promise<void> {
  const { sink, state, nodes, pairing, times, log } = parts;
  switch (message.type) {
    case 'started':
      // A home without room says so by itself.
      if (!(await nodes.begin(message.nodes))) return;
      // Its end came while they were described, which says that they can be reached.
      if (!isCurrent()) return sink.reportLost('unknown', 'integration_down');
      log.info('the Matter program speaks with this home', { nodes: message.nodes.length });
      return state.setUp();
    case 'node':
      return nodes.take(message.node);
    case 'changes':
      return nodes.takeChanges(message.nodeId, message.changes);
    case 'occurrence':
      return nodes.takeOccurrence(message.nodeId, message.occurrence);
    case 'reach': {
      const before = nodes.takeReach(message.nodeId, message.reach);
      if (message.reach !== 'online' || before === 'online') return undefined;
      return before === 'asleep' ? times.remind(message.nodeId) : times.tell(message.nodeId);
    }
    case 'gone':
      log.info('a Matter device has left this home by itself');
      return nodes.remove(message.nodeId);
    case 'commissioned': {
      await nodes.take(message.node);
      const [first] = nodes.externalIdsOf(message.node.nodeId);
      return pairing.joined(first ?? message.node.nodeId);
    }
    case 'not_commissioned':
      log.warn('a Matter device did not join', { reason: message.fault, detail: message.detail });
      return pairing.take(message);
    default:
  }
}
