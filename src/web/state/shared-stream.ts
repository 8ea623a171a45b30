import type { EventListener, HubEvent, Snapshot } from '#web/client/event-feed.ts';
import type { HubClient } from '#web/client/hub-client.ts';

/** What the tabs of one login hear of each other. */
export type TabChannel = {
  readonly say: (word: TabWord) => void;
  readonly listen: (hear: (word: TabWord) => void) => void;
  readonly close: () => void;
};

/** Who leads: the later claim, and of two at the same time the greater name. */
type Rank = { readonly claim: number; readonly tab: string };
export type TabWord =
  /** Whoever leads is to say so. */
  | { readonly kind: 'ask' }
  /** The one with this rank leads no more. */
  | { readonly kind: 'left'; readonly rank: Rank }
  | {
      readonly kind: 'lead';
      readonly rank: Rank;
      readonly isConnected: boolean | null;
      /** Where in the events the leader stands, before the event if there is one; absent before the first. */
      readonly from: string | undefined;
      readonly event?: HubEvent;
    };

export type SharedStreamDeps = {
  readonly follow: HubClient['follow'];
  readonly channel: TabChannel;
  /** The name of this tab. */
  readonly tab: string;
  readonly nowMs: () => number;
  readonly startTimer: (afterMs: number, run: () => void) => () => void;
};

export type SharedListener = Pick<EventListener, 'onEvent' | 'onSnapshot'> & {
  /** The hub has said its time, which it does at least every 15 s. */
  readonly onHeartbeat: (event: HubEvent) => void;
  readonly onConnection: (isConnected: boolean | null) => void;
  /** The leader is gone, or an event did not come through: take the lead, or stop. */
  readonly onLost: () => void;
};

export type SharedStream = {
  /** Opens a connection of its own, from where this tab stands; the tab that led closes its own once nothing is lost. */
  readonly lead: () => void;
  readonly isLeading: () => boolean;
  readonly cursor: () => string | undefined;
  readonly stop: () => void;
};

const ASK_MS = 2_000;

/**
 * The events of the hub over one connection for all tabs: one of them leads, which is the one that was last told to, and
 * passes on what it hears. Web Locks would say who leads, but are not there over plain http. So each tab may take the
 * lead at any time, and nothing is lost by it: every tab knows where in the events it stands, takes from another only
 * what goes on from there, and otherwise asks the hub itself.
 */
export function openSharedStream(
  deps: SharedStreamDeps,
  listener: SharedListener,
  start: string | undefined,
): SharedStream {
  const { channel, tab } = deps;
  const stand = createStand(listener, start);
  const watch = createWatch(deps, listener.onLost);
  /** The connection of this tab, while it leads. */
  let own: { readonly rank: Rank; close: () => void } | undefined;
  /** Whose events this tab takes, while another one leads. */
  let leader: Rank | undefined;

  const tell = (event?: HubEvent, from = stand.cursor()): void => {
    if (own === undefined) return;
    const about = event === undefined ? {} : { event };
    channel.say({ kind: 'lead', rank: own.rank, isConnected: stand.isConnected(), from, ...about });
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
    stand.setConnected(now);
    tell();
  };
  const pass = (event: HubEvent): void => {
    const from = stand.cursor();
    stand.take(event);
    tell(event, from);
  };
  const lead = (): void => {
    // Who leads already only connects anew.
    const rank = own?.rank ?? { claim: deps.nowMs(), tab };
    close();
    const cursor = stand.cursor();
    const onSnapshot = (snapshot: Snapshot): void => {
      stand.begin(snapshot);
      tell();
    };
    // Signed out: the tokens are gone by now, and the login that follows begins anew.
    const onRefused = (): void => setConnected(false);
    const taker = { onEvent: pass, onHeartbeat: pass, onSnapshot, onConnection: setConnected, onRefused };
    own = { rank, close: deps.follow(taker, cursor === undefined ? {} : { cursor }) };
    setConnected(stand.isConnected() === null ? null : false);
  };
  const take = (word: TabWord & { readonly kind: 'lead' }): void => {
    const present = own?.rank ?? leader;
    const order = present === undefined ? 1 : compare(word.rank, present);
    // An older one that does not know yet.
    if (order < 0) return tell();
    const goesOn = isUpTo(word.from, stand.cursor());
    if (order > 0) {
      // Until the other one has a connection that goes on from here, this tab keeps what it has.
      if (!goesOn || word.isConnected !== true) return;
      leave();
      leader = word.rank;
      watch.start();
    }
    watch.hear();
    if (!goesOn) return listener.onLost();
    if (word.isConnected !== stand.isConnected()) stand.setConnected(word.isConnected);
    if (word.event !== undefined && !isUpTo(word.event.id, stand.cursor())) stand.take(word.event);
  };
  channel.listen((word) => {
    if (word.kind === 'ask') return tell();
    if (word.kind === 'lead') return take(word);
    if (leader !== undefined && compare(word.rank, leader) === 0) listener.onLost();
  });
  const stop = (): void => {
    leave();
    channel.close();
  };
  return { lead, isLeading: () => own !== undefined, cursor: stand.cursor, stop };
}

/** Where in the events this tab stands, and whether it hears more of them. */
function createStand(listener: SharedListener, start: string | undefined) {
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

/** Asks who leads for a sign of life, again and again: one that crashed or sleeps says no goodbye. */
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

/** Whether nothing lies between them: the position is the other one or before it, in the same run of the hub. */
function isUpTo(position: string | undefined, other: string | undefined): boolean {
  if (position === undefined || other === undefined) return false;
  const [own, its] = [position.lastIndexOf('-'), other.lastIndexOf('-')];
  const isSameRun = position.slice(0, own) === other.slice(0, its);
  return isSameRun && Number(position.slice(own + 1)) <= Number(other.slice(its + 1));
}
