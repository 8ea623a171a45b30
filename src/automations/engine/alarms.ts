import type { Log } from '#base/log.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Effect } from '#core/automation-run/engine.ts';
import type { NotificationContent, Recipient } from '#core/notification/notification.ts';
import type { Notifications } from '#core/notification/notifications.ts';
import type { EngineAutomations } from './engine-ports.ts';

/** Tells owners and admins of automations that the hub stopped. */
export type Alarms = {
  readonly tripped: (trip: Extract<Effect, { kind: 'trip' }>) => void;
  readonly untripped: (id: AutomationId) => void;
  readonly suspended: (id: AutomationId, code: string) => void;
  /** It was saved or signed, and runs again. */
  readonly mended: (id: AutomationId) => void;
  readonly removed: (id: AutomationId) => void;
};

export type AlarmsDeps = {
  readonly notifications: Pick<Notifications, 'say' | 'resolve' | 'findLasting'>;
  readonly automations: Pick<EngineAutomations, 'nameOf'>;
  readonly log: Log;
};

const KEEPERS: readonly Recipient[] = ['role:owner', 'role:admin'];
const REASONS = {
  too_many_starts: 'It started again and again.',
  flapping: 'Automations moved a feature back and forth.',
} as const;

export function createAlarms({ notifications, automations, log }: AlarmsDeps): Alarms {
  const say = (id: AutomationId, key: string, words: Pick<NotificationContent, 'title' | 'text'>): void => {
    const source = { kind: 'automation', id } as const;
    notifications.say({ severity: 'warning', ...words, to: KEEPERS, key, deviceId: null, source, repeatS: null });
  };
  const resolve = (key: string): void => {
    if (notifications.findLasting(key) === undefined) return;
    notifications.resolve(key).catch((cause: unknown) => log.warn('a notification cannot be closed', { key, cause }));
  };
  return {
    tripped: ({ automation, reason, detail, chain, forMs }) => {
      const name = automations.nameOf(automation);
      const way = chain.map(automations.nameOf).toReversed().join(' → ');
      const words = [REASONS[reason], detail, ...(chain.length > 1 ? [`${way}.`] : [])].join(' ');
      log.warn('an automation was stopped for a time', { automation: name, reason, detail, forMs });
      const text = `${words} It is stopped for ${Math.round(forMs / 60_000)} minutes.`;
      say(automation, tripKey(automation), { title: `${name} was stopped`, text });
    },
    untripped: (id) => resolve(tripKey(id)),
    suspended: (id, code) => {
      const name = automations.nameOf(id);
      log.warn('an automation was suspended', { automation: name, code });
      const why =
        code === 'SIGNER_GONE'
          ? 'The person who signed it, or their API token, is gone.'
          : 'The person who signed it lacks a right that it needs.';
      const text = `${why} It runs again once somebody with the rights signs it.`;
      say(id, suspendKey(id), { title: `${name} was suspended`, text });
    },
    mended: (id) => resolve(suspendKey(id)),
    removed: (id) => {
      for (const key of [tripKey(id), suspendKey(id)]) resolve(key);
    },
  };
}

function tripKey(id: AutomationId): string {
  return `automation-tripped-${id}`;
}

function suspendKey(id: AutomationId): string {
  return `automation-suspended-${id}`;
}
