import type { Accounts } from '#auth/account/accounts.ts';
import type { Clock } from '#base/time/clock.ts';
import type { Log } from '#base/log.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { Listeners } from '#http/server/listeners.ts';
import type { HealthState } from '#http/system/json.ts';
import type { Supervisor } from '#integrations/supervisor.ts';
import type { Storage } from '#storage/storage.ts';

export type WatchedHub = {
  readonly hub: {
    readonly storage: Pick<Storage, 'health'>;
    readonly devices: Pick<DeviceRegistry, 'devices'>;
    readonly integrations: { readonly supervisor: Pick<Supervisor, 'reports'> };
    readonly people: { readonly accounts: Pick<Accounts, 'hasOwner'> };
  };
  readonly healthStatus: () => HealthState;
};

type VitalSignsDeps = {
  /** `undefined` between two hubs. */
  readonly findHub: () => WatchedHub | undefined;
  readonly listeners: () => Pick<Listeners, 'bound' | 'unbound' | 'lookAgeMs'> | undefined;
  readonly clock: Pick<Clock, 'monotonicMs'>;
  readonly log: Log;
  /** What a person types before the name of a command. */
  readonly hubCommand: string;
};

/** The listeners check the network every two seconds. */
const LOOK_WITHIN_MS = 20_000;
/** Checking and repairing a database takes a few minutes: an opening that takes longer hangs. */
const OPEN_WITHIN_MS = 30 * 60_000;

/** Collects the signs by which the service manager sees that the hub lives. */
export function createVitalSigns({ findHub, listeners, clock, log, hubCommand }: VitalSignsDeps) {
  let openingMs = 0;
  let missingMs: number | undefined;

  /** Repeated failures to open are no reason to end: a new process would do no better, and answer no request meanwhile. */
  const checkOpening = (): void => {
    const nowMs = clock.monotonicMs();
    missingMs ??= nowMs;
    if (nowMs - Math.max(openingMs, missingMs) > OPEN_WITHIN_MS) throw new Error('the storage does not open');
  };
  const checkListeners = (): void => {
    const ageMs = listeners()?.lookAgeMs() ?? 0;
    if (ageMs > LOOK_WITHIN_MS) throw new Error(`no check of the network for ${Math.round(ageMs / 1000)} s`);
  };
  return {
    /** Call it at each attempt to open the storage. */
    noteOpening: (): void => void (openingMs = clock.monotonicMs()),
    /**
     * Resolves if the storage answers, even with an error, and the listeners follow the network. Rejects with what hangs.
     * Does not settle while the storage does not answer.
     */
    checkAlive: async (): Promise<void> => {
      checkListeners();
      const open = findHub();
      if (open === undefined) return checkOpening();
      missingMs = undefined;
      try {
        await open.hub.storage.health();
      } catch (cause) {
        // The hub's health reports a full or broken disk. Here it counts that the thread answers.
        log.debug('the storage answered the watchdog with an error', { cause });
      }
    },
    /** One line in words: served addresses, number of devices, state of the integrations. */
    describe: (): string => {
      const open = findHub();
      const parts = [describeAddresses(listeners())];
      if (open === undefined) return [...parts, 'the storage is being opened'].join(', ');
      const { hub, healthStatus } = open;
      parts.push(count(hub.devices.devices().length, 'device'));
      const used = hub.integrations.supervisor.reports().filter(({ status }) => status.state !== 'off');
      parts.push(...used.map(({ id, status }) => `${id} ${status.state}`));
      if (!hub.people.accounts.hasOwner()) parts.push(`no owner yet (${hubCommand} claim)`);
      if (healthStatus() !== 'ok') parts.push(`something needs you (${hubCommand} doctor)`);
      return parts.join(', ');
    },
  };
}

function describeAddresses(listeners: Pick<Listeners, 'bound' | 'unbound'> | undefined): string {
  const served = listeners?.bound().filter(isOfNetwork) ?? [];
  const missing = listeners?.unbound().filter(isOfNetwork) ?? [];
  const reasons = [...new Set(missing.map(({ reason }) => reason))].join(', ');
  const failed = missing.length === 0 ? '' : `, ${count(missing.length, 'address')} not available (${reasons})`;
  if (served.length > 0) return `serving ${count(served.length, 'address')}${failed}`;
  return missing.length === 0 ? 'waiting for a network address' : `serving none${failed}`;
}

function isOfNetwork({ interface: name }: { readonly interface: string }): boolean {
  return name !== 'lo';
}

function count(number: number, noun: string): string {
  const ending = noun.endsWith('s') ? 'es' : 's';
  return `${number} ${noun}${number === 1 ? '' : ending}`;
}
