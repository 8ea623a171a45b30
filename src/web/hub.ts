import { effect, untracked, type ReadonlySignal, computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Account, createAccount } from '#web/state/account/account.ts';
import { within } from '#web/client/within.ts';
import { createHubClient, type HubClient } from '#web/client/hub-client.ts';
import { type Appearance, startAppearance } from '#web/state/appearance.ts';
import { type Commands, createCommands } from '#web/state/commands.ts';
import { createOwnView, type OwnView } from '#web/state/home-view.ts';
import { createHomeState, type HomeState } from '#web/state/home-state.ts';
import { type Live, startLive, createEventTap, type EventTap } from '#web/state/live.ts';
import { createMessages, type Messages } from '#web/state/messages.ts';
import { createQuestions, type Questions } from '#web/state/questions.ts';
import { type BrowserTokens, openBrowserTokens } from '#web/state/account/token-store.ts';
import { adoptLanguage } from '#web/strings/language/chosen-language.ts';
import { hub as hubWords } from '#web/strings/en/hub/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { type Router, startRouter } from './router.ts';
import type { Hub as HubAnswer, Me, Notification, Notifications } from '#web/client/api.ts';
import type { HubEvent } from '#web/client/event-feed.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { timeWords } from '#web/strings/formats.ts';
import { adoptZone, hubZone, localTime, offsetAt, ownZone } from '#web/strings/hub-zone.ts';

/** Pages and their parts use these of the hub: its client, its state and the router. */
export type Hub = {
  readonly client: HubClient;
  readonly account: Account;
  readonly home: HomeState;
  readonly own: OwnView;
  readonly commands: Commands;
  readonly attention: Attention;
  readonly messages: Messages;
  readonly questions: Questions;
  readonly time: HubTime;
  readonly appearance: Appearance;
  readonly live: Live;
  /** Every event, for pages that show more than the home: pairing, integrations, a device's log. */
  readonly events: EventTap;
  readonly router: Router;
};

/** An answer with one of these may name a field or a limit, which has words of its own. */
const REFUSES_FIELDS = new Set([400, 409, 413, 422]);
const LOAD_MS = 4_000;

/** Holds a refusal back until its words are here. Without them, its code has words as well. */
const withRefusalWords: typeof fetch = async (...request) => {
  const answer = await fetch(...request);
  if (hubWords.learn !== undefined && REFUSES_FIELDS.has(answer.status)) {
    await within(LOAD_MS, loadRefusalWords).catch(() => undefined);
  }
  return answer;
};

async function loadRefusalWords(): Promise<void> {
  const [{ faultTexts: reasons }, { limitTexts: limits }] = await Promise.all([
    import('#words/en/faults.ts'),
    import('#words/en/limits.ts'),
  ]);
  hubWords.learn?.({ reasons, limits });
}

/** `tokens`: what this page speaks to the hub with; a login, unless it is a screen on the wall. */
export function startHub(page: Window, tokens: BrowserTokens = openBrowserTokens(page)): Hub {
  // Before anything is drawn.
  const appearance = startAppearance(page);
  const client = createHubClient({ baseUrl: '', store: tokens, fetch: withRefusalWords });
  const account = createAccount(client, tokens);
  effect(() => adoptLanguage(page, account.me.value?.language ?? null, pageWords.locale));
  const messages = createMessages();
  const questions = createQuestions();
  const home = createHomeState();
  const own = createOwnView(client);
  const commands = createCommands({
    client,
    messages,
    nameOf: (selector) => home.find(selector)?.device.peek().name ?? selector,
    onNoAnswer: () => live.doubt(),
  });
  const attention = createAttention(client, account.me);
  const time = createHubTime(client);
  const events = createEventTap();
  const live = startLive({
    client,
    login: tokens.login,
    onEvent: (event) => {
      home.takeEvent(event);
      commands.takeEvent(event);
      attention.takeEvent(event);
      events.pass(event);
    },
    onSnapshot: home.takeSnapshot,
    onTime: time.takeTime,
    onEnd: () => {
      home.clear();
      own.clear();
      attention.clear();
    },
  });
  // The hub ends a stream when the rights of its account change: read them again.
  let wasAway = false;
  effect(() => {
    const isConnected = live.isConnected.value;
    if (isConnected === true && wasAway) {
      account.lookAtMe();
      // No event comes of what was changed on another screen.
      untracked(() => void Promise.all([own.look(), time.look()]));
    }
    if (isConnected === true) void attention.look();
    wasAway = isConnected === false;
  });
  // Beside the event stream, which brings the devices.
  effect(() => {
    if (tokens.login.value !== null) untracked(() => void Promise.all([own.look(), time.look()]));
  });
  void account.look();
  return {
    client,
    account,
    home,
    own,
    commands,
    attention,
    messages,
    questions,
    time,
    appearance,
    live,
    events,
    router: startRouter(page),
  };
}

const HubContext = createContext<Hub | null>(null);
export const HubProvider = HubContext.Provider;

export function useHub(): Hub {
  const hub = useContext(HubContext);
  if (hub === null) throw new Error('there is no hub around this component');
  return hub;
}

