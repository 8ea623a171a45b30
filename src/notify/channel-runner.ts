import type { Runtime } from '#base/time/runtime.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { waitMs } from '#base/time/timer.ts';
import type { Channel, ChannelState } from '#core/notification/channel.ts';
import { likeKindOf, together } from '#core/notification/worded.ts';
import {
  type ChannelDelivery,
  isOpen,
  type Notification,
  type NotificationId,
  SEVERITIES,
} from '#core/notification/notification.ts';

/** How one attempt ended. `status` is that of an HTTP answer. */
export type SendResult = {
  readonly status: number | null;
  readonly error: { readonly code: string; readonly message: string } | null;
};

/** Sends by one channel. Never rejects for a failure, which is part of the result, and ends within some seconds. */
export type Send = (notification: Notification, what: Job['what'], signal: AbortSignal) => Promise<SendResult>;

/** Sends what is for one channel, one after the other, and waits for no other channel. */
export type ChannelRunner = ReturnType<typeof createChannelRunner>;

type ChannelRunnerDeps = Pick<Runtime, 'clock' | 'startTimer' | 'random' | 'log'> & {
  readonly channel: Channel;
  readonly send: Send;
  readonly find: (id: NotificationId) => Notification | undefined;
  readonly note: (id: NotificationId, delivery: ChannelDelivery) => void;
  /** Wall time until which its person wants to be left alone; `null` for now. */
  readonly quietUntilMs: () => number | null;
  readonly nowMs: () => number;
};

const RETRY_DELAYS = { minMs: 5_000, maxMs: 300_000 };
const HOUR_MS = 3_600_000;
/** Yesterday's news helps nobody; a critical one comes again by itself while it is open. */
const GIVE_UP_MS = { info: 6 * HOUR_MS, warning: 6 * HOUR_MS, critical: 24 * HOUR_MS };
/** A clock that was set must not hold back for hours what may go. */
const LONGEST_WAIT_MS = 900_000;
/** An end of the quiet hours that is always near must not keep the hub busy. */
const LEAST_WAIT_MS = 1_000;
/** Answers after which another attempt makes sense. */
const PASSING = new Set([408, 425, 429]);
/** A receiver that is away for hours must not cost memory without end. */
const MAX_JOBS = 200;

export function createChannelRunner(deps: ChannelRunnerDeps) {
  const { channel, clock, find, log, startTimer } = deps;
  const queue = createDeliveryQueue();
  const delays = createRetryDelays(RETRY_DELAYS, deps.random);
  const ended = new AbortController();
  let pause = new AbortController();
  let ring: () => void = () => undefined;
  const record = createRecord(deps);

  const { settle, drop } = createOutcomes(deps);
  const forget = (id: NotificationId): void =>
    drop(queue.remove(id), 'no_longer_needed', 'it was acknowledged or over before it could be sent');

  /** Returns whether the next job may go at once. */
  const attempt = async (job: Job): Promise<boolean> => {
    if (job.what === 'show' && !isWanted(find(job.id))) {
      forget(job.id);
      return true;
    }
    job.attempts += 1;
    const likes = likesOf(deps, job, queue.jobs());
    const result = await deps.send(messageOf(deps, job, likes), job.what, ended.signal);
    if (ended.signal.aborted) return false;
    record.note(result);
    settleAttempt({ queue, settle }, { job, likes, result, isOver: isLast(job, result, clock.monotonicMs()) });
    if (result.error === null) delays.reset();
    return result.error === null || isFinal(result);
  };
  /** A bug would come again with this job: it is over, and the next one is sent. */
  const attemptOrDrop = (job: Job): Promise<boolean> =>
    attempt(job).catch((cause: unknown) => {
      log.error('a notification could not be sent', { id: channel.id, notification: job.id, cause });
      drop(queue.remove(job.id), 'internal_error', 'the hub failed to send it');
      return false;
    });
  const run = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      const quietMs = deps.quietUntilMs();
      const job = queue.next(({ severity, what }) => quietMs === null || severity === 'critical' || what === 'close');
      pause = new AbortController();
      if (job === undefined) {
        const asleep = new Promise<void>((resolve) => (ring = resolve));
        const waitsForMs = queue.jobs().length === 0 || quietMs === null ? null : quietMs - clock.wallMs();
        if (waitsForMs === null) await asleep;
        else {
          const ms = Math.max(LEAST_WAIT_MS, Math.min(waitsForMs, LONGEST_WAIT_MS));
          await Promise.race([asleep, waitMs(ms, startTimer, pause.signal)]);
        }
        pause.abort();
      } else if (!(await attemptOrDrop(job))) await waitMs(delays.nextMs(), startTimer, pause.signal);
    }
  };
  const running = run().catch((cause: unknown) => {
    log.error('sending notifications by a channel ended', { id: channel.id, cause });
  });
  return {
    enqueue: ({ id, severity }: Notification, what: Job['what']): void => {
      const job: Job = { id, what, severity, sinceMs: clock.monotonicMs(), attempts: 0 };
      drop(queue.add(job), 'too_many', 'too many notifications wait for this channel');
      ring();
    },
    /** It needs nobody any more. */
    forget,
    /** The other side is there again: what waits is tried at once. */
    kick: (): void => {
      pause.abort();
      ring();
    },
    state: record.state,
    test: async (notification: Notification): Promise<SendResult> => {
      const result = await deps.send(notification, 'show', ended.signal);
      record.note(result);
      if (result.error === null) pause.abort();
      return result;
    },
    stop: async (): Promise<void> => {
      ended.abort();
      pause.abort();
      ring();
      await running;
    },
  };
}

