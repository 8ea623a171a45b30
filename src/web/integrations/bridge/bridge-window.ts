import { useEffect, useRef, useState } from 'preact/hooks';
import type { Integration, PairingChangedData } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { endWords } from '#web/strings/kind-words.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { type SeenCodes, seenAfter } from './bridge-codes.ts';

/** Time to take a telephone and find the place in its app. */
const OPEN_S = 240;
/** No event tells that an app has named its home anew, or has removed the bridge. */
const LOOK_MS = 10_000;
const OPENING_MS = 10_000;

/** The time in which a bridge lets another home in, as this page knows it. */
type BridgeWindow = {
  /** By the clock of this browser; `null` while it is closed. */
  readonly closesMs: number | null;
  /** The hub has not yet said that it is open, or why it is not. */
  readonly isBusy: boolean;
  readonly fault: string | undefined;
  /** Why it has closed while this page was open; not if that was done here. */
  readonly ended: string | null;
  readonly open: () => void;
  readonly close: () => void;
};

/** Opens and closes a bridge, and reads it again when that may have changed. `again`: the same function each time. */
export function useBridgeWindow(
  { id, kind, pairing }: Omit<Integration, 'name'>,
  again: () => Promise<void>,
): BridgeWindow {
  const { client, events } = useHub();
  const [busy, setBusy] = useState<'opening' | 'closing' | null>(null);
  const [fault, setFault] = useState<string>();
  const [ended, setEnded] = useState<string | null>(null);
  const isClosing = useRef(false);
  const path = `/integration/${encodeURIComponent(id)}/pairing`;

  useEffect(() => {
    const stop = events.listen(({ type, data }) => {
      if (type !== 'pairing.changed') return;
      const { integration, pairing: now } = data as PairingChangedData;
      if (integration.id !== id) return;
      const isOwn = isClosing.current;
      isClosing.current = false;
      setEnded(now.step === 'closed' && !isOwn && typeof now.detail === 'string' ? endWords(kind, now) : null);
      void again().then(() => setBusy(null));
    });
    const timer = setInterval(() => {
      if (!document.hidden) void again();
    }, LOOK_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [events, id, again]);
  useEffect(() => {
    if (busy === null) return undefined;
    // The event may be lost with the connection.
    const timer = setTimeout(() => setBusy(null), OPENING_MS);
    return () => clearTimeout(timer);
  }, [busy]);

  const isBusy = busy !== null && (busy === 'opening') === (pairing === undefined);
  const send = async (method: 'POST' | 'DELETE'): Promise<void> => {
    if (isBusy) return;
    isClosing.current = method === 'DELETE';
    setBusy(isClosing.current ? 'closing' : 'opening');
    setEnded(null);
    const words = await wordsIfRefused(() =>
      client.call(method, path, method === 'POST' ? { seconds: OPEN_S } : undefined),
    );
    setFault(words);
    if (words === undefined) return again();
    isClosing.current = false;
    setBusy(null);
    return undefined;
  };
  return {
    closesMs: useClosing(pairing),
    isBusy,
    fault,
    ended,
    open: () => void send('POST'),
    close: () => void send('DELETE'),
  };
}

/** When the window closes; `null` while it is closed. */
function useClosing(pairing: Integration['pairing']): number | null {
  const seen = useRef<SeenCodes | null>(null);
  seen.current = pairing === undefined ? null : seenAfter(seen.current, pairing, Date.now());
  return seen.current?.closesMs ?? null;
}
