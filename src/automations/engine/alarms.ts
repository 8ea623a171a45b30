import type { Log } from '#base/log.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Effect } from '#core/automation-run/engine.ts';
import type { NotificationContent, Recipient } from '#core/notification/notification.ts';
import type { Notifications } from '#core/notification/notifications.ts';
import type { EngineAutomations } from './engine-ports.ts';
import type { LiveHome } from './live-view.ts';
import { type DeviceId, deviceName } from '#core/device/device.ts';
import { worded } from '#core/notification/worded.ts';

/** Tells owners and admins of automations that the hub stopped. */
export type Alarms = ReturnType<typeof createAlarms>;

export type AlarmsDeps = {
  readonly notifications: Pick<Notifications, 'say' | 'resolve' | 'findLasting'>;
  readonly automations: Pick<EngineAutomations, 'nameOf'>;
  readonly home: { readonly devices: Pick<LiveHome['devices'], 'findDevice'> };
  readonly log: Log;
};

const KEEPERS: readonly Recipient[] = ['role:owner', 'role:admin'];

export function createAlarms({ notifications, automations, home, log }: AlarmsDeps) {
  type Words = Pick<NotificationContent, 'title' | 'text' | 'wording'>;
  const say = (id: AutomationId, key: string, words: Words & { readonly deviceId?: DeviceId }): void => {
    const source = { kind: 'automation', id } as const;
    notifications.say({ severity: 'warning', deviceId: null, ...words, to: KEEPERS, key, source, repeatS: null });
  };
  const resolve = (key: string): void => {
    if (notifications.findLasting(key) === undefined) return;
    notifications.resolve(key).catch((cause: unknown) => log.warn('a notification cannot be closed', { key, cause }));
  };
  return {
    tripped: ({
      automation: id,
      reason,
      detail,
      device: fought,
      chain,
      forMs,
    }: Extract<Effect, { kind: 'trip' }>): void => {
      const values = { automation: automations.nameOf(id), for_s: Math.round(forMs / 1_000) };
      log.warn('an automation was stopped for a time', { automation: values.automation, reason, detail, forMs });
      const device = fought === undefined ? undefined : home.devices.findDevice(fought);
      const way = chain.map(automations.nameOf).toReversed().join(' → ');
      const words =
        device !== undefined
          ? worded('automation_fought', { ...values, device: deviceName(device) })
          : chain.length > 1
            ? worded('automation_circled', { ...values, way })
            : worded('automation_looped', values);
      say(id, tripKey(id), { ...words, ...(device && { deviceId: device.id }) });
    },
    untripped: (id: AutomationId): void => resolve(tripKey(id)),
    suspended: (id: AutomationId, code: string): void => {
      const name = automations.nameOf(id);
      log.warn('an automation was suspended', { automation: name, code });
      const why = code === 'SIGNER_GONE' ? 'signer_gone' : 'signer_lacks_right';
      say(id, suspendKey(id), worded(why, { automation: name }));
    },
    /** It was saved or signed, and runs again. */
    mended: (id: AutomationId): void => resolve(suspendKey(id)),
    removed: (id: AutomationId): void => {
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
