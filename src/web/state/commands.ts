import type { CommandAnswer, HubClient } from '#web/client/hub-client.ts';
import type { Feature } from '#web/client/home.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import { t } from '#web/strings/strings.ts';
import { problemWords } from '#web/strings/problem-words.ts';
import type { DeviceEntry, Wish } from './home-state.ts';
import type { Messages } from './messages.ts';
import { dropWish, markWaiting, putWish, type Spot } from './wishes.ts';

export type Commands = {
  /**
   * Asks for a value and shows it at once. While one command for the feature is under way only the last of the further
   * ones is kept, so that a slider can be dragged as fast as one likes; `isPassing` marks those on the way.
   */
  readonly set: (
    entry: DeviceEntry,
    key: string,
    wanted: { readonly value: unknown; readonly isPassing?: boolean },
  ) => void;
  readonly act: (entry: DeviceEntry, action: Pick<Feature, 'key' | 'name'>) => void;
  readonly takeEvent: (event: HubEvent) => void;
};

type Wanted = { readonly value: unknown; readonly isPassing: boolean };
type Ended = { readonly status: string; readonly results: CommandAnswer['results'] };
type Lane = { next: Wanted | undefined; isBusy: boolean };

const OUTCOME_WAIT_S = 4;
/** The report of a command that is confirmed comes with the events, before its answer or just after. */
const REPORT_WITHIN_MS = 1_500;
const FAULT_SHOWN_MS = 9_000;
const PASSING_EVERY_MS = 150;
const OVER = new Set(['confirmed', 'unconfirmed', 'failed', 'superseded', 'expired']);

export function createCommands(client: Pick<HubClient, 'command'>, messages: Messages): Commands {
  const lanes = new WeakMap<DeviceEntry, Map<string, Lane>>();
  /** Commands whose end was not told with their answer. */
  const open = new Map<string, (ended: Ended) => void>();

  const fail = (entry: DeviceEntry, words: string): void => {
    entry.fault.value = words;
    setTimeout(() => {
      if (entry.fault.peek() === words) entry.fault.value = null;
    }, FAULT_SHOWN_MS);
    messages.show(words, 'danger');
  };
  const finish = (spot: Spot, wish: Wish, ended: Ended): void => {
    if (ended.status === 'confirmed') {
      setTimeout(() => dropWish(spot, wish), REPORT_WITHIN_MS);
      return;
    }
    dropWish(spot, wish);
    const words = endWords(ended, spot.entry.device.peek().name);
    if (words !== undefined) fail(spot.entry, words);
  };
  const send = async (spot: Spot, { value, isPassing }: Wanted): Promise<void> => {
    const { entry, key } = spot;
    const wish: Wish = { value, isWaiting: false };
    putWish(spot, wish);
    try {
      const answer = await client.command(entry.id, { set: { [key]: value } }, isPassing ? 0 : OUTCOME_WAIT_S);
      if (OVER.has(answer.status)) return finish(spot, wish, answer);
      if (answer.status === 'queued') markWaiting(spot, wish);
      open.set(answer.id, (ended) => finish(spot, wish, ended));
    } catch (cause) {
      dropWish(spot, wish);
      fail(entry, wordsFor(cause, entry));
    }
  };
  const run = async (spot: Spot, lane: Lane): Promise<void> => {
    lane.isBusy = true;
    while (lane.next !== undefined) {
      const wanted = lane.next;
      lane.next = undefined;
      const pause = wanted.isPassing ? new Promise((resolve) => setTimeout(resolve, PASSING_EVERY_MS)) : undefined;
      await send(spot, wanted);
      await pause;
    }
    lane.isBusy = false;
  };
  const laneOf = ({ entry, key }: Spot): Lane => {
    const own = lanes.get(entry) ?? new Map<string, Lane>();
    lanes.set(entry, own);
    const lane = own.get(key) ?? { next: undefined, isBusy: false };
    own.set(key, lane);
    return lane;
  };
  return {
    set: (entry, key, { value, isPassing = false }) => {
      const spot = { entry, key };
      const lane = laneOf(spot);
      entry.fault.value = null;
      putWish(spot, { value, isWaiting: false });
      lane.next = { value, isPassing };
      if (!lane.isBusy) void run(spot, lane);
    },
    act: (entry, { key, name }) => {
      const device = entry.device.peek().name;
      entry.fault.value = null;
      const end = (ended: Ended): void => {
        // Few devices report what they have done: that it was sent is all there is to tell.
        const words = ended.status === 'unconfirmed' ? undefined : endWords(ended, device);
        if (words === undefined) messages.show(t.command.told(device, name));
        else fail(entry, words);
      };
      client.command(entry.id, { do: key }, OUTCOME_WAIT_S).then(end, (cause) => fail(entry, wordsFor(cause, entry)));
    },
    takeEvent: ({ type, data }) => {
      if (type === 'hub.gap') open.clear();
      if (type !== 'command.changed') return;
      const { command } = data as { readonly command: CommandAnswer };
      if (!OVER.has(command.status)) return;
      open.get(command.id)?.(command);
      open.delete(command.id);
    },
  };
}

/** What is to be said of how a command ended; nothing where it went as it should. */
function endWords({ status, results }: Ended, name: string): string | undefined {
  const why = results.find(({ reason }) => reason !== undefined)?.reason ?? t.problem.unknown;
  if (status === 'failed') return t.command.failed(name, why);
  if (status === 'unconfirmed') return t.command.unconfirmed(name);
  return status === 'expired' ? t.command.expired(name) : undefined;
}

function wordsFor(cause: unknown, entry: DeviceEntry): string {
  if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
  return problemWords(cause, entry.device.peek().name);
}
