import type { Runtime } from '#base/time/runtime.ts';
import { createSubscribers } from '#base/subscribers.ts';
import { createEventRing, type EventRing, type RingSize } from './event-ring.ts';
import { type EventRight, type EventSubject, type HomeEvent, subjectOf } from './event.ts';

/** The bytes of an event, made once and shared: readers must not write to them. */
export type EncodedEvent = {
  /** The event as streams send it. */
  readonly frame: Buffer;
  /** Where its data stand in the frame, as clients read them: `dataOf` has them as text. */
  readonly dataFrom: number;
  readonly dataTo: number;
};

/** The JSON of an event. */
export function dataOf({ frame, dataFrom, dataTo }: EncodedEvent): string {
  return frame.toString('utf8', dataFrom, dataTo);
}

/** One kept event. Its data is JSON, because the device or room in it goes on changing. */
export type KeptEvent = EncodedEvent & {
  readonly sequence: number;
  readonly monotonicMs: number;
  readonly type: HomeEvent['type'];
  readonly subject: EventSubject;
};

/**
 * The log keeps each kind of event separately, so that many of one kind do not displace another: values and occurrences
 * of features; devices and rooms that are added, changed or removed; events that change no device; and those that only
 * clients get which ask for their type.
 */
export type EventKind = 'feature' | 'inventory' | 'passing' | 'asked';
/** `undefined` for all kinds but `asked`. */
export type EventKinds = ReadonlySet<EventKind> | undefined;

const KIND_OF_TYPE: ReadonlyMap<string, EventKind> = new Map<HomeEvent['type'], EventKind>([
  ['feature.changed', 'feature'],
  ['feature.occurred', 'feature'],
  ['energy.changed', 'feature'],
  ['device.added', 'inventory'],
  ['device.changed', 'inventory'],
  ['device.removed', 'inventory'],
  ['room.added', 'inventory'],
  ['room.changed', 'inventory'],
  ['room.removed', 'inventory'],
  ['automation.run.dull', 'asked'],
]);

/** Most types of events are passing. */
export function kindOfType(type: string): EventKind {
  return KIND_OF_TYPE.get(type) ?? 'passing';
}

/** `restarted`: from another run; `too_old`: no longer kept; `unknown_cursor`: this hub never issued it. */
export type LostCursor = 'restarted' | 'too_old' | 'unknown_cursor';

/** The events of this run, with rising numbers. It keeps the newest of each kind for clients that return. */
export type EventLog = ReturnType<typeof createEventLog>;

type EventLogOptions = Pick<Runtime, 'monotonicMs' | 'log'> & {
  /** Identifies this run; a cursor of another run counts as lost. Lower-case letters and digits. */
  readonly epoch: string;
  readonly sizes: Readonly<Record<EventKind, RingSize>>;
  /** The right without which callers get no event of this type; `null` where its subject decides. */
  readonly rightOf: (type: HomeEvent['type']) => EventRight | null;
  /** Must not throw. */
  readonly encode: (event: HomeEvent, cursor: string) => EncodedEvent;
  /** Calls this once others have had their turn, or soon after. */
  readonly startLater: (run: () => void) => void;
};

const USUAL: readonly EventKind[] = ['feature', 'inventory', 'passing'];

/** A cursor of this or another run. */
export const CURSOR = /^([0-9a-z]{1,32})-(\d{1,15})$/;

