import { createHmac } from 'node:crypto';
import type { Clock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { type StartTimer, waitMs } from '#base/time/timer.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import {
  type Delivery,
  type Webhook,
  type WebhookState,
  type WebhookFilter,
  hostOfUrl,
} from '#core/webhook/webhook.ts';
import type { EventPage, EventSource, EventGap } from './event-source.ts';
import type { Post } from './post.ts';

/** Delivers to one webhook in order, one request at a time, and repeats each until the receiver takes it. */
export type WebhookRunner = ReturnType<typeof createWebhookRunner>;

export type WebhookRunnerDeps = {
  readonly events: EventSource;
  readonly post: Post;
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly random: () => number;
  readonly newId: () => string;
  readonly log: Log;
};

const RETRY_DELAYS = { minMs: 1_000, maxMs: 300_000 };
/** The first event after a pause goes at once; the events of a burst go together. */
const SPACING_MS = 250;
/** Deliveries whose results are shown. */
const MAX_RESULTS = 50;

type Tried = Pick<Delivery, 'id' | 'attempt'> & { readonly page: EventPage };

export function createWebhookRunner(deps: WebhookRunnerDeps, first: Webhook, isNew: boolean) {
  const { events, clock, startTimer, newId } = deps;
  const inTurn = createTurnQueue();
  const queue = createDeliveryQueue(events, { isNew, newId });
  const delays = createRetryDelays(RETRY_DELAYS, deps.random);
  const record = createDeliveryRecord(deps.log);
  let webhook = first;
  let ring: () => void = () => undefined;
  let pause = new AbortController();
  const ended = new AbortController();

  const attempt = async (tried: Tried, signal: AbortSignal): Promise<Delivery> => {
    const startedMs = clock.monotonicMs();
    const atMs = clock.wallMs();
    const { status, error } = await deps.post(requestOf(webhook, tried, atMs), signal);
    const ms = Math.round(clock.monotonicMs() - startedMs);
    const delivery = { id: tried.id, attempt: tried.attempt, atMs, ms, events: tried.page.count, status, error };
    // The hub itself broke off the delivery, so the receiver did not fail.
    if (!signal.aborted || error === null) record.note(delivery, webhook);
    if (error === null) delays.reset();
    return delivery;
  };
  const leaveOut = (cause: unknown): Pick<Delivery, 'error'> => {
    deps.log.error('events could not be sent to a webhook, and are left out', { id: webhook.id, cause });
    return { error: null };
  };
  const run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      const batch = queue.next(webhook.filter);
      if (batch === undefined) {
        await new Promise<void>((resolve) => (ring = resolve));
        continue;
      }
      const { error } = await inTurn(() => attempt(batch, signal)).catch(leaveOut);
      if (error === null) queue.advance(batch);
      pause = new AbortController();
      if (!signal.aborted) await waitMs(error === null ? SPACING_MS : delays.nextMs(), startTimer, pause.signal);
    }
  };
  const start = (): (() => Promise<void>) => {
    if (webhook.enabled) queue.begin();
    else queue.pause();
    if (!webhook.enabled) return () => Promise.resolve();
    const running = new AbortController();
    const finished = run(running.signal).catch((cause: unknown) =>
      deps.log.error('delivering to a webhook ended', { id: webhook.id, cause }),
    );
    return () => {
      running.abort();
      pause.abort();
      ring();
      return finished;
    };
  };

  const unsubscribe = events.subscribe(() => ring());
  let stopRun = start();
  return {
    /** Takes over changed settings. Breaks off a delivery under way and starts it again. */
    change: (changed: Webhook): void => {
      const old = stopRun();
      webhook = changed;
      delays.reset();
      record.forgive();
      const turn = old.then(() => start());
      stopRun = async () => (await turn)();
    },
    state: (): WebhookState => ({ ...record.state(webhook.enabled), cursor: events.cursorAt(queue.position()) }),
    /** Waits for the delivery under way, then calls `authorize`. */
    test: async (authorize?: () => void): Promise<Delivery> => {
      const tried = { id: newId(), attempt: 1, page: events.test() };
      const delivery = await inTurn(async () => {
        authorize?.();
        return attempt(tried, ended.signal);
      });
      if (delivery.error === null) pause.abort();
      return delivery;
    },
    stop: async (): Promise<void> => {
      unsubscribe();
      ended.abort();
      await stopRun();
    },
  };
}

