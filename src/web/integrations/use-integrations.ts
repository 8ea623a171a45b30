import { useEffect } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { type Reading, useReading } from '#web/parts/use-reading.ts';
import type { Integration } from './integration.ts';

/** As they are now: read again whenever one of them changes. */
export function useIntegrations(): Reading<readonly Integration[]> {
  const { events } = useHub();
  const reading = useReading<readonly Integration[]>('/integration');
  const { again } = reading;
  useEffect(
    () =>
      events.listen(({ type }) => {
        if (type === 'integration.changed') void again();
      }),
    [events, again],
  );
  return reading;
}