export function createEventLog(options: EventLogOptions) {
  const { epoch, sizes } = options;
  const ringOf = (kind: EventKind) => {
    const ring = createEventRing<KeptEvent>(sizes[kind]);
    const memory = createFrameMemory();
    return { ...ring, keep: (event: KeptEvent): void => ring.push({ ...event, frame: memory(event.frame) }) };
  };
  const rings = {
    feature: ringOf('feature'),
    inventory: ringOf('inventory'),
    passing: ringOf('passing'),
    asked: ringOf('asked'),
  };
  const subscribers = createSubscribers<[event: HomeEvent, kept: KeptEvent]>(options.log);
  const views = new Map<string, number>();
  let last = 0;
  let volume = 0;
  /** The events that are still to be kept, oldest first. */
  let fresh: KeptEvent[] = [];

  const keepFresh = (): void => {
    const all = fresh;
    fresh = [];
    for (const one of all) {
      volume += Math.ceil(one.frame.length / 1024);
      // An event for a single login or API token is sent at once and not kept.
      if (one.subject.onlyFor === null) rings[kindOfType(one.type)].keep(one);
    }
  };

  const ringsOf = (kinds: EventKinds): readonly EventRing<KeptEvent>[] => {
    keepFresh();
    return [...(kinds ?? USUAL)].map((kind) => rings[kind]);
  };
  const oldestPosition = (kinds?: EventKinds): number => Math.max(0, ...ringsOf(kinds).map((ring) => ring.lastGone()));
  const cursorAt = (sequence: number): string => `${epoch}-${sequence}`;

  return {
    append: (event: HomeEvent): void => {
      last += 1;
      const cursor = cursorAt(last);
      const subject = subjectOf(event, options.rightOf(event.type));
      const known = { sequence: last, monotonicMs: options.monotonicMs(), type: event.type, subject };
      const isFirst = fresh.length === 0;
      const mayWait = mayBeKeptLater(event) && fresh.length < MAX_FRESH;
      const kept = mayWait
        ? encodedLater(known, () => options.encode(event, cursor))
        : { ...known, ...options.encode(event, cursor) };
      fresh.push(kept);
      if (!mayWait) keepFresh();
      else if (isFirst) options.startLater(keepFresh);
      subscribers.tell(event, kept);
    },
    /** Position after the newest event, as `<epoch>-<sequence>`. */
    cursor: (): string => cursorAt(last),
    cursorAt,
    /** Number of the newest event; 0 before the first. */
    lastSequence: (): number => last,
    /**
     * Notes that this person sees another part of the home from now on. It takes a number that no event gets, so that
     * cursors from before differ from those after.
     */
    markView: (person: string): void => {
      last += 1;
      views.set(person, last);
    },
    /** The position of the last mark; 0 without one. */
    viewSince: (person: string): number => views.get(person) ?? 0,
    /** Number of events so far; a large one counts once for each begun KiB. */
    volume: (): number => volume + fresh.length,
    /** Number after which every event of these kinds is still kept. */
    oldestPosition,
    /** The position of a cursor, or why the log does not have all events of these kinds after it. */
    locate: (cursor: string, kinds?: EventKinds): number | LostCursor => {
      const match = CURSOR.exec(cursor);
      if (match === null) return 'unknown_cursor';
      if (match[1] !== epoch) return 'restarted';
      const position = Number(match[2]);
      if (position > last) return 'unknown_cursor';
      return position < oldestPosition(kinds) ? 'too_old' : position;
    },
    /** The kept events of these kinds after a position, in order. Read it to its end synchronously. */
    after: (position: number, kinds?: EventKinds): Iterable<KeptEvent> => inOrder(ringsOf(kinds), position),
    /** The listener is called synchronously with each event after the log has it. The hub logs what it throws. */
    subscribe: subscribers.add,
  };
}

/**
 * A lamp that somebody waits for shall not wait for their bytes. What they say of a device is its name and what the
 * event itself holds, so that it is the same a moment later.
 */
function mayBeKeptLater(event: HomeEvent): boolean {
  if (event.type !== 'feature.changed') return event.type === 'command.changed';
  const { value } = event.state;
  return typeof value === 'string' ? value.length <= SMALL_TEXT : typeof value !== 'object' || value === null;
}
const MAX_FRESH = 64;
/** A larger value of a device is encoded at once: until then an event counts as one in the volume, however large. */
const SMALL_TEXT = 100;

/** Makes the bytes when somebody reads them. */
function encodedLater(known: Omit<KeptEvent, keyof EncodedEvent>, encode: () => EncodedEvent): KeptEvent {
  let made: EncodedEvent | undefined;
  const encoded = (): EncodedEvent => (made ??= encode());
  return {
    ...known,
    get frame() {
      return encoded().frame;
    },
    get dataFrom() {
      return encoded().dataFrom;
    },
    get dataTo() {
      return encoded().dataTo;
    },
  };
}

const SLAB_BYTES = 64 * 1024;

/**
 * Copies frames into memory of a ring's own, where neighbours go at the same time. Small buffers of Node.js share 8 KiB
 * with what is gone at once, and one kept frame would hold them all.
 */
function createFrameMemory(): (frame: Buffer) => Buffer {
  let slab = Buffer.allocUnsafeSlow(0);
  let used = 0;
  return (frame) => {
    if (frame.length > SLAB_BYTES / 8) return Buffer.allocUnsafeSlow(frame.length).fill(frame);
    if (slab.length - used < frame.length) {
      slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      used = 0;
    }
    const own = slab.subarray(used, used + frame.length);
    used += frame.copy(own);
    return own;
  };
}

/** The items of all these rings by their numbers. */
function* inOrder(rings: readonly EventRing<KeptEvent>[], position: number): Generator<KeptEvent, void, undefined> {
  const readers = rings.map((ring) => ({ ring, place: ring.placeAfter(position) }));
  for (;;) {
    let next: { readonly reader: { place: number }; readonly event: KeptEvent } | undefined;
    for (const reader of readers) {
      const event = reader.ring.at(reader.place);
      if (event !== undefined && (next === undefined || event.sequence < next.event.sequence)) next = { reader, event };
    }
    if (next === undefined) return;
    next.reader.place += 1;
    yield next.event;
  }
}
