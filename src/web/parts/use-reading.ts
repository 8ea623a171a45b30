import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { hub } from '#web/strings/language/hub-words.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

export type Reading<Value> = {
  /** Absent until the hub has answered. A later fault keeps the last value. */
  readonly value: Value | undefined;
  readonly fault: string | undefined;
  readonly again: () => Promise<void>;
};

/** Answers with sentences that the hub always says in the same words. */
const OF_TEXTS = /^\/(?:integration_kind|automation_template)(?:\/[^/?]+)?$/;

/**
 * What a page shows of the hub: read when it is opened, when asked, and when a hub that was away is back; with
 * `everyMs` also again and again while the page is visible.
 */
export function useReading<Value>(path: string, everyMs?: number): Reading<Value> {
  const { client, live } = useHub();
  const [value, setValue] = useState<Value>();
  const [fault, setFault] = useState<string>();
  const latest = useRef(0);
  const again = useCallback(async () => {
    const turn = (latest.current += 1);
    let read: Value | undefined;
    const words = await wordsIfRefused(async () => (read = await client.call<Value>('GET', path)));
    // A later request has been answered already: this answer is older.
    if (turn !== latest.current) return;
    setFault(words);
    if (words === undefined) setValue(OF_TEXTS.test(path) ? hub.answer(read) : read);
  }, [client, path]);
  useEffect(() => void again(), [again]);
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
  return { value, fault, again };
}
