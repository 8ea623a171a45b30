import { HubError } from '#base/hub-error.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { SendEvidence } from '#core/command/command-way.ts';
import type { Order } from '#integrations/tasmota/mapping/source.ts';

/** Orders of one command, by the key of the feature. */
type Orders = ReadonlyMap<string, Order>;

type SendQueue = {
  /** Resolves once the device has answered, or once it is clear that it will not. Throws HubError. */
  readonly send: (orders: Orders, fade: readonly string[]) => Promise<SendEvidence>;
  /** Takes the names in an answer of the device. */
  readonly answered: (names: Iterable<string>) => void;
  /** The device did not understand what was sent last. */
  readonly refused: () => void;
  /** Fails what waits. */
  readonly fail: (error: HubError) => void;
};

/** Devices answer within 0.1 s, and say nothing of what they are asked while they start. */
const ANSWER_MS = 2_000;
const MOST_WAITING = 32;

type Waiting = { orders: Orders; fade: readonly string[]; readonly done: Promise<SendEvidence> };

/**
 * One command at a time: answers name what they are about, and not which command they are for. One that waits and the
 * next, if that is about the same, go as one.
 */
export function createSendQueue(
  publish: (command: string, argument: string) => Promise<void>,
  startTimer: StartTimer,
): SendQueue {
  const waiting: Waiting[] = [];
  const inTurn = createTurnQueue();
  let inFlight:
    | { readonly answeredBy: string; readonly settle: (end: SendEvidence | { readonly failed: unknown }) => void }
    | undefined;
  let failure: HubError | undefined;

  const transmit = async ({ orders, fade }: Waiting): Promise<SendEvidence> => {
    if (failure !== undefined) throw failure;
    const commands = [...orders.values()].flatMap((order) => order.commands);
    const answeredBy = [...orders.values()].at(-1)?.answeredBy ?? '';
    const answer = new Promise<SendEvidence>((resolve, reject) => {
      const stopTimer = startTimer(ANSWER_MS, () => inFlight?.settle('transport_ack'));
      inFlight = {
        answeredBy,
        settle: (end) => {
          stopTimer();
          inFlight = undefined;
          if (typeof end === 'string') resolve(end);
          else reject(end.failed);
        },
      };
    });
    // It may fail before anybody waits for it.
    answer.catch(() => undefined);
    try {
      const [only] = commands;
      if (only !== undefined && commands.length === 1 && fade.length === 0) await publish(...only);
      else await publish('Backlog0', [...fade, ...commands.map(([name, argument]) => `${name} ${argument}`)].join(';'));
    } catch (cause) {
      inFlight?.settle({ failed: cause });
    }
    return answer;
  };
  return {
    send: (orders, fade) => {
      failure = undefined;
      const newest = waiting.at(-1);
      if (newest !== undefined && [...newest.orders.keys()].every((key) => orders.has(key))) {
        newest.orders = orders;
        newest.fade = fade;
        return newest.done;
      }
      if (waiting.length >= MOST_WAITING) {
        return Promise.reject(new HubError('COMMAND_FAILED', 'Too many commands wait for the device.'));
      }
      const done = inTurn(async () => {
        const mine = waiting.shift();
        if (mine === undefined) throw new HubError('COMMAND_FAILED', 'The command was dropped.');
        return transmit(mine);
      });
      waiting.push({ orders, fade, done });
      return done;
    },
    answered: (names) => {
      for (const name of names) if (name === inFlight?.answeredBy) return inFlight.settle('device_ack');
    },
    refused: () =>
      inFlight?.settle({ failed: new HubError('COMMAND_FAILED', 'The device does not know this command.') }),
    fail: (error) => {
      failure = error;
      inFlight?.settle({ failed: error });
    },
  };
}
