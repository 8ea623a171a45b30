import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type {
  AvailabilityChangedData,
  CommandChangedData,
  FeatureChangedData,
  Timeline,
  TimelineLine,
} from '#web/client/api.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { isMeasured } from '#web/history/log-words.ts';

export type DeviceLog = {
  /** The newest first; `null` until the first ones are there. */
  readonly lines: readonly TimelineLine[] | null;
  readonly isBusy: boolean;
  readonly fault: string | undefined;
  /** There may be older ones. */
  readonly goesOn: boolean;
  readonly readOn: () => void;
};

type State = Pick<DeviceLog, 'lines' | 'isBusy' | 'fault'> & { readonly next: string | null };
const NOTHING: State = { lines: null, next: null, isBusy: true, fault: undefined };
const LINES = 50;
/** The logbook has the line of a change a moment after the change. */
const LATER_MS = 1_500;

/** The logbook of a device; goes on by itself. For those who may read the history. */
export function useDeviceLog(entry: DeviceEntry, canRead: boolean): DeviceLog {
  const { client, events } = useHub();
  const [state, setState] = useState(NOTHING);
  const known = useRef(state);
  known.current = state;
  const { id } = entry;
  const read = useCallback(
    async (more: string, join: (answer: Timeline) => Pick<State, 'lines' | 'next'>): Promise<void> => {
      const fault = await wordsIfRefused(async () => {
        const answer = await client.call<Timeline>('GET', `/history/timeline?device=${id}&limit=${LINES}${more}`);
        setState({ ...join(answer), isBusy: false, fault: undefined });
      });
      if (fault !== undefined) setState((last) => ({ ...last, isBusy: false, fault }));
    },
    [client, id],
  );
  useEffect(() => {
    setState(NOTHING);
    if (!canRead) return undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const readNews = (): void => {
      timer = undefined;
      const { lines, next } = known.current;
      const [newest] = lines ?? [];
      if (newest === undefined) return void read('', (answer) => answer);
      void read(`&from=${encodeURIComponent(newest.at)}`, (answer) => {
        // With more news than an answer holds, the known lines are not the next ones.
        if (answer.next !== null) return answer;
        const older = (lines ?? []).filter(({ at }) => at < newest.at);
        return { lines: [...answer.lines, ...older], next };
      });
    };
    const stop = events.listen((event) => {
      if (isWorthALine(event, entry)) timer ??= setTimeout(readNews, LATER_MS);
    });
    void read('', (answer) => answer);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [events, entry, canRead, read]);
  return {
    ...state,
    goesOn: state.next !== null,
    readOn: () => {
      const { lines, next, isBusy } = state;
      if (isBusy || next === null) return;
      setState({ ...state, isBusy: true });
      void read(`&cursor=${encodeURIComponent(next)}`, (answer) => ({
        lines: [...(lines ?? []), ...answer.lines],
        next: answer.next,
      }));
    },
  };
}

type Data = Partial<FeatureChangedData & AvailabilityChangedData & CommandChangedData>;

/** Not what a device measures: a meter may report each second. */
function isWorthALine({ data }: HubEvent, { id, device: own }: DeviceEntry): boolean {
  const { device, feature, command } = data as Data;
  const { selector } = own.peek();
  if (command !== undefined) {
    const isOver = command.finished_at !== null;
    return isOver && (command.device === selector || command.results.some(({ device: one }) => one === selector));
  }
  return device?.id === id && !isMeasured(feature, own.peek());
}
