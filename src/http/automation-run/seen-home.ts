import { type Caller, canCaller } from '#auth/caller.ts';
import type { Scope } from '#auth/scope.ts';
import { visibilityFor } from '#auth/visibility.ts';
import type { JsonValue } from '#base/json.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { Words } from '#core/automation-run/why/sentence.ts';
import { type Device, type DeviceId, deviceName } from '#core/device/device.ts';
import type { User, UserId } from '#core/person/user.ts';
import { timeJson } from '#http/answer/time-json.ts';
import { seesLocation } from '#http/rights/access.ts';
import { seesHouse } from '#http/series/named-series.ts';

/** The home as the reader of a trace may see it. */
export type SeenHome = {
  readonly seesDevice: (id: DeviceId) => boolean;
  /** Whether it may see everything that a trace can have. */
  readonly isWhole: boolean;
  readonly seesPresence: boolean;
  /** With its height at a moment, the sun would tell where the home is. */
  readonly seesSun: boolean;
  readonly seesAutomations: boolean;
  /** The selector; the id of one that is gone. */
  readonly selectorOf: (id: DeviceId) => string;
  readonly automationOf: (id: AutomationId) => AutomationRecord | undefined;
  /** Only for who sees the whole home. */
  readonly personOf: (id: string) => Pick<User, 'id' | 'name'> | undefined;
  readonly words: Words;
};

export type SeenHomeDeps = {
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
  readonly automations: Pick<AutomationRegistry, 'find' | 'findInTrash'>;
  readonly accounts: { readonly findUser: (id: UserId) => Pick<User, 'id' | 'name'> | undefined };
};

/** `right`: with which devices are seen. */
export function seenHomeFor(
  caller: Caller,
  { registry, automations, accounts }: SeenHomeDeps,
  right: Scope = 'device:read',
): SeenHome {
  const { isWhole, seesDevice } = visibilityFor(caller, right);
  const seesAutomations = canCaller(caller, 'automation:read', 'home');
  const find = (id: string): Device | undefined => {
    const device = registry.findDevice(id);
    return device !== undefined && seesDevice(device) ? device : undefined;
  };
  const isSeen = (id: DeviceId): boolean => {
    const device = registry.findDevice(id);
    return device === undefined ? isWhole : seesDevice(device);
  };
  const featureOf = (id: string, key: string) => find(id)?.features.find((feature) => feature.key === key);
  return {
    seesDevice: isSeen,
    isWhole,
    seesPresence: seesHouse(caller, 'presence'),
    seesSun: seesLocation(caller),
    selectorOf: (id) => registry.findDevice(id)?.selector ?? id,
    seesAutomations,
    automationOf: (id) => (seesAutomations ? (automations.find(id) ?? automations.findInTrash(id)) : undefined),
    personOf: (id) => (isWhole ? accounts.findUser(id as UserId) : undefined),
    words: {
      deviceName: (id) => {
        const device = find(id);
        return device === undefined ? undefined : deviceName(device);
      },
      featureName: (id, key) => {
        const device = find(id);
        const name = featureOf(id, key)?.name ?? key;
        return device === undefined ? undefined : `${deviceName(device)} (${name})`;
      },
      valueText: (value, of) =>
        valueText(value, of === undefined ? null : (featureOf(of.device, of.key)?.unit ?? null)),
      timeText: (atMs) => timeJson(atMs),
    },
  };
}

function valueText(value: JsonValue | undefined, unit: string | null): string {
  if (value === undefined) return 'hidden';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return unit === null || typeof value !== 'number' ? text : `${text} ${unit}`;
}
