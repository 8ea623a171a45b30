import type { Runtime } from '#base/time/runtime.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import { createWorkSlices } from '#base/work-slices.ts';
import type { FoundThing } from '#core/integration/found-thing.ts';
import type { Discovery } from '#core/integration/instance.ts';
import { isVisibleName } from '#core/person/user.ts';
import { checkFields, type SettingsRules } from '#core/integration/settings-check.ts';
import type { IntegrationKind } from './kind.ts';
import type { BrowseMdns, MdnsChange, MdnsService } from './ports.ts';

type DiscoveriesDeps = Pick<Runtime, 'clock' | 'log'> & {
  readonly kinds: readonly IntegrationKind[];
  readonly browse: BrowseMdns;
  readonly rules: Pick<SettingsRules, 'isLanAddress' | 'isOwnAddress'>;
  /** The instance that the found thing already is; gives that its new address. */
  readonly meet: (kind: string, discovery: Discovery) => Promise<string | undefined>;
  readonly store: IgnoredStore;
  readonly onChange: (thing: FoundThing, isGone: boolean) => void;
  readonly newId: () => string;
};

/** People do not want to see these any more, by kind and thing. */
export type IgnoredStore = {
  readonly load: () => Promise<readonly string[]>;
  /** On disk when it resolves. */
  readonly save: (ignored: readonly string[]) => Promise<void>;
};

/** Things in the network that could become instances. */
export type Discoveries = {
  /** Begins to look; to be called once. The result ends it. */
  readonly start: () => () => void;
  /** In the order in which they were found, the ignored ones as well. */
  readonly things: () => readonly FoundThing[];
  readonly findDiscovery: (id: string) => { readonly kind: string; readonly discovery: Discovery } | undefined;
  /** On disk when it resolves. Throws what `authorize` throws; `undefined` if it is gone. */
  readonly ignore: (id: string, terms: { readonly authorize: () => void }) => Promise<FoundThing | undefined>;
  /** The same, the other way. */
  readonly restore: Discoveries['ignore'];
  /** Looks again which things are instances: one was added or removed, or lost its connection. */
  readonly review: () => void;
};

const MAX_THINGS = 200;
/** Announcements of one thing: it may have several services, and strangers may claim to be it. */
const MAX_SERVICES = 8;
const MAX_IGNORED = 500;
const MAX_NAME = 64;
const MAX_UNIQUE_ID = 128;
/** Events about things that come and go; beyond them only the list changes. */
const EVENTS = { capacity: 100, refillMs: 1_000, maxNames: 1 };

type Announced = { readonly discovery: Discovery; readonly address: string };
type Thing = {
  readonly id: string;
  readonly kind: string;
  readonly foundAtMs: number;
  /** By service; the first one says how the thing is shown and reached. */
  readonly announced: Map<string, Announced>;
  /** It is this instance, so it is not shown. */
  instance: string | undefined;
  /** As clients know it. */
  shown: FoundThing | undefined;
};

export async function openDiscoveries(deps: DiscoveriesDeps): Promise<Discoveries> {
  let ignored = new Set(await deps.store.load());
  const book = createBook(deps, (key) => ignored.has(key));
  const { things } = book;
  const tasks = createTasks(deps);
  const hear = (kind: IntegrationKind, { type, service }: MdnsChange): void => {
    const task = (): Promise<void> =>
      type === 'gone' ? book.forget(kind, serviceKey(service)) : book.take(kind, service);
    tasks.add(`${kind.id} ${serviceKey(service)}`, task);
  };
  const findKey = (id: string): string | undefined => [...things].find(([, thing]) => thing.shown?.id === id)?.[0];

  const change = (id: string, ignoredWith: (key: string) => readonly string[]): ReturnType<Discoveries['ignore']> =>
    tasks.inTurn(async () => {
      const key = findKey(id);
      const thing = things.get(key ?? '');
      if (key === undefined || thing === undefined) return undefined;
      const next = ignoredWith(key);
      await deps.store.save(next);
      ignored = new Set(next);
      book.show(key, thing);
      return thing.shown;
    });

  return {
    start: () => {
      const ending = new AbortController();
      for (const kind of deps.kinds) {
        for (const type of kind.discovery?.mdns ?? []) {
          deps.browse(type, (change) => hear(kind, change), ending.signal);
        }
      }
      return () => ending.abort();
    },
    things: () => [...things.values()].flatMap(({ shown }) => shown ?? []),
    findDiscovery: (id) => {
      const thing = things.get(findKey(id) ?? '');
      const [first] = thing?.announced.values() ?? [];
      return thing && first && { kind: thing.kind, discovery: first.discovery };
    },
    ignore: (id, { authorize }) =>
      change(id, (key) => {
        authorize();
        return [...[...ignored].filter((one) => one !== key).slice(1 - MAX_IGNORED), key];
      }),
    restore: (id, { authorize }) =>
      change(id, (key) => {
        authorize();
        return [...ignored].filter((one) => one !== key);
      }),
    review: () => tasks.add('review', book.meetAll),
  };
}

