import { computed, effect, type ReadonlySignal, signal } from '@preact/signals';
import type { ApiRoot, OwnAccount } from '#web/client/api.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import type { Credentials, NewOwner } from '#web/client/sign-in.ts';
import { within } from '#web/client/within.ts';
import { type Right, rightsOf } from './rights.ts';
import type { BrowserTokens } from './token-store.ts';

/** `unreachable`: no one is signed in and the hub does not answer. */
type Phase = 'starting' | 'unreachable' | 'unclaimed' | 'signed_out' | 'signed_in';
export type Account = {
  readonly phase: ReadonlySignal<Phase>;
  readonly hub: ReadonlySignal<ApiRoot | null>;
  /** `null` until the hub has answered. */
  readonly me: ReadonlySignal<OwnAccount | null>;
  /** True if a login has ended without a log-out in this tab. */
  readonly wasEnded: ReadonlySignal<boolean>;
  /** Whether the hub would allow it. Before the role is known: whether it would allow it to every role. */
  readonly can: (right: Right) => boolean;
  readonly logIn: (credentials: Pick<Credentials, 'email' | 'password'>) => Promise<void>;
  /** `onOwner` runs when the hub has its owner and before the page shows the home. */
  readonly setUp: (owner: NewOwner, onOwner: () => void) => Promise<void>;
  readonly logOut: () => Promise<void>;
  /** Reads again the name of the hub and whether it has an owner. */
  readonly look: () => Promise<void>;
  /** Reads the signed-in account again: its role may have changed. */
  readonly lookAtMe: () => void;
  /** Call it after a change of one's own account. */
  readonly keepMe: (me: OwnAccount) => void;
  readonly keepHubName: (name: string) => void;
};

const LOOK_AGAIN_MS = 2_500;
const LOOK_WITHIN_MS = 5_000;

export function createAccount(client: HubClient, tokens: BrowserTokens): Account {
  const hub = signal<ApiRoot | null>(null);
  const isReachable = signal<boolean | null>(null);
  const me = signal<OwnAccount | null>(null);
  const wasEnded = signal(false);
  let isLeaving = false;
  let again: ReturnType<typeof setTimeout> | undefined;

  const phase = computed<Phase>(() => {
    if (hub.value?.claimed === false) return 'unclaimed';
    if (tokens.login.value !== null) return 'signed_in';
    if (hub.value !== null) return 'signed_out';
    return isReachable.value === false ? 'unreachable' : 'starting';
  });
  const look = async (): Promise<void> => {
    clearTimeout(again);
    hub.value = await readRoot();
    isReachable.value = hub.value !== null;
    if (hub.value === null) again = setTimeout(() => void look(), LOOK_AGAIN_MS);
  };
  const readMe = async (login: string): Promise<void> => {
    try {
      const read = await client.call<OwnAccount>('GET', '/me');
      if (tokens.login.peek() === login) me.value = read;
    } catch (cause) {
      // Signed out in the meantime, or no connection: try again later.
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      if (tokens.login.peek() === login) setTimeout(() => void readMe(login), LOOK_AGAIN_MS);
    }
  };
  let last: string | null = null;
  effect(() => {
    const login = tokens.login.value;
    if (login === last) return;
    me.value = null;
    if (login !== null) void readMe(login);
    wasEnded.value = last !== null && login === null && !isLeaving;
    last = login;
  });
  return {
    phase,
    hub,
    me,
    wasEnded,
    // Also of an API token, which may do less than its person. Before the hub has said it: what everyone may.
    can: (right) => (me.value?.rights ?? rightsOf(undefined)).includes(right),
    logIn: (credentials) => client.logIn({ ...credentials, clientToken: tokens.knownAs() }),
    setUp: async (owner, onOwner) => {
      await client.setUp(owner);
      onOwner();
      await look();
    },
    logOut: async () => {
      isLeaving = true;
      try {
        await client.logOut();
      } catch (cause) {
        // This browser forgets the token in any case. The session expires, or can be ended on another device.
        if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      } finally {
        isLeaving = false;
      }
    },
    look,
    lookAtMe: () => {
      const login = tokens.login.peek();
      if (login !== null) void readMe(login);
    },
    keepMe: (changed) => (me.value = changed),
    keepHubName: (name) => {
      if (hub.value !== null) hub.value = { ...hub.value, name };
    },
  };
}

/** `null` if the hub does not answer or is not ready. */
async function readRoot(): Promise<ApiRoot | null> {
  try {
    return await within(LOOK_WITHIN_MS, async (signal) => {
      const answer = await fetch('/api', { cache: 'no-store', signal });
      return answer.ok ? ((await answer.json()) as ApiRoot) : null;
    });
  } catch (cause) {
    if (cause instanceof TypeError || cause instanceof SyntaxError) return null;
    throw cause;
  }
}

/** How to call the hub's command line on its computer; the hub writes it into the page. */
export function hubCommand(): string {
  return document.querySelector('meta[name="hub-command"]')?.getAttribute('content') ?? 'hearthd';
}
