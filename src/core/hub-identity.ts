import type { Log } from '#base/log.ts';
import { createSubscribers } from '#base/subscribers.ts';
import { createTimeZone, type TimeZone } from '#base/time/time-zone.ts';
import { createTurnQueue } from '#base/turn-queue.ts';

/** The identity has the name of the hub, its place in time, and the id that distinguishes it from every other hub. */
export type HubIdentity = Awaited<ReturnType<typeof openHubIdentity>>;

type HubChange = { readonly name?: string; readonly timeZone?: string; readonly language?: string | null };

/** The store keeps the identity as text by key. */
export type HubIdentityStore = {
  readonly loadMeta: () => Promise<ReadonlyMap<string, string>>;
  readonly putMeta: (entries: ReadonlyMap<string, string>) => Promise<void>;
};

const ID = 'hub_id';
const NAME = 'hub_name';
const TIME_ZONE = 'time_zone';
/** Empty where a person took it back. */
const LANGUAGE = 'language';
/** The version that wrote the state last; each backup has it with everything else. */
export const HUB_VERSION_META = 'hub_version';

type Present = { readonly version: string; readonly newId: () => string; readonly log: Log };

/** The zone that a person set, or else that of the machine. */
export function timeZoneFrom(meta: ReadonlyMap<string, string>): TimeZone {
  return openTimeZone(meta.get(TIME_ZONE));
}

/** Takes up the identity of the last run; a new hub gets an id for ever and a plain name. */
export async function openHubIdentity(store: HubIdentityStore, { version, newId, log }: Present) {
  const meta = await store.loadMeta();
  const id = meta.get(ID) ?? newId();
  let name = meta.get(NAME) ?? 'Home';
  let language = meta.get(LANGUAGE) || null;
  const news = new Map([
    ...(meta.has(ID)
      ? []
      : ([
          [ID, id],
          [NAME, name],
        ] as const)),
    ...(meta.get(HUB_VERSION_META) === version ? [] : ([[HUB_VERSION_META, version]] as const)),
  ]);
  if (news.size > 0) await store.putMeta(news);
  const keptZone = meta.get(TIME_ZONE);
  // Opened with its first use: Node's first time zone costs 8 MB of memory and 10 ms, which no start needs.
  let timeZone: TimeZone | undefined;
  const listeners = createSubscribers<[]>(log);
  const turn = createTurnQueue();
  return {
    identity: (): { readonly id: string; readonly name: string } => ({ id, name }),
    /** An IANA name; that of the machine until a person chooses another one. */
    timeZone: (): TimeZone => (timeZone ??= openTimeZone(keptZone)),
    /** In which the hub speaks where no person is asked: a tag of BCP 47, `null` until somebody chose. */
    language: (): string | null => language,
    /**
     * On disk when it resolves. Throws RangeError for a time zone that this machine does not know, and what `authorize`
     * throws, which runs right before the change.
     */
    update: (change: HubChange, authorize?: () => void): Promise<void> =>
      turn(async () => {
        authorize?.();
        const nextZone = change.timeZone === undefined ? undefined : createTimeZone(change.timeZone);
        const nextName = change.name ?? name;
        const nextLanguage = change.language === undefined ? language : change.language;
        const changed = new Map([
          ...(change.name === undefined ? [] : ([[NAME, nextName]] as const)),
          ...(change.timeZone === undefined ? [] : ([[TIME_ZONE, change.timeZone]] as const)),
          ...(change.language === undefined ? [] : ([[LANGUAGE, change.language ?? '']] as const)),
        ]);
        if (changed.size > 0) await store.putMeta(changed);
        name = nextName;
        language = nextLanguage;
        timeZone = nextZone ?? timeZone;
        if (nextZone !== undefined) listeners.tell();
      }),
    /** Called when the time zone changed. The returned function removes the listener. */
    subscribe: listeners.add,
  };
}

/** A zone that this machine does not know, as after a restore of a newer one's backup, counts as never chosen. */
function openTimeZone(name: string | undefined): TimeZone {
  try {
    if (name !== undefined) return createTimeZone(name);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
  }
  return createTimeZone(Intl.DateTimeFormat().resolvedOptions().timeZone);
}
