import type { KnownDevice } from '#integrations/zigbee2mqtt/inventory/known-device.ts';

export type DeviceTopic = { readonly externalId: string; readonly kind: 'state' | 'availability' };

/** The exact topics of each device. Wildcards would miss names with a slash, or fetch far too much. */
export type DeviceTopics = ReturnType<typeof createDeviceTopics>;

export function createDeviceTopics(baseTopic: string) {
  const byTopic = new Map<string, DeviceTopic>();
  const byDevice = new Map<string, readonly string[]>();

  const claimOne = (device: KnownDevice): readonly string[] => {
    const { externalId } = device.description;
    if (device.topicName === null || device.isDisabled) return [];
    const topic = `${baseTopic}/${device.topicName}`;
    const names = [
      [topic, 'state'],
      [`${topic}/availability`, 'availability'],
    ] as const;
    // Names may clash (`lamp` and `lamp/availability`): the device that has a topic keeps it.
    const free = names.filter(([name]) => !byTopic.has(name));
    for (const [name, kind] of free) byTopic.set(name, { externalId, kind });
    const claimed = free.map(([name]) => name);
    byDevice.set(externalId, claimed);
    return claimed;
  };

  const releaseOne = (externalId: string): readonly string[] => {
    const topics = byDevice.get(externalId) ?? [];
    for (const topic of topics) byTopic.delete(topic);
    byDevice.delete(externalId);
    return topics;
  };

  const requestTopicOf = (device: KnownDevice, request: 'set' | 'get'): string => {
    const { topicName, description } = device;
    // Upstream splits a topic at its first `set` or `get`, so a device with such a name is addressed by its address.
    const isAmbiguous = topicName === null || /(^|\/)[gs]et(\/|$)/.test(topicName);
    return `${baseTopic}/${isAmbiguous ? description.externalId : topicName}/${request}`;
  };

  return {
    find: (topic: string): DeviceTopic | undefined => byTopic.get(topic),
    findNamed: (topicName: string): DeviceTopic | undefined => byTopic.get(`${baseTopic}/${topicName}`),
    release: (externalIds: readonly string[]): readonly string[] => externalIds.flatMap(releaseOne),
    /**
     * Adds the topics of these devices by their present names, and returns them. Release those of earlier names first.
     */
    claim: (devices: readonly KnownDevice[]): readonly string[] => devices.flatMap(claimOne),
    setTopicOf: (device: KnownDevice): string => requestTopicOf(device, 'set'),
    getTopicOf: (device: KnownDevice): string => requestTopicOf(device, 'get'),
    groupSetTopicOf: ({ topicName }: { readonly topicName: string }): string => `${baseTopic}/${topicName}/set`,
  };
}
