import { isSameJson } from '#base/json.ts';
import type { Runtime } from '#base/time/runtime.ts';
import type { IntegrationStatus } from '#core/integration/integration-status.ts';

export type StatusBoard = ReturnType<typeof createStatusBoard>;

type StatusBoardDeps = Pick<Runtime, 'clock' | 'log'> & {
  readonly onStatus: (integration: string, status: IntegrationStatus) => void;
};

export function createStatusBoard({ onStatus, clock, log }: StatusBoardDeps) {
  const statuses = new Map<string, IntegrationStatus>();
  const errors = new Map<string, IntegrationStatus['error']>();
  const faults = new Map<string, IntegrationStatus['error']>();
  const createdMs = clock.wallMs();

  const statusOf = (id: string): IntegrationStatus =>
    statuses.get(id) ?? { state: 'off', sinceMs: createdMs, error: null };
  const show = (id: string, state: IntegrationStatus['state']): void => {
    const error = errors.get(id) ?? faults.get(id) ?? null;
    const old = statusOf(id);
    if (old.state === state && isSameJson(old.error, error)) return;
    const status = { state, sinceMs: old.state === state ? old.sinceMs : clock.wallMs(), error };
    statuses.set(id, status);
    // The integration itself logs, once each, that its link is lost or back.
    log.debug(`${id} is ${state}`, { code: error?.code });
    onStatus(id, status);
  };
  return {
    statusOf,
    /** Does nothing if nothing changes. */
    setStatus: (id: string, state: IntegrationStatus['state'], error: IntegrationStatus['error']): void => {
      errors.set(id, error);
      show(id, state);
    },
    /** The integration does not run, as configured. */
    setOff: (id: string): void => {
      errors.delete(id);
      faults.delete(id);
      show(id, 'off');
    },
    /** It is not there any more. */
    forget: (id: string): void => {
      for (const known of [statuses, errors, faults]) known.delete(id);
    },
    /** The hub's own complaint about the integration. Shown as its error while it reports none itself. */
    setFault: (id: string, fault: IntegrationStatus['error']): void => {
      faults.set(id, fault);
      show(id, statusOf(id).state);
    },
  };
}
