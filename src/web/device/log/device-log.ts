import { type ReadonlySignal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { CommandChangedData, DeviceRemovedData, EventPage } from '#web/client/api.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import type { LogEntry } from './log-words.ts';

const KEPT = 60;
/** How far back the hub is asked; it keeps some ten thousand events for all devices together. */
const LOOK_BACK = 3_000;

/** What an event is about, as far as it says so. */
type About = Partial<Pick<DeviceRemovedData, 'device'> & CommandChangedData>;

/** What has happened to a device lately, the newest first; goes on by itself. */
export function useDeviceLog(entry: DeviceEntry): ReadonlySignal<readonly LogEntry[]> {
  const { client, events, live } = useHub();
  const log = useSignal<readonly LogEntry[]>([]);
  useEffect(() => {
    let isOver = false;
    const add = (news: readonly HubEvent[]): void => {
      log.value = merged(log.peek(), news.filter((event) => isAbout(event, entry)).map(entryOf));
    };
    const stop = events.listen((event) => add([event]));
    const since = lookBackFrom(live.cursor());
    const readPast = async (): Promise<void> => {
      const page = await client.call<EventPage>('GET', `/event?device=${entry.id}&since=${since}&wait=0`);
      if (!isOver) add(page.events);
    };
    if (since !== undefined) readPast().catch(leaveAtThat);
    return () => {
      isOver = true;
      stop();
    };
  }, [client, events, live, entry, log]);
  return log;
}

/** Without past events the log begins now: not worth a message. */
function leaveAtThat(cause: unknown): void {
  if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
}

function lookBackFrom(cursor: string | undefined): string | undefined {
  if (cursor === undefined) return undefined;
  const [epoch = '', sequence] = cursor.split('-');
  return `${epoch}-${Math.max(0, Number(sequence) - LOOK_BACK)}`;
}

function entryOf(event: HubEvent): LogEntry {
  return { ...event, sequence: Number(event.id?.split('-')[1] ?? 0) };
}

function isAbout({ data }: HubEvent, { id, device: own }: DeviceEntry): boolean {
  const { device, command } = data as About;
  const { selector } = own.peek();
  if (command !== undefined)
    return command.device === selector || command.results.some(({ device: one }) => one === selector);
  return device?.id === id;
}

function merged(known: readonly LogEntry[], news: readonly LogEntry[]): readonly LogEntry[] {
  const bySequence = new Map([...known, ...news].map((entry) => [entry.sequence, entry]));
  return [...bySequence.values()].sort((one, other) => other.sequence - one.sequence).slice(0, KEPT);
}