/** The jobs that wait with the same news of other devices. Programs at the other side get each by itself. */
function likesOf(
  { channel, find }: Pick<ChannelRunnerDeps, 'channel' | 'find'>,
  job: Job,
  jobs: readonly Job[],
): readonly Job[] {
  const own = find(job.id);
  const kind = channel.type === 'ntfy' && isWanted(own) ? likeKindOf(own) : undefined;
  return jobs.filter(({ id, what }) => {
    const other = id === job.id || what !== 'show' || kind === undefined ? undefined : find(id);
    return isWanted(other) && likeKindOf(other) === kind;
  });
}

type Attempt = {
  readonly job: Job;
  readonly likes: readonly Job[];
  readonly result: SendResult;
  readonly isOver: boolean;
};
type Ends = Pick<ReturnType<typeof createOutcomes>, 'settle'> & {
  readonly queue: ReturnType<typeof createDeliveryQueue>;
};

function settleAttempt({ queue, settle }: Ends, { job, likes, result: { error }, isOver }: Attempt): void {
  if (isOver) queue.end(job);
  settle(job, error === null ? 'accepted' : isOver ? 'failed' : 'retrying', error);
  // One push said it for all of them. After a failure each has its own next attempt.
  for (const like of error === null ? likes : []) {
    queue.end(like);
    settle({ ...like, attempts: like.attempts + 1 }, 'accepted', null);
  }
}

/** Makes the message of a job, which says it for its likes too. */
function messageOf({ find }: Pick<ChannelRunnerDeps, 'find'>, { id }: Job, likes: readonly Job[]): Notification {
  const own = find(id) ?? goneWith(id);
  return likes.length === 0 ? own : together([own, ...likes.flatMap((like) => find(like.id) ?? [])]);
}

function createOutcomes({ channel, note, nowMs }: Pick<ChannelRunnerDeps, 'channel' | 'note' | 'nowMs'>) {
  const settle = (job: Job, state: ChannelDelivery['state'], error: ChannelDelivery['error']): void => {
    if (job.what !== 'show') return;
    note(job.id, { channel: channel.id, state, attempts: job.attempts, atMs: nowMs(), error });
  };
  return {
    settle,
    drop: (job: Job | undefined, code: string, message: string): void => {
      if (job !== undefined) settle(job, 'failed', { code, message });
    },
  };
}

