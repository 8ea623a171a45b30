import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { CommandId } from './command.ts';
import type { CommandWay, DeviceCommand, Pace, SendEvidence } from './command-way.ts';

/** One command for one device that is to go out. */
type Entry = {
  readonly way: CommandWay;
  readonly commandId: CommandId;
  /** The request as it is now; `undefined` once it is not to be sent any more. Asked again when its turn comes. */
  readonly request: () => DeviceCommand | undefined;
  /** Called right before it goes out, or right after that where no answer can come before. */
  readonly begin: (request: DeviceCommand) => void;
  readonly resolve: (evidence: SendEvidence | undefined | Promise<SendEvidence>) => void;
  readonly reject: (cause: unknown) => void;
};
/** The entries of a message go out together. */
type Message = readonly Entry[];

/** The ways out, one for each integration. Nothing is delayed while there is room. */
export type SendLanes = ReturnType<typeof createSendLanes>;

export function createSendLanes(deps: { readonly clock: Clock; readonly startTimer: StartTimer }) {
  const lanes = new Map<string, Lane>();
  const joint = new Map<string, Entry[]>();
  const laneOf = (integration: string): Lane => {
    const lane = lanes.get(integration) ?? createLane(deps);
    lanes.set(integration, lane);
    return lane;
  };
  /** Joins sends that have the same key and begin in the same turn of the event loop. */
  const gather = (integration: string, entry: Entry): void => {
    const key = `${entry.commandId} ${integration}`;
    const others = joint.get(key);
    if (others !== undefined) return void others.push(entry);
    joint.set(key, [entry]);
    // After the other sends of this command: their turns were asked for before this one began.
    queueMicrotask(() => {
      const entries = joint.get(key) ?? [];
      joint.delete(key);
      laneOf(integration).add(messagesOrNone(entries), entry.way.pace);
    });
  };
  return {
    /**
     * Sends in its turn and resolves with what the integration knows of the arrival; `undefined` if it was not to be sent
     * any more when its turn came.
     */
    send: (integration: string, one: Omit<Entry, 'resolve' | 'reject'>): Promise<SendEvidence | undefined> =>
      new Promise((resolve, reject) => {
        const entry = { ...one, resolve, reject };
        if (one.way.sendGroup === undefined) laneOf(integration).add([[entry]], one.way.pace);
        else gather(integration, entry);
      }),
    /** Ends every timer. What waits is never sent. */
    stop: (): void => {
      for (const lane of lanes.values()) lane.stop();
    },
  };
}

/** The parts that the integration can send as one message each, and each of the others by itself. */
function messagesOf(entries: readonly Entry[]): readonly Message[] {
  const [first] = entries;
  const findGroups = first?.way.findGroups;
  // Whether a single one is still needed is found out later.
  if (findGroups === undefined || entries.length === 1) return [entries];
  const wanted = entries.flatMap((entry) => {
    const request = entry.request();
    if (request === undefined) entry.resolve(undefined);
    return request === undefined ? [] : [[request, entry] as const];
  });
  const entryOf = new Map(wanted);
  const groups = wanted.length < 2 ? [] : findGroups([...entryOf.keys()]);
  const grouped = groups.map((requests) => requests.flatMap((request) => entryOf.get(request) ?? []));
  const inGroups = new Set(grouped.flat());
  return [...grouped, ...[...entryOf.values()].filter((entry) => !inGroups.has(entry)).map((entry) => [entry])];
}

/** Nobody catches what is thrown here: those who wait for the commands learn of it. */
function messagesOrNone(entries: readonly Entry[]): readonly Message[] {
  try {
    return messagesOf(entries);
  } catch (cause) {
    for (const entry of entries) entry.reject(cause);
    return [];
  }
}

type Lane = ReturnType<typeof createLane>;

/** Lets so many messages out in a time. The commands that wait take turns, so that a scene holds up no switch. */
function createLane({ clock, startTimer }: { readonly clock: Clock; readonly startTimer: StartTimer }) {
  const waiting = new Map<CommandId, Message[]>();
  /** When the last messages went out, as many as the pace allows in its time. */
  let sentAtMs: number[] = [];
  let stopTimer: (() => void) | undefined;
  let pace: Pace | undefined;

  const next = (): Message | undefined => {
    for (const [id, messages] of waiting) {
      const message = messages.shift();
      waiting.delete(id);
      if (messages.length > 0) waiting.set(id, messages);
      if (message !== undefined) return message;
    }
    return undefined;
  };
  /** Sends the message; false if nothing of it went out. One that fails tells those who wait for it, and no others. */
  const sendMessage = (message: Message): boolean => {
    try {
      return trySendMessage(message);
    } catch (cause) {
      for (const entry of message) entry.reject(cause);
      return false;
    }
  };
  const trySendMessage = (message: Message): boolean => {
    const wanted = message.flatMap((entry) => {
      const request = entry.request();
      if (request === undefined) entry.resolve(undefined);
      return request === undefined ? [] : [{ entry, request }];
    });
    if (wanted.length > 0 && wanted.length < message.length && message[0]?.way.findGroups !== undefined) {
      // The group would reach a device that is not meant any more.
      const [{ entry: first }] = wanted as [(typeof wanted)[number]];
      const singles = wanted.map(({ entry }) => [entry]);
      waiting.set(first.commandId, [...singles, ...(waiting.get(first.commandId) ?? [])]);
      return false;
    }
    const leavesFirst = message[0]?.way.answersLater === true;
    if (leavesFirst) transmit(wanted);
    for (const { entry, request } of wanted) entry.begin(request);
    if (!leavesFirst) transmit(wanted);
    return wanted.length > 0;
  };
  const release = (): void => {
    stopTimer?.();
    stopTimer = undefined;
    while (waiting.size > 0) {
      const nowMs = clock.monotonicMs();
      if (pace !== undefined && sentAtMs.length >= pace.messages) {
        const waitMs = (sentAtMs[0] ?? 0) + pace.everyMs - nowMs;
        if (waitMs > 0) {
          stopTimer = startTimer(waitMs, release);
          return;
        }
      }
      const message = next();
      if (message === undefined || !sendMessage(message) || pace === undefined) continue;
      sentAtMs = [...sentAtMs, nowMs].slice(-pace.messages);
    }
  };
  return {
    add: (messages: readonly Message[], wanted: Pace | undefined): void => {
      pace = wanted;
      for (const message of messages) {
        const id = message[0]?.commandId;
        if (id === undefined) continue;
        const others = waiting.get(id);
        if (others === undefined) waiting.set(id, [message]);
        else others.push(message);
      }
      release();
    },
    stop: (): void => {
      stopTimer?.();
      waiting.clear();
    },
  };
}

type Begun = { readonly entry: Entry; readonly request: DeviceCommand };

function transmit(begun: readonly Begun[]): void {
  const way = begun[0]?.entry.way;
  if (way === undefined) return;
  try {
    const requests = begun.map(({ request }) => request);
    const isGroup = way.sendGroup !== undefined && requests.length > 1;
    const outcomes = isGroup ? way.sendGroup(requests) : requests.map(way.send);
    for (const [index, { entry }] of begun.entries()) {
      const outcome = outcomes[index];
      if (outcome === undefined)
        entry.reject(new Error('the integration left a command of a group without an outcome'));
      else entry.resolve(outcome);
    }
  } catch (cause) {
    for (const { entry } of begun) entry.reject(cause);
  }
}
