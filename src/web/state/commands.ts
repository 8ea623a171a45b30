import type { Feature } from '#web/client/api.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { problemWords, resultWords } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { type CommandBar, createCommandBar } from './command-bar.ts';
import { createCommandEnds, type Ended } from './command-ends.ts';
import { featureOf } from '#web/state/device/device-facts.ts';
import type { DeviceEntry, PendingValue } from './home-state.ts';
import type { Messages } from './messages.ts';
import { dropOnceReported, dropPending, markPending, putPending, type Spot } from './pending-values.ts';

export type Commands = {
  /**
   * Asks for a value and shows it at once. While one command for the feature is under way only the last of the further
   * ones is kept, so that a slider can be dragged fast; `isPassing` marks the values in between.
   */
  readonly set: (
    entry: DeviceEntry,
    key: string,
    wanted: { readonly value: unknown; readonly isPassing?: boolean },
  ) => void;
  /** Turns several devices on or off, with one command for all of which the feature has the same key. */
  readonly turn: (entries: readonly DeviceEntry[], value: boolean, title: string) => void;
  /** What several devices did together, see there. */
  readonly bar: CommandBar;
  readonly act: (entry: DeviceEntry, action: Pick<Feature, 'key' | 'name'>) => void;
  readonly takeEvent: (event: HubEvent) => void;
};

/** How long the hub waits for the end of a command; an event reports a later end. */
const OUTCOME_WAIT_S = 2;
/** After this long people wonder whether their tap was seen. */
const SENDING_MS = 1_000;
/** The report of a command that is confirmed comes with the events, before its answer or just after. */
const REPORT_WITHIN_MS = 1_500;
const FAULT_SHOWN_MS = 9_000;
const PASSING_EVERY_MS = 150;

type Show = (entry: DeviceEntry, words: string) => void;
type CommandClient = Pick<HubClient, 'command' | 'commandAll' | 'give'>;

type CommandsDeps = {
  readonly client: CommandClient;
  readonly messages: Messages;
  readonly nameOf: (selector: string) => string;
  /** Called when a command had no answer: the connection for events may be dead too. */
  readonly onNoAnswer: () => void;
};

export function createCommands(deps: CommandsDeps): Commands {
  const { client, messages } = deps;
  const ends = createCommandEnds();
  const { fail, mark, refuse } = createFaults(deps);
  const bar = createCommandBar({ ...deps, ends });

  const finishWith =
    (show: Show) =>
    (spot: Spot, pending: PendingValue, ended: Ended): void => {
      if (ended.status === 'confirmed') return dropOnceReported(spot, pending, REPORT_WITHIN_MS);
      dropPending(spot, pending);
      const words = endWords(ended, spot.entry.device.peek().name);
      if (words !== undefined) show(spot.entry, words);
    };
  const finish = finishWith(fail);
  /** The bar says it in one line for all of them. */
  const finishQuietly = finishWith(mark);
  const send = async (spot: Spot, { value, isPassing }: Wanted): Promise<void> => {
    const { entry, key } = spot;
    const pending: PendingValue = { value, stage: 'asked' };
    putPending(spot, pending);
    try {
      const sent = client.command(entry.id, { set: { [key]: value } }, isPassing ? 0 : OUTCOME_WAIT_S);
      const answer = await telling([spot], pending, sent);
      if (answer.status === 'queued') markPending(spot, pending, 'waiting');
      ends.await(answer, (ended) => finish(spot, pending, ended));
    } catch (cause) {
      dropPending(spot, pending);
      refuse([entry], cause);
    }
  };
  const lanes = createCommandLanes(send);
  return {
    bar,
    set: (entry, key, { value, isPassing = false }) => {
      const spot = { entry, key };
      entry.fault.value = null;
      putPending(spot, { value, stage: 'asked' });
      lanes.push(spot, { value, isPassing });
    },
    turn: createTurn({ ...deps, bar, ends, refuse, finish: finishQuietly }),
    act: (entry, { key, name }) => {
      const device = entry.device.peek().name;
      entry.fault.value = null;
      const end = (ended: Ended): void => {
        // Few devices report an action as done: that it was sent is all the page can say.
        const words = ended.status === 'unconfirmed' ? undefined : endWords(ended, device);
        if (words === undefined) messages.show(pageWords.command.sent(device, name));
        else fail(entry, words);
      };
      client.command(entry.id, { do: key }, OUTCOME_WAIT_S).then(end, (cause: unknown) => refuse([entry], cause));
    },
    takeEvent: ends.takeEvent,
  };
}

type Finish = (spot: Spot, pending: PendingValue, ended: Ended) => void;
type TurnDeps = Pick<CommandsDeps, 'client'> & {
  readonly bar: CommandBar;
  readonly ends: ReturnType<typeof createCommandEnds>;
  readonly finish: Finish;
  readonly refuse: (entries: readonly DeviceEntry[], cause: unknown) => void;
};

