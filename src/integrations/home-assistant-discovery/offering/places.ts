import { createHash } from 'node:crypto';
import type { DeviceId } from '#core/device/device.ts';
import type { DiscoveryTopic } from '#integrations/home-assistant-discovery/message/discovery-message.ts';

/** How everything is called that one instance of one hub offers. None of it ever changes. */
export type Places = ReturnType<typeof placesOf>;

type CommandTopic = { readonly id: string; readonly component: string; readonly setting: string };

/** Begins the ids that any instance of this hub offers. */
export function hubNode(hubId: string): string {
  return `hearthd_${hashOf(hubId).slice(0, 12)}_`;
}

export function placesOf({ hubId, instance }: { readonly hubId: string; readonly instance: string }) {
  const node = `${hubNode(hubId)}${hashOf(instance).slice(0, 6)}`;
  const base = `hearthd/${node.slice('hearthd_'.length)}`;
  const command = new RegExp(`^${base}/set/([^/]+)/([^/]+)/([^/]+)$`);
  return {
    /** Its devices have ids that begin so. */
    node: `${node}_`,
    idOf: (device: DeviceId): string => `${node}_${device.replaceAll('-', '')}`,
    configTopic: (prefix: string, id: string): string => `${prefix}/device/${id}/config`,
    /** `online`, or `offline` as the last will. */
    statusTopic: `${base}/status`,
    stateTopic: (id: string, name: string): string => `${base}/${id.slice(node.length + 1)}/${name}`,
    commandTopic: (id: string, component: string, setting: string): string =>
      `${base}/set/${id.slice(node.length + 1)}/${component}/${setting}`,
    commandFilter: `${base}/set/#`,
    readCommandTopic: (topic: string): CommandTopic | undefined => {
      const [, device, component, setting] = command.exec(topic) ?? [];
      if (device === undefined || component === undefined || setting === undefined) return undefined;
      return { id: `${node}_${device}`, component, setting };
    },
  };
}

/** The id that a topic of a discovery message names, if an instance of this hub may have given it. */
export function offeredId({ component, node, object }: DiscoveryTopic, ownNode: string): string | undefined {
  return component === 'device' && node === null && object.startsWith(ownNode) ? object : undefined;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
