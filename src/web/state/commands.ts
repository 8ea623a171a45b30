import type { HubClient } from '#web/client/hub-client.ts';
import type { Feature } from '#web/client/home.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import { t } from '#web/strings/strings.ts';
import { problemWords } from '#web/strings/problem-words.ts';
import type { DeviceEntry, Wish } from './home-state.ts';
import type { Messages } from './messages.ts';
import { createCommandEnds, type Ended } from './command-ends.ts';
import { createCommandLanes, type Wanted } from './command-lanes.ts';
import { dropOnceReported, dropWish, markWaiting, putWish, type Spot } from './wishes.ts';

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
  /** The same for all of these devices, which have that feature; one command. */
  readonly setAll: (entries: readonly DeviceEntry[], key: string, value: unknown) => void;
  readonly act: (entry: DeviceEntry, action: Pick<Feature, 'key' | 'name'>) => void;
  readonly takeEvent: (event: HubEvent) => void;
};

const OUTCOME_WAIT_S = 4;
/** The report of a command that is confirmed comes with the events, before its answer or just after. */
const REPORT_WITHIN_MS = 1_500;
const FAULT_SHOWN_MS = 9_000;

type CommandClient = Pick<HubClient, 'command' | 'commandAll'>;

export function createCommands(client: CommandClient, messages: Messages): Commands {
  const ends = createCommandEnds();

  const fail = (entry: DeviceEntry, words: string): void => {
    entry.fault.value = words;
    setTimeout(() => {
      if (entry.fault.peek() === words) entry.fault.value = null;
    }, FAULT_SHOWN_MS);
    messages.show(words, 'danger');
  };
  const finish = (spot: Spot, wish: Wish, ended: Ended): void => {
    if (ended.status === 'confirmed') return dropOnceReported(spot, wish, REPORT_WITHIN_MS);
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
      if (answer.status === 'queued') markWaiting(spot, wish);
      ends.await(answer, (ended) => finish(spot, wish, ended));
    } catch (cause) {
      dropWish(spot, wish);
      fail(entry, wordsFor(cause, entry));
    }
  };
  const lanes = createCommandLanes(send);
  return {
    set: (entry, key, { value, isPassing = false }) => {
      const spot = { entry, key };
      entry.fault.value = null;
      putWish(spot, { value, isWaiting: false });
      lanes.push(spot, { value, isPassing });
    },
    setAll: (entries, key, value) => {
      const wish: Wish = { value, isWaiting: false };
      for (const entry of entries) putWish({ entry, key }, wish);
      client.commandAll({ devices: entries.map(({ id }) => id) }, { set: { [key]: value } }, OUTCOME_WAIT_S).then(
        (answer) =>
          ends.await(answer, ({ results }) => {
            for (const entry of entries) {
              const { id, selector } = entry.device.peek();
              const own = results.filter(({ device }) => device === selector || device === id);
              finish({ entry, key }, wish, { status: own[0]?.status ?? 'superseded', results: own });
            }
          }),
        (cause: unknown) => {
          for (const entry of entries) dropWish({ entry, key }, wish);
          messages.show(wordsFor(cause), 'danger');
        },
      );
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
    takeEvent: ends.takeEvent,
  };
}

/** What is to be said of how a command ended; nothing where it went as it should. */
function endWords({ status, results }: Ended, name: string): string | undefined {
  const why = results.find(({ reason }) => reason !== undefined)?.reason ?? t.problem.unknown;
  if (status === 'failed') return t.command.failed(name, why);
  if (status === 'unconfirmed') return t.command.unconfirmed(name);
  return status === 'expired' ? t.command.expired(name) : undefined;
}

function wordsFor(cause: unknown, entry?: DeviceEntry): string {
  if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
  return problemWords(cause, entry?.device.peek().name);
}
