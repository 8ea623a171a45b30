import { type Notification, type NotificationId, SEVERITIES } from '#core/notification/notification.ts';

/** One notification on its way to one channel. `close`: it needs nobody any more, for a channel that keeps it shown. */
export type Job = {
  readonly id: NotificationId;
  readonly what: 'show' | 'close';
  readonly severity: Notification['severity'];
  /** Monotonic. */
  readonly sinceMs: number;
  attempts: number;
};

/** What waits for one channel: the most urgent first, then the oldest. One job for each notification. */
type DeliveryQueue = {
  /** Takes the place of a job for the same notification. Returns the job for which there is no room. */
  readonly add: (job: Job) => Job | undefined;
  /** The first that may go now. */
  readonly next: (mayGo: (job: Job) => boolean) => Job | undefined;
  readonly remove: (id: NotificationId) => Job | undefined;
  readonly jobs: () => readonly Job[];
};

/** A receiver that is away for hours must not cost memory without end. */
const MAX_JOBS = 200;

export function createDeliveryQueue(): DeliveryQueue {
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
    add: (job) => {
      jobs.set(job.id, job);
      if (jobs.size <= MAX_JOBS) return undefined;
      const least = best([...jobs.values()], (one, other) => one < other);
      return least && remove(least.id);
    },
    next: (mayGo) => best([...jobs.values()].filter(mayGo), (one, other) => one > other),
    remove,
    jobs: () => [...jobs.values()],
  };
}

function rankOf({ severity }: Job): number {
  return SEVERITIES.indexOf(severity);
}