/** The things that are there, by what stays of them over a restart. Its tasks must not run at the same time. */
function createBook(deps: DiscoveriesDeps, isIgnored: (key: string) => boolean) {
  const things = new Map<string, Thing>();
  const mayTell = createTokenBuckets({ ...EVENTS, monotonicMs: deps.clock.monotonicMs });
  const faulty = new Set<string>();
  let dropped = 0;

  const show = (key: string, thing: Thing): void => {
    const [first] = thing.announced.values();
    const isHidden = first === undefined || thing.instance !== undefined;
    const old = thing.shown;
    thing.shown = isHidden ? undefined : shownThing(thing, first, isIgnored(key));
    if (first === undefined) things.delete(key);
    const told = thing.shown ?? old;
    const isSame = told === undefined || JSON.stringify(old) === JSON.stringify(thing.shown);
    if (!isSame && mayTell.take('')) deps.onChange(told, thing.shown === undefined);
  };
  const meet = async (key: string, thing: Thing): Promise<void> => {
    const [first] = thing.announced.values();
    if (first !== undefined) thing.instance = await deps.meet(thing.kind, first.discovery);
    show(key, thing);
  };
  const forget = async (kind: IntegrationKind, at: string, except?: string): Promise<void> => {
    for (const [key, thing] of things) {
      if (key !== except && thing.kind === kind.id && thing.announced.delete(at)) await meet(key, thing);
    }
  };
  /** Things that are instances have places of their own: a flood of others must not hide their new addresses. */
  const hasRoom = (): boolean => {
    if ([...things.values()].filter(({ instance }) => instance === undefined).length < MAX_THINGS) return true;
    dropped += 1;
    // Once for each power of ten: a stranger decides how often this happens.
    if (Number.isInteger(Math.log10(dropped))) deps.log.warn('too many things were found', { not_shown: dropped });
    return false;
  };
  return {
    things,
    show,
    /** The service is not there any more, or speaks for no other thing than `except`. */
    forget,
    take: async (kind: IntegrationKind, service: MdnsService): Promise<void> => {
      const at = serviceKey(service);
      const announced = identify(kind, service, { ...deps, faulty });
      const key = announced === undefined ? undefined : thingKey(kind, service, announced.discovery);
      await forget(kind, at, key);
      if (key === undefined || announced === undefined) return;
      let thing = things.get(key);
      if (thing === undefined) {
        const instance = await deps.meet(kind.id, announced.discovery);
        if (instance === undefined && !hasRoom()) return;
        thing = newThing(kind, deps);
        things.set(key, thing);
      } else if (!thing.announced.has(at) && thing.announced.size >= MAX_SERVICES) return;
      thing.announced.set(at, announced);
      await meet(key, thing);
    },
    meetAll: async (): Promise<void> => {
      for (const [key, thing] of things) await meet(key, thing);
    },
  };
}

/** One task after the other; the event loop gets its turn between them. */
function createTasks({ clock, log }: Pick<DiscoveriesDeps, 'clock' | 'log'>) {
  const inTurn = createTurnQueue();
  const waiting = new Map<string, () => Promise<void>>();
  let isWorking = false;
  const work = async (): Promise<void> => {
    if (isWorking) return;
    isWorking = true;
    const slices = createWorkSlices(clock.monotonicMs);
    for (const [name, task] of waiting) {
      waiting.delete(name);
      await inTurn(task).catch((cause: unknown) => log.error('a discovery failed', { cause }));
      await slices.pause();
    }
    isWorking = false;
  };
  return {
    inTurn,
    /** Takes the place of a task of this name that has not begun. */
    add: (name: string, task: () => Promise<void>): void => {
      waiting.set(name, task);
      void work();
    },
  };
}

function newThing({ id: kind }: IntegrationKind, { newId, clock }: DiscoveriesDeps): Thing {
  return { id: newId(), kind, foundAtMs: clock.wallMs(), announced: new Map(), instance: undefined, shown: undefined };
}

function shownThing({ id, kind, foundAtMs }: Thing, { discovery, address }: Announced, isIgnored: boolean): FoundThing {
  return { id, kind, name: discovery.name, address, isIgnored, foundAtMs };
}

function serviceKey({ type, name }: MdnsService): string {
  return `${type} ${name}`;
}

/** The same thing has the same key after a restart. */
function thingKey({ id }: IntegrationKind, service: MdnsService, { uniqueId }: Discovery): string {
  return uniqueId === null ? `${id} ${serviceKey(service)}` : `${id}:${uniqueId}`;
}

type IdentifyDeps = Pick<DiscoveriesDeps, 'rules' | 'log'> & {
  /** Kinds whose fault is in the log. */
  readonly faulty: Set<string>;
};

/** Lets the kind read a service, within bounds; `undefined` if it is none of that kind, or cannot be right. */
function identify(kind: IntegrationKind, service: MdnsService, deps: IdentifyDeps): Announced | undefined {
  const { rules, log } = deps;
  const [address] = service.addresses;
  if (address === undefined) return undefined;
  const found = identified(kind, service, deps);
  if (found === undefined || (found.uniqueId ?? '').length > MAX_UNIQUE_ID) return undefined;
  const strict = { ...rules, mayReachHub: false, hasInstance: () => false };
  const { errors } = checkFields(kind.settings, found.settings, { rules: strict });
  if (errors.length > 0) {
    log.debug('a found thing is not usable', { kind: kind.id, errors: errors.length });
    return undefined;
  }
  const name = plainName(found.name);
  return { address, discovery: { ...found, name: isVisibleName(name) ? name : kind.name } };
}

function identified(kind: IntegrationKind, service: MdnsService, { log, faulty }: IdentifyDeps): Discovery | undefined {
  try {
    return kind.discovery?.identify(service);
  } catch (cause) {
    // Once: a stranger decides how often.
    if (!faulty.has(kind.id)) log.error('a kind cannot identify a service', { kind: kind.id, cause });
    faulty.add(kind.id);
    return undefined;
  }
}

/** One line of visible text. */
function plainName(name: string): string {
  const plain = name.normalize('NFC').replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ');
  return Array.from(plain).slice(0, MAX_NAME).join('').trim();
}
