import { isJsonObject, parseJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import type { TurnQueue } from '#base/turn-queue.ts';
import type { HubIdentityStore } from '#core/hub-identity.ts';
import { type Location, roundLocation } from './place.ts';

/** The location that a person gave. It is in backups, and leaves the hub in no other way than by its own calls. */
export type LocationRecord = Awaited<ReturnType<typeof openLocationRecord>>;

const LOCATION = 'hub_location';

type Deps = { readonly store: HubIdentityStore; readonly turn: TurnQueue; readonly log: Log };

/** Reads the location, which from then on changes only here. */
export async function openLocationRecord({ store, turn, log }: Deps) {
  let present = readLocation((await store.loadMeta()).get(LOCATION) ?? '');
  const listeners = createSubscribers<[]>(log);
  return {
    location: (): Location | undefined => present,
    /** `null` forgets it. Rounded, and on disk when it resolves. Throws what `authorize` throws. */
    set: (location: Location | null, authorize: () => unknown): Promise<void> =>
      turn(async () => {
        authorize();
        const next = location === null ? undefined : roundLocation(location);
        await store.putMeta(new Map([[LOCATION, next === undefined ? '' : JSON.stringify(next)]]));
        present = next;
        listeners.tell();
      }),
    subscribe: listeners.add,
  };
}

/** `undefined` for text that is damaged, which counts as never given. */
function readLocation(text: string): Location | undefined {
  const value = parseJson(text);
  if (!isJsonObject(value)) return undefined;
  const { latitude, longitude, elevationM = null } = value;
  const isDegree = (one: unknown, most: number): one is number => typeof one === 'number' && Math.abs(one) <= most;
  if (!isDegree(latitude, 90) || !isDegree(longitude, 180)) return undefined;
  if (elevationM !== null && typeof elevationM !== 'number') return undefined;
  return { latitude, longitude, elevationM };
}