function requestOf({ id, url, mayReachHub, secret }: Webhook, tried: Tried, atMs: number): Parameters<Post>[0] {
  const body = Buffer.from(tried.page.json);
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'hearthd',
    'Hearthd-Webhook': id,
    'Hearthd-Delivery': tried.id,
    'Hearthd-Signature': signDelivery(secret, body, atMs),
  };
  return { url, mayReachHub, headers, body };
}

/**
 * The value of `Hearthd-Signature`: `t=<unix seconds>,v1=<hex>`, HMAC-SHA256 over `<t>.<body>` with the whole text of
 * the secret as its key. The signature covers the time too, so that a receiver can refuse a recorded request.
 */
export function signDelivery(secret: string, body: Buffer, wallMs: number): string {
  const seconds = Math.floor(wallMs / 1000);
  const digest = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${digest}`;
}

/** The next delivery. It stays the same until the receiver takes it, except that too old button presses drop out. */
type Batch = { readonly id: string; readonly attempt: number; readonly page: EventPage };

/** Without `to` the gap ends at the hub's position when it is first delivered. */
type OpenGap = Omit<EventGap, 'to'> & { readonly to?: number };
/** A delivery after its first attempt, with the last event in it. */
type OpenDelivery = { readonly id: string; readonly upTo: number; readonly attempts: number };

/**
 * The position of one webhook in the events; it keeps no events itself. A webhook from an earlier run of the hub
 * begins with a gap, because its position was one of that run.
 */
function createDeliveryQueue(
  events: Pick<EventSource, 'last' | 'read' | 'gap'>,
  { isNew, newId }: { readonly isNew: boolean; readonly newId: () => string },
) {
  let position = events.last();
  let gap: OpenGap | undefined = isNew ? undefined : { from: null, reason: 'restarted' };
  let tried: OpenDelivery | undefined;

  const nextPage = (filter: WebhookFilter): EventPage | undefined => {
    for (;;) {
      const last = events.last();
      if (gap !== undefined) {
        const delivered = { to: last, ...gap };
        gap = delivered;
        return events.gap(delivered);
      }
      const page = events.read(filter, { after: position, upTo: tried?.upTo ?? last });
      if (page === 'lost') {
        gap = { from: position, reason: 'overrun' };
        tried = undefined;
        continue;
      }
      if (page.count > 0) return page;
      position = page.to;
      tried = undefined;
      if (position >= last) return undefined;
    }
  };
  return {
    /** `undefined` if there is nothing to deliver. */
    next: (filter: WebhookFilter): Batch | undefined => {
      const page = nextPage(filter);
      if (page === undefined) return undefined;
      tried = { id: tried?.id ?? newId(), upTo: page.to, attempts: (tried?.attempts ?? 0) + 1 };
      return { id: tried.id, attempt: tried.attempts, page };
    },
    /** To call when the receiver took the batch. */
    advance: ({ page }: Batch): void => {
      position = page.to;
      gap = undefined;
      tried = undefined;
    },
    /** Makes the next delivery a new one, because the filter or the receiver changed. */
    begin: (): void => {
      tried = undefined;
    },
    /** Skips all events until the next call of `next`, which delivers a gap in their place. */
    pause: (): void => {
      gap = gap === undefined ? { from: position, reason: 'paused' } : { from: gap.from, reason: gap.reason };
      tried = undefined;
    },
    position: (): number => position,
  };
}

/** The results of the last deliveries to one webhook; logs the first failure and the first success after it. */
function createDeliveryRecord(log: Log) {
  const kept: Delivery[] = [];
  let failingSinceMs: number | null = null;
  return {
    note: (delivery: Delivery, webhook: Webhook): void => {
      kept.unshift(delivery);
      kept.length = Math.min(kept.length, MAX_RESULTS);
      const { error, status, atMs } = delivery;
      const fields = { id: webhook.id, host: hostOfUrl(webhook.url), error: error?.code, status: status ?? undefined };
      if (error !== null && failingSinceMs === null) log.warn('a webhook fails; the hub tries again', fields);
      if (error === null && failingSinceMs !== null) log.info('a webhook works again', fields);
      failingSinceMs = error === null ? null : (failingSinceMs ?? atMs);
    },
    state: (isEnabled: boolean): Omit<WebhookState, 'cursor'> => ({
      status: isEnabled ? (failingSinceMs === null ? 'ok' : 'failing') : 'off',
      failingSinceMs,
      deliveries: [...kept],
    }),
    /** Forgets earlier failures, because the settings have changed. */
    forgive: (): void => {
      failingSinceMs = null;
    },
  };
}
