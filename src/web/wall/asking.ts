import type { WallRequest, WallRequestState } from '#web/client/api.ts';
import { problemFrom } from '#web/client/hub-problem.ts';
import { within } from '#web/client/within.ts';
import type { Shelf } from '#web/state/account/token-store.ts';

/** Where a screen is on its way to a token. `away`: no answer; `busy`: it asks again in a moment. */
export type Asking = {
  readonly state: 'open' | 'away' | 'busy' | 'unclaimed' | 'refused';
  /** The digits that it shows; they stay while the hub is away. */
  readonly code: string | null;
};

type Asked = Pick<WallRequest, 'id' | 'secret' | 'code'>;
type Deps = {
  readonly shelf: Shelf;
  /** The name that the screen proposes for itself. */
  readonly name: string;
  readonly onChange: (asking: Asking) => void;
  readonly onToken: (token: string) => void;
};

const PATH = '/api/v1/wall_request';
const KEY = 'hearthd.wall.request';
const ANSWER_MS = 10_000;
const POLL_MS = 3_000;
const AGAIN_MS = 5_000;

/**
 * Asks the hub for a token until a person has answered, with new digits whenever the old ones end. What was asked outlives
 * a reload, because a screen may ask only once a minute. Returns what stops it, for a screen that has a token by then.
 */
export function startAsking({ shelf, name, onChange, onToken }: Deps): () => void {
  let asked = readAsked(shelf);
  let isStopped = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const keep = (next: Asked | null): void => {
    asked = next;
    if (next === null || isStopped) shelf.removeItem(KEY);
    else shelf.setItem(KEY, JSON.stringify(next));
  };
  const show = (state: Asking['state']): void => {
    if (!isStopped) onChange({ state, code: asked?.code ?? null });
  };
  const send = (path: string, init: RequestInit): Promise<Response> =>
    within(ANSWER_MS, (signal) => fetch(`${PATH}${path}`, { ...init, signal }));

  const ask = async (): Promise<number> => {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await send('', { method: 'POST', headers, body: JSON.stringify({ name }) });
    if (answer.ok) {
      const { id, secret, code } = (await answer.json()) as WallRequest;
      keep({ id, secret, code });
      show('open');
      return POLL_MS;
    }
    const { code, status, retryAfterS } = await problemFrom(answer);
    show(code === 'HUB_UNCLAIMED' ? 'unclaimed' : status === 429 ? 'busy' : 'away');
    return Math.max(AGAIN_MS, (retryAfterS ?? 0) * 1_000);
  };
  const look = async ({ id, secret }: Asked): Promise<number | null> => {
    const answer = await send(`/${id}`, { headers: { 'Hearthd-Wall': secret } });
    if (!answer.ok && answer.status !== 404) {
      show('away');
      return AGAIN_MS;
    }
    const said = answer.ok ? ((await answer.json()) as WallRequestState) : undefined;
    if (said?.state === 'open') {
      show('open');
      return POLL_MS;
    }
    keep(null);
    if (said?.state === 'refused') show('refused');
    else if (said?.token === undefined) return 0;
    else if (!isStopped) onToken(said.token);
    return null;
  };
  const step = async (): Promise<void> => {
    const waitMs = await (asked === null ? ask() : look(asked)).catch((cause: unknown) => {
      // No answer, or one that is not of the hub.
      if (!(cause instanceof TypeError) && !(cause instanceof SyntaxError)) throw cause;
      show('away');
      return AGAIN_MS;
    });
    if (waitMs !== null && !isStopped) timer = setTimeout(() => void step(), waitMs);
  };
  void step();
  return () => {
    isStopped = true;
    clearTimeout(timer);
    keep(null);
  };
}

function readAsked(shelf: Shelf): Asked | null {
  try {
    const { id, secret, code } = JSON.parse(shelf.getItem(KEY) ?? '{}') as Partial<Record<keyof Asked, unknown>>;
    return typeof id === 'string' && typeof secret === 'string' && typeof code === 'string'
      ? { id, secret, code }
      : null;
  } catch (cause) {
    // Not written by this page.
    if (cause instanceof SyntaxError) return null;
    throw cause;
  }
}
