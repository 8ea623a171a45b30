import { effect, untracked } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { type Account, createAccount } from '#web/state/account/account.ts';
import { createHubClient, type HubClient } from '#web/client/hub-client.ts';
import { type Appearance, startAppearance } from '#web/state/appearance.ts';
import { type Attention, createAttention } from '#web/state/attention.ts';
import { type Commands, createCommands } from '#web/state/commands.ts';
import { createOwnView, type OwnView } from '#web/state/home-view.ts';
import { createHomeState, type HomeState } from '#web/state/home-state.ts';
import { createHubTime, type HubTime } from '#web/state/hub-time.ts';
import { type Live, startLive, createEventTap, type EventTap } from '#web/state/live.ts';
import { createMessages, type Messages } from '#web/state/messages.ts';
import { createQuestions, type Questions } from '#web/state/questions.ts';
import { type BrowserTokens, openBrowserTokens } from '#web/state/account/token-store.ts';
import { adoptLanguage } from '#web/strings/language/chosen-language.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { type Router, startRouter } from './router.ts';

/** What pages and their parts use of the hub: its client, its state and the router. */
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

/** `tokens`: what this page speaks to the hub with; a login, unless it is a screen on the wall. */
export function startHub(page: Window, tokens: BrowserTokens = openBrowserTokens(page)): Hub {
  // Before anything is drawn.
  const appearance = startAppearance(page);
  const client = createHubClient({ baseUrl: '', store: tokens });
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
  const time = createHubTime();
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
      untracked(() => void own.look());
    }
    if (isConnected === true) void attention.look();
    wasAway = isConnected === false;
  });
  // Beside the event stream, which brings the devices.
  effect(() => {
    if (tokens.login.value !== null) untracked(() => void own.look());
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
