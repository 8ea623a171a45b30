import type { EventListener, HubEvent, Snapshot } from '#web/client/event-feed.ts';
import type { HubClient } from '#web/client/hub-client.ts';

/** How the tabs of one login talk to each other. */
export type TabChannel = {
  readonly say: (word: TabWord) => void;
  readonly listen: (hear: (word: TabWord) => void) => void;
  readonly close: () => void;
};

/** The tab with the later claim leads; of two at the same time the one with the greater name. */
type Rank = { readonly claim: number; readonly tab: string };
export type TabWord =
  /** Asks the leading tab to answer. */
  | { readonly kind: 'ask' }
  /** The tab with this rank has stopped leading. */
  | { readonly kind: 'left'; readonly rank: Rank }
  | {
      readonly kind: 'lead';
      readonly rank: Rank;
      readonly isConnected: boolean | null;
      /** The leader's position in the events, before `event` if there is one; absent before the first. */
      readonly from: string | undefined;
      readonly event?: HubEvent;
    };

type SharedStreamDeps = {
  readonly follow: HubClient['follow'];
  readonly channel: TabChannel;
  /** The name of this tab. */
  readonly tab: string;
  readonly nowMs: () => number;
  readonly startTimer: (afterMs: number, run: () => void) => () => void;
};

export type SharedListener = Pick<EventListener, 'onEvent' | 'onSnapshot'> & {
  /** The hub sends its time at least every 15 s. */
  readonly onHeartbeat: (event: HubEvent) => void;
  readonly onConnection: (isConnected: boolean | null) => void;
  /** The leader is gone, or an event was lost: take the lead, or stop. */
  readonly onLost: () => void;
};

export type SharedStream = ReturnType<typeof openSharedStream>;

const ASK_MS = 2_000;

/**
 * The events of the hub over one connection for all tabs: one tab leads, the one whose `lead` was called last, and
 * passes events on. Web Locks could decide who leads, but browsers lack them over plain http. So each tab may take the
 * lead at any time, and nothing gets lost: every tab knows its position in the events, takes from another tab only
 * events that continue from there, and otherwise asks the hub itself.
 */
export function openSharedStream(deps: SharedStreamDeps, listener: SharedListener, start: string | undefined) {
  const { channel, tab } = deps;
  const position = createPosition(listener, start);
  const watch = createWatch(deps, listener.onLost);
  /** The connection of this tab, while it leads. */
  let own: { readonly rank: Rank; close: () => void } | undefined;
  /** The tab whose events this tab takes, while another one leads. */
  let leader: Rank | undefined;

  const announce = (event?: HubEvent, from = position.cursor()): void => {
    if (own === undefined) return;
    const about = event === undefined ? {} : { event };
    channel.say({ kind: 'lead', rank: own.rank, isConnected: position.isConnected(), from, ...about });
  };
  const close = (): void => {
    own?.close();
    own = undefined;
    leader = undefined;
    watch.stop();
  };
  const leave = (): void => {
    if (own !== undefined) channel.say({ kind: 'left', rank: own.rank });
    close();
  };
  const setConnected = (now: boolean | null): void => {
    position.setConnected(now);
    announce();
  };
  const pass = (event: HubEvent): void => {
    const from = position.cursor();
    position.take(event);
    announce(event, from);
  };
  const lead = (): void => {
    // A tab that leads already only reconnects.
    const rank = own?.rank ?? { claim: deps.nowMs(), tab };
    close();
    const cursor = position.cursor();
    const onSnapshot = (snapshot: Snapshot): void => {
      position.begin(snapshot);
      announce();
    };
    // Signed out: the tokens are gone, and the next login opens a new stream.
    const onRefused = (): void => setConnected(false);
    const taker = { onEvent: pass, onHeartbeat: pass, onSnapshot, onConnection: setConnected, onRefused };
    own = { rank, close: deps.follow(taker, cursor === undefined ? {} : { cursor }) };
    setConnected(position.isConnected() === null ? null : false);
  };
  const take = (word: TabWord & { readonly kind: 'lead' }): void => {
    const present = own?.rank ?? leader;
    const order = present === undefined ? 1 : compare(word.rank, present);
    // An older leader that does not know yet that it was replaced.
    if (order < 0) return announce();
    const goesOn = isUpTo(word.from, position.cursor());
    if (order > 0) {
      // This tab keeps its connection until the other one continues from here.
      if (!goesOn || word.isConnected !== true) return;
      leave();
      leader = word.rank;
      watch.start();
    }
    watch.hear();
    if (!goesOn) return listener.onLost();
    if (word.isConnected !== position.isConnected()) position.setConnected(word.isConnected);
    if (word.event !== undefined && !isUpTo(word.event.id, position.cursor())) position.take(word.event);
  };
  channel.listen((word) => {
    if (word.kind === 'ask') return announce();
    if (word.kind === 'lead') return take(word);
    if (leader !== undefined && compare(word.rank, leader) === 0) listener.onLost();
  });
  const stop = (): void => {
    leave();
    channel.close();
  };
  return {
    /** Opens a connection at the position of this tab. The former leader closes its own once nothing can get lost. */
    lead,
    isLeading: (): boolean => own !== undefined,
    cursor: position.cursor,
    stop,
  };
}

/** The position of this tab in the events, and whether it is connected. */
function createPosition(listener: SharedListener, start: string | undefined) {
  let cursor = start;
  let isConnected: boolean | null = null;
  return {
    cursor: () => cursor,
    isConnected: () => isConnected,
    setConnected: (now: boolean | null): void => {
      isConnected = now;
      listener.onConnection(now);
    },
    take: (event: HubEvent): void => {
      cursor = event.id ?? cursor;
      if (event.type === 'hub.heartbeat') listener.onHeartbeat(event);
      else listener.onEvent(event);
    },
    begin: (snapshot: Snapshot): void => {
      ({ cursor } = snapshot);
      listener.onSnapshot(snapshot);
    },
  };
}

/** Keeps asking the leader for a sign of life: a tab that crashed or sleeps does not say that it left. */
function createWatch({ channel, startTimer }: Pick<SharedStreamDeps, 'channel' | 'startTimer'>, onLost: () => void) {
  let wasHeard = false;
  let cancel: (() => void) | undefined;
  const ask = (): void => {
    wasHeard = false;
    channel.say({ kind: 'ask' });
    cancel = startTimer(ASK_MS, () => (wasHeard ? ask() : onLost()));
  };
  return {
    start: ask,
    hear: () => void (wasHeard = true),
    stop: () => cancel?.(),
  };
}

function compare(one: Rank, other: Rank): number {
  if (one.claim !== other.claim) return one.claim - other.claim;
  return one.tab === other.tab ? 0 : one.tab < other.tab ? -1 : 1;
}

/** Whether the position is the other one or before it, in the same run of the hub: then nothing is missing. */
function isUpTo(position: string | undefined, other: string | undefined): boolean {
  if (position === undefined || other === undefined) return false;
  const [own, its] = [position.lastIndexOf('-'), other.lastIndexOf('-')];
  const isSameRun = position.slice(0, own) === other.slice(0, its);
  return isSameRun && Number(position.slice(own + 1)) <= Number(other.slice(its + 1));
}
