import { useEffect } from 'preact/hooks';
import type { Device, Feature } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';

const EVERY_MS = 60_000;

/** There is no event when a device was only heard again: this page reads those times from time to time. */
export function useFreshTimes(entry: DeviceEntry): void {
  const { client } = useHub();
  useEffect(() => {
    const read = async (): Promise<void> => {
      try {
        const read = await client.call<Device>('GET', `/device/${entry.id}`);
        entry.device.value = withTimesOf(read, entry.device.peek());
      } catch (cause) {
        // No connection, or removed in the meantime: the events say so.
        if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      }
    };
    void read();
    const timer = setInterval(() => document.hidden || void read(), EVERY_MS);
    return () => clearInterval(timer);
  }, [client, entry]);
}

/** Only the times: for everything else the events may be ahead of the answer. */
function withTimesOf(read: Device, shown: Device): Device {
  const observed = new Map(read.features.map((feature) => [feature.key, feature]));
  const features = shown.features.map((feature): Feature => {
    const fresh = observed.get(feature.key);
    const isSame = fresh?.changed_at === feature.changed_at && fresh.quality === feature.quality;
    return isSame ? { ...feature, observed_at: fresh.observed_at } : feature;
  });
  const { last_seen_at } = read.availability;
  return { ...shown, features, availability: { ...shown.availability, last_seen_at } };
}
