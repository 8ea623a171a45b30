import { HubError } from '#base/hub-error.ts';
import type { ShownInstance, ShownSetting } from '#core/integration/instance.ts';
import type { Setting } from '#core/integration/integration-settings.ts';
import type { IntegrationDirectory } from '#http/integration/directory.ts';
import type { Integrations } from './hub-integrations.ts';

/** The fixed integrations in the form of instances, until the hub runs what is configured. */
export function createBrokerDirectory({
  supervisor,
  broker,
  brokerReach,
  safeMode,
}: Integrations): IntegrationDirectory {
  const list = (): readonly ShownInstance[] => {
    const { enabled, baseTopic } = broker.shown();
    return supervisor.reports().map(({ id, name, devices }) => {
      const isBrokered = id === 'zigbee2mqtt';
      return {
        id,
        kind: id.replaceAll('-', '_'),
        name,
        uniqueId: null,
        isChosen: !isBrokered || devices > 0 || broker.isChosen() || brokerReach.wasReached(),
        revision: 1,
        enabled: isBrokered ? enabled : { value: true, fixedBy: null },
        settings: isBrokered
          ? { broker: { type: 'value', value: 'mqtt', fixedBy: null }, base_topic: shown(baseTopic) }
          : {},
        fixedBy: null,
        problem: null,
      };
    });
  };
  const findBroker = (): ShownInstance => {
    const { address, user, password } = broker.shown();
    const about = { id: 'mqtt', kind: 'mqtt', name: 'MQTT broker', uniqueId: null, revision: 1 };
    const secret: ShownSetting = { type: 'secret', isSet: password.value, fixedBy: password.fixedBy };
    const settings = { address: shown(address), user: shown(user), password: secret };
    return {
      ...about,
      isChosen: true,
      enabled: { value: true, fixedBy: null },
      settings,
      fixedBy: null,
      problem: null,
    };
  };
  const refuse = (): never => {
    throw new HubError('NOT_SUPPORTED', 'This integration cannot be added or removed.');
  };
  return {
    list,
    find: (id) => (id === 'mqtt' ? findBroker() : list().find((one) => one.id === id)),
    stateOf: (id) => {
      const report = supervisor.reports().find((one) => one.id === id);
      const canPair = supervisor.findIntegration(id)?.openPairing !== undefined;
      return { status: supervisor.statusOf(id), devices: report?.devices ?? 0, canPair };
    },
    add: refuse,
    remove: refuse,
    change: async (id, { name, enabled, settings = {} }, { authorize }) => {
      const isBrokered = id === 'zigbee2mqtt' || id === 'mqtt';
      const isEmpty = enabled === undefined && Object.keys(settings).length === 0;
      if (name !== undefined || (!isBrokered && !(isEmpty || (enabled === true && safeMode.holds(id))))) {
        throw new HubError('NOT_SUPPORTED', 'This integration has no such settings.');
      }
      if (!isBrokered) return;
      const { address, user, password, base_topic: baseTopic } = settings as Readonly<Record<string, string>>;
      if (await broker.change({ enabled, address, user, password, baseTopic }, { authorize })) {
        await supervisor.restart('zigbee2mqtt');
      }
    },
    findPairing: (id) => supervisor.findIntegration(id)?.openPairing,
    isInSafeMode: safeMode.holds,
    endSafeMode: async (id, { authorize }) => {
      authorize();
      await safeMode.release(id);
      await supervisor.restart(id);
    },
  };
}

function shown({ value, fixedBy }: Setting<string | null>): ShownSetting {
  return { type: 'value', value, fixedBy };
}
