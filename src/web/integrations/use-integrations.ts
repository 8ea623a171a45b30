import { useEffect, useRef } from 'preact/hooks';
import type { Integration } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { type Reading, useReading } from '#web/parts/use-reading.ts';

/** The integrations as they are now: read again whenever one of them changes. */
export function useIntegrations(): Reading<readonly Integration[]> {
  const { events, live } = useHub();
  const reading = useReading<readonly Integration[]>('/integration');
  const { again } = reading;
  const isConnected = live.isConnected.value === true;
  const wasConnected = useRef(isConnected);
  useEffect(() => {
    // Also after each interruption: the event of a change may have been lost with the connection.
    if (isConnected && !wasConnected.current) void again();
    wasConnected.current = isConnected;
  }, [isConnected, again]);
  useEffect(
    () =>
      events.listen(({ type }) => {
        if (type === 'integration.changed') void again();
      }),
    [events, again],
  );
  return reading;
}

/** True for an integration that was never set up: it is not a fault that it is not connected. */
export function isNotSetUp({ status, is_set_up: isSetUp }: Pick<Integration, 'status' | 'is_set_up'>): boolean {
  return !isSetUp && status !== 'connected';
}