/** The last attempt; logs the first failure and the first success after it. */
function createRecord({ channel, nowMs, log }: Pick<ChannelRunnerDeps, 'channel' | 'nowMs' | 'log'>) {
  let last: ChannelState['lastAttempt'] = null;
  let failingSinceMs: number | null = null;
  return {
    note: ({ status, error }: SendResult): void => {
      const fields = { id: channel.id, type: channel.type, error: error?.code, status: status ?? undefined };
      if (error !== null && failingSinceMs === null) log.warn('a channel of notifications fails', fields);
      if (error === null && failingSinceMs !== null) log.info('a channel of notifications works again', fields);
      failingSinceMs = error === null ? null : (failingSinceMs ?? nowMs());
      last = { atMs: nowMs(), status, error };
    },
    state: (): ChannelState => ({
      status: channel.enabled ? (failingSinceMs === null ? 'ok' : 'failing') : 'off',
      failingSinceMs,
      lastAttempt: last,
    }),
  };
}

function isWanted(notification: Notification | undefined): notification is Notification {
  return notification !== undefined && isOpen(notification);
}

function isLast({ sinceMs, severity }: Job, result: SendResult, nowMs: number): boolean {
  return result.error === null || isFinal(result) || nowMs - sinceMs > GIVE_UP_MS[severity];
}

function isFinal({ status, error }: SendResult): boolean {
  if (error === null) return false;
  if (error.code === 'invalid_url' || error.code === 'address_refused' || error.code === 'redirect_refused')
    return true;
  return status !== null && status >= 400 && status < 500 && !PASSING.has(status);
}

/** Makes the little that a channel needs to take back a notification that is not kept any more. */
function goneWith(id: NotificationId): Notification {
  return {
    id,
    severity: 'info',
    title: '',
    text: '',
    to: [],
    key: null,
    builtIn: null,
    deviceId: null,
    source: { kind: 'hub', id: '' },
    count: 1,
    createdAtMs: 0,
    updatedAtMs: 0,
    repeatS: null,
    acknowledged: null,
    resolvedAtMs: 0,
    deliveries: [],
  };
}

/** One notification on its way to one channel. `close`: it needs nobody any more, for a channel that keeps it shown. */
type Job = {
  readonly id: NotificationId;
  readonly what: 'show' | 'close';
  readonly severity: Notification['severity'];
  /** Monotonic. */
  readonly sinceMs: number;
  attempts: number;
};

/** Orders the jobs of one channel: the most urgent first, then the oldest. Each notification has one job. */
function createDeliveryQueue() {
  const jobs = new Map<NotificationId, Job>();
  const remove = (id: NotificationId): Job | undefined => {
    const job = jobs.get(id);
    jobs.delete(id);
    return job;
  };
  const best = (candidates: readonly Job[], isBetter: (one: number, other: number) => boolean): Job | undefined =>
    candidates.reduce<Job | undefined>((found, job) => {
      return found === undefined || isBetter(rankOf(job), rankOf(found)) ? job : found;
    }, undefined);
  return {
    /** Takes the place of a job for the same notification. Returns the job for which there is no room. */
    add: (job: Job): Job | undefined => {
      jobs.set(job.id, job);
      if (jobs.size <= MAX_JOBS) return undefined;
      const least = best([...jobs.values()], (one, other) => one < other);
      return least && remove(least.id);
    },
    /** The first that may go now. */
    next: (mayGo: (job: Job) => boolean): Job | undefined =>
      best([...jobs.values()].filter(mayGo), (one, other) => one > other),
    remove,
    /** A newer job for the same notification may have come meanwhile, and is not over with this one. */
    end: (job: Job): void => {
      if (jobs.get(job.id) === job) jobs.delete(job.id);
    },
    jobs: (): readonly Job[] => [...jobs.values()],
  };
}

function rankOf({ severity }: Job): number {
  return SEVERITIES.indexOf(severity);
}
