import type { Clock } from '#base/clock.ts';
import { isSameJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import type { IntegrationStatus } from '#core/event.ts';

/** The last known status of each integration. */
export type StatusBoard = {
  readonly statusOf: (integration: string) => IntegrationStatus;
  /** Does nothing where it is so already. */
  readonly setStatus: (
    integration: string,
    state: IntegrationStatus['state'],
    error: IntegrationStatus['error'],
  ) => void;
};

export type StatusBoardDeps = {
  readonly onStatus: (integration: string, status: IntegrationStatus) => void;
  readonly clock: Clock;
  readonly log: Log;
};

export function createStatusBoard({ onStatus, clock, log }: StatusBoardDeps): StatusBoard {
  const statuses = new Map<string, IntegrationStatus>();
  const createdMs = clock.wallMs();

  const statusOf = (id: string): IntegrationStatus =>
    statuses.get(id) ?? { state: 'off', sinceMs: createdMs, error: null };
  return {
    statusOf,
    setStatus: (id, state, error) => {
      const old = statusOf(id);
      if (old.state === state && isSameJson(old.error, error)) return;
      const status = { state, sinceMs: old.state === state ? old.sinceMs : clock.wallMs(), error };
      statuses.set(id, status);
      // The integration itself says in its own words, once, that its link is lost or back.
      log.debug(`${id} is ${state}`, { code: error?.code });
      onStatus(id, status);
    },
  };
}
