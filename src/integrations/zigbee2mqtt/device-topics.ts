import type { KnownDevice } from './known-device.ts';

export type DeviceTopic = { readonly externalId: string; readonly kind: 'state' | 'availability' };

/** Which exact topics belong to which device. Wildcards would miss names with a slash or fetch far too much. */
export type DeviceTopics = {
  readonly find: (topic: string) => DeviceTopic | undefined;
  /** Moves to the present names of these devices. */
  readonly update: (changed: readonly KnownDevice[], removed: readonly string[]) => TopicChange;
  readonly setTopicOf: (device: KnownDevice) => string;
  readonly getTopicOf: (device: KnownDevice) => string;
};

export type TopicChange = { readonly add: readonly string[]; readonly remove: readonly string[] };

export function createDeviceTopics(baseTopic: string): DeviceTopics {
  const byTopic = new Map<string, DeviceTopic>();
  const byDevice = new Map<string, readonly string[]>();

  const claim = (device: KnownDevice): void => {
    const { externalId } = device.description;
    if (device.topicName === null || device.isDisabled) return;
    const topic = `${baseTopic}/${device.topicName}`;
    const wanted = [
      [topic, 'state'],
      [`${topic}/availability`, 'availability'],
    ] as const;
    // Names may clash (`lamp` and `lamp/availability`): who has a topic keeps it.
    const own = wanted.filter(([name]) => !byTopic.has(name));
    for (const [name, kind] of own) byTopic.set(name, { externalId, kind });
    byDevice.set(
      externalId,
      own.map(([name]) => name),
    );
  };

  const release = (externalId: string): readonly string[] => {
    const topics = byDevice.get(externalId) ?? [];
    for (const topic of topics) byTopic.delete(topic);
    byDevice.delete(externalId);
    return topics;
  };

  const requestTopicOf = (device: KnownDevice, request: 'set' | 'get'): string => {
    const { topicName, description } = device;
    // Upstream splits a topic at its first `set` or `get`; a device whose name has one is reached by its address.
    const isAmbiguous = topicName === null || /(^|\/)[gs]et(\/|$)/.test(topicName);
    return `${baseTopic}/${isAmbiguous ? description.externalId : topicName}/${request}`;
  };

  return {
    find: (topic) => byTopic.get(topic),
    update: (changed, removed) => {
      const before = [...removed, ...changed.map((device) => device.description.externalId)].flatMap(release);
      for (const device of changed) claim(device);
      const now = new Set(changed.flatMap((device) => byDevice.get(device.description.externalId) ?? []));
      const old = new Set(before);
      return {
        add: [...now].filter((topic) => !old.has(topic)),
        remove: before.filter((topic) => !byTopic.has(topic)),
      };
    },
    setTopicOf: (device) => requestTopicOf(device, 'set'),
    getTopicOf: (device) => requestTopicOf(device, 'get'),
  };
}