function createTurn({ client, bar, ends, finish, refuse }: TurnDeps): Commands['turn'] {
  const send = async (
    spots: readonly Spot[],
    [key, value]: readonly [string, boolean],
    title: string,
  ): Promise<void> => {
    const pending: PendingValue = { value, stage: 'asked' };
    for (const spot of spots) putPending(spot, pending);
    const targets = { devices: spots.map(({ entry }) => entry.id) };
    try {
      const answer = await telling(
        spots,
        pending,
        client.commandAll(targets, { set: { [key]: value } }, OUTCOME_WAIT_S),
      );
      bar.show(title, answer);
      ends.await(answer, ({ results }) => {
        for (const spot of spots) {
          const { id, selector } = spot.entry.device.peek();
          const own = results.filter(({ device }) => device === selector || device === id);
          finish(spot, pending, { status: own[0]?.status ?? 'superseded', results: own });
        }
      });
    } catch (cause) {
      for (const spot of spots) dropPending(spot, pending);
      refuse(
        spots.map(({ entry }) => entry),
        cause,
      );
    }
  };
  return (entries, value, title) => {
    const spots = entries.map((entry) => ({ entry, key: featureOf(entry.device.peek(), 'on')?.key ?? 'on' }));
    for (const key of new Set(spots.map((spot) => spot.key))) {
      const own = spots.filter((spot) => spot.key === key);
      void send(own, [key, value], title);
    }
  };
}

/** Waits for the answer, and marks the pending values as `sending` when it takes long. */
async function telling<Answer>(
  spots: readonly Spot[],
  pending: PendingValue,
  answer: Promise<Answer>,
): Promise<Answer> {
  const markAll = (stage: PendingValue['stage']): void => {
    for (const spot of spots) markPending(spot, pending, stage);
  };
  const timer = setTimeout(() => markAll('sending'), SENDING_MS);
  try {
    const answered = await answer;
    markAll('asked');
    return answered;
  } finally {
    clearTimeout(timer);
  }
}

/** Shows failed commands, for a while on the card and in a message. */
function createFaults({ messages, onNoAnswer }: Pick<CommandsDeps, 'messages' | 'onNoAnswer'>) {
  const mark: Show = (entry, words) => {
    entry.fault.value = words;
    setTimeout(() => {
      if (entry.fault.peek() === words) entry.fault.value = null;
    }, FAULT_SHOWN_MS);
  };
  const fail: Show = (entry, words) => {
    mark(entry, words);
    messages.show(words, 'danger');
  };
  /** The hub refused the command, or did not answer: then it is unknown whether it was done. */
  const refuse = (entries: readonly DeviceEntry[], cause: unknown): void => {
    if (cause instanceof HubProblem) {
      const [only] = entries.length === 1 ? entries : [];
      const words = problemWords(cause, only?.device.peek().name);
      if (only === undefined) messages.show(words, 'danger');
      else fail(only, words);
      return;
    }
    if (!(cause instanceof TypeError)) throw cause;
    for (const entry of entries) mark(entry, pageWords.command.notConfirmed);
    messages.show(pageWords.command.noAnswer, 'danger');
    onNoAnswer();
  };
  return { fail, mark, refuse };
}

/** The words for how a command ended; `undefined` if it went well. */
function endWords({ status, results }: Ended, name: string): string | undefined {
  const told = results.find(({ reason }) => reason !== undefined) ?? {};
  const why = resultWords(told) ?? pageWords.problem.unknown;
  if (status === 'failed') return pageWords.command.failed(name, why);
  if (status === 'unconfirmed') return pageWords.command.unconfirmed(name);
  return status === 'expired' ? pageWords.command.expired(name) : undefined;
}

type Wanted = { readonly value: unknown; readonly isPassing: boolean };
type Lane = { next: Wanted | undefined; isBusy: boolean };

/** Sends one command at a time for each feature. Of the values set in the meantime only the last is sent. */
export function createCommandLanes(send: (spot: Spot, wanted: Wanted) => Promise<void>): {
  readonly push: (spot: Spot, wanted: Wanted) => void;
} {
  const lanes = new WeakMap<DeviceEntry, Map<string, Lane>>();

  const laneOf = ({ entry, key }: Spot): Lane => {
    const own = lanes.get(entry) ?? new Map<string, Lane>();
    lanes.set(entry, own);
    const lane = own.get(key) ?? { next: undefined, isBusy: false };
    own.set(key, lane);
    return lane;
  };
  const run = async (spot: Spot, lane: Lane): Promise<void> => {
    lane.isBusy = true;
    try {
      while (lane.next !== undefined) {
        const wanted = lane.next;
        lane.next = undefined;
        const pause = wanted.isPassing ? new Promise((resolve) => setTimeout(resolve, PASSING_EVERY_MS)) : undefined;
        await send(spot, wanted);
        await pause;
      }
    } finally {
      lane.isBusy = false;
      // An answer that nobody understands must not hold up the next value, also one that waits already.
      if (lane.next !== undefined) void run(spot, lane);
    }
  };
  return {
    push: (spot, wanted) => {
      const lane = laneOf(spot);
      lane.next = wanted;
      if (!lane.isBusy) void run(spot, lane);
    },
  };
}
