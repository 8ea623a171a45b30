import { useEffect, useRef } from 'preact/hooks';
import type { Integration, IntegrationFound } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { type Reading, useReading } from '#web/parts/use-reading.ts';

export const INTEGRATION_CHANGES = /^integration\.(?:added|changed|removed)$/;

/** The integrations as they are now: read again whenever one of them changes. */
export function useIntegrations(): Reading<readonly Integration[]> {
  return useFresh('/integration', INTEGRATION_CHANGES);
}

/** Reads what the hub has discovered and is no integration yet; or of that, what a person does not want to see. */
export function useDiscoveries(isIgnored: boolean): Reading<readonly IntegrationFound[]> {
  return useFresh(`/integration_found${isIgnored ? '?ignored=true' : ''}`, /^integration\.(?:added|removed|found)$/);
}

/** A network may show hundreds of things at once: they are read together. */
const GATHER_MS = 200;

/** Read again after events of these types, and when a hub that was away is back. */
export function useFresh<Value>(path: string, types: RegExp, shown?: (answer: never) => Value): Reading<Value> {
  const { events, live } = useHub();
  const reading = useReading<Value, never>(path, { shown });
  const { again } = reading;
  const isConnected = live.isConnected.value === true;
  const wasConnected = useRef(isConnected);
  useEffect(() => {
    // Also after each interruption: the event of a change may have been lost with the connection.
    if (isConnected && !wasConnected.current) void again();
    wasConnected.current = isConnected;
  }, [isConnected, again]);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = events.listen(({ type }) => {
      if (!types.test(type) || timer !== undefined) return;
      timer = setTimeout(() => {
        timer = undefined;
        void again();
      }, GATHER_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [events, again]);
  return reading;
}

/** True for an integration that was never set up: it is not a fault that it is not connected. */
export function isNotSetUp({ status, is_set_up: isSetUp }: Pick<Integration, 'status' | 'is_set_up'>): boolean {
  return !isSetUp && status !== 'connected';
}
