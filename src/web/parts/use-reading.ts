import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

export type Reading<Value> = {
  /** Absent until the hub has answered. A later fault keeps the last value. */
  readonly value: Value | undefined;
  readonly fault: string | undefined;
  /** The hub says that there is no such thing: to ask again is of no use. */
  readonly isGone?: boolean;
  readonly again: () => Promise<void>;
};

type Options<Value, Raw> = {
  /** Also reads again and again while the page is visible. */
  readonly everyMs?: number | undefined;
  /** Also reads again when this changes. */
  readonly at?: number | undefined;
  /** What of an answer is shown: the same function each time. */
  readonly shown?: ((answer: Raw) => Value) | undefined;
};
/** Reads something of the hub: when the page is opened, when asked, and when a hub that was away is back. */
export function useReading<Value, Raw = Value>(
  path: string,
  { everyMs, at, shown }: Options<Value, Raw> = {},
): Reading<Value> {
  const { client, live } = useHub();
  const [value, setValue] = useState<Value>();
  const [fault, setFault] = useState<string>();
  const [isGone, setIsGone] = useState(false);
  const latest = useRef(0);
  const again = useCallback(async () => {
    const turn = (latest.current += 1);
    let read: Raw | undefined;
    let isMissing = false;
    const words = await wordsIfRefused(async () => {
      try {
        read = await client.call<Raw>('GET', path);
      } catch (cause) {
        isMissing = cause instanceof HubProblem && cause.status === 404;
        throw cause;
      }
    });
    // A later request has been answered already: this answer is older.
    if (turn !== latest.current) return;
    setFault(words);
    setIsGone(isMissing);
    if (words === undefined)
      setValue(read === undefined || shown === undefined ? (read as Value | undefined) : shown(read));
  }, [client, path, shown]);
  useEffect(() => void again(), [again, at]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    const timer = setInterval(() => {
      if (!document.hidden) void again();
    }, everyMs);
    return () => clearInterval(timer);
  }, [again, everyMs]);
  const isConnected = live.isConnected.value;
  const hasFailed = fault !== undefined;
  useEffect(() => {
    if (isConnected === true && hasFailed) void again();
    // Once for each time that it comes back, not for each fault.
  }, [isConnected]);
  return { value, fault, isGone, again };
}