/** These notifications need the attention of the person at this page. */
type Attention = {
  /** The most urgent come first, then those shown last. */
  readonly list: ReadonlySignal<readonly Notification[]>;
  /** Reads the list: with each new connection, because what happened before it comes as no event. */
  readonly look: () => Promise<void>;
  readonly takeEvent: (event: HubEvent) => void;
  readonly clear: () => void;
};

function createAttention(client: Pick<HubClient, 'call'>, me: ReadonlySignal<Me | null>): Attention {
  const open = signal<readonly Notification[]>([]);
  let look = 0;
  /** Events that came while the list was on its way are newer than the list. */
  let late: Notification[] = [];
  const withOne = (list: readonly Notification[], one: Notification): readonly Notification[] => {
    const others = list.filter(({ id }) => id !== one.id);
    return one.state === 'open' ? [one, ...others] : others;
  };
  return {
    list: computed(() => {
      const person = me.value;
      if (person === null) return [];
      const own = open.value.filter(({ to }) => {
        // A danger in short names nobody: it is for everyone inside.
        return to.length === 0 || to.includes(`user:${person.id}`) || to.includes(`role:${person.role}`);
      });
      return ['critical', 'warning', 'info'].flatMap((one) => own.filter(({ severity }) => severity === one));
    }),
    look: async () => {
      const own = (look += 1);
      late = [];
      // Without an answer the page says elsewhere that there is no connection, and looks again with the next one.
      await wordsIfRefused(async () => {
        const { notifications: read } = await client.call<Notifications>('GET', '/notification?open=true');
        if (own === look) open.value = late.reduce(withOne, read);
      });
    },
    takeEvent: ({ type, data }) => {
      if (type !== 'notification.added' && type !== 'notification.changed') return;
      const { notification } = data as { readonly notification: Notification };
      late.push(notification);
      open.value = withOne(open.peek(), notification);
    },
    clear: () => {
      look += 1;
      open.value = [];
    },
  };
}

/** The hub's time, taken from its events: the clock of a browser may be wrong. */
type HubTime = {
  /** Milliseconds; moves on a few times a minute. */
  readonly nowMs: ReadonlySignal<number>;
  /** By how many minutes the clocks differ; `null` if that is too little to mention. */
  readonly apartMinutes: ReadonlySignal<number | null>;
  /** The zone of the hub while the clocks of the browser's zone show another time; `null` while they show the same. */
  readonly zoneApart: ReadonlySignal<string | null>;
  /** Reads the zone of the hub. Without an answer, the zone is as before. */
  readonly look: () => Promise<void>;
  readonly takeTime: (at: string) => void;
  /** When the hub was last heard, as a time of day. */
  readonly lastHeard: () => string;
  /** `3 min ago`, `14:02`, `yesterday, 14:02`; in the hub's zone. */
  readonly agoOf: (at: string) => string;
  /** `14:02`, `yesterday, 14:02`, `3 May`. */
  readonly momentOf: (at: string) => string;
};

const TICK_MS = 10_000;
const WORTH_TELLING_MINUTES = 5;

function createHubTime(client: Pick<HubClient, 'call'>): HubTime {
  const offsetMs = signal(0);
  const tick = signal(Date.now());
  setInterval(() => (tick.value = Date.now()), TICK_MS);
  let heardAt: string | undefined;
  const nowMs = computed(() => tick.value + offsetMs.value);

  const momentOf = (at: string): string => {
    const [then, today] = [localTime(at), localTime(nowMs.value)];
    const days = (Date.parse(today.slice(0, 10)) - Date.parse(then.slice(0, 10))) / 86_400_000;
    if (days === 0) return timeWords(at, 'clock');
    if (days === 1) return pageWords.time.yesterday(timeWords(at, 'clock'));
    return timeWords(at, then.slice(0, 4) === today.slice(0, 4) ? 'day' : 'date');
  };
  return {
    nowMs,
    apartMinutes: computed(() => {
      const minutes = Math.round(Math.abs(offsetMs.value) / 60_000);
      return minutes < WORTH_TELLING_MINUTES ? null : minutes;
    }),
    zoneApart: computed(() => {
      const zone = hubZone();
      const isSame = zone === undefined || offsetAt(nowMs.value, zone) === offsetAt(nowMs.value, ownZone());
      return isSame ? null : zone;
    }),
    look: async () => {
      await wordsIfRefused(async () => {
        const { time_zone: zone } = await client.call<HubAnswer>('GET', '/hub');
        if (zone !== undefined) adoptZone(zone);
      });
    },
    lastHeard: () => timeWords(heardAt ?? Date.now(), 'clock'),
    takeTime: (at) => {
      heardAt = at;
      const offset = Date.parse(at) - Date.now();
      // Messages take a moment to arrive: small differences are ignored, so that nothing flickers.
      if (Math.abs(offset - offsetMs.peek()) > 5_000) offsetMs.value = offset;
    },
    agoOf: (at) => {
      const seconds = (nowMs.value - Date.parse(at)) / 1000;
      if (seconds < 50) return pageWords.time.justNow;
      if (seconds < 3600) return pageWords.time.minutes(Math.max(1, Math.round(seconds / 60)));
      if (seconds < 6 * 3600) return pageWords.time.hours(Math.round(seconds / 3600));
      return momentOf(at);
    },
    momentOf,
  };
}
