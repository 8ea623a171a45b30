import type { IntegrationKind } from './kind.ts';
import { esphome } from '#integrations/esphome/manifest.ts';
import { homeAssistantDiscovery } from '#integrations/home-assistant-discovery/manifest.ts';
import { hue } from '#integrations/hue/manifest.ts';
import { matter } from '#integrations/matter/manifest.ts';
import { matterBridge } from '#integrations/matter-bridge/manifest.ts';
import { mqtt } from '#integrations/mqtt/manifest.ts';
import { provider } from '#integrations/provider/manifest.ts';
import { simulatedHome } from '#integrations/simulated-home/manifest.ts';
import { shelly } from '#integrations/shelly/manifest.ts';
import { tasmota } from '#integrations/tasmota/manifest.ts';
import { wled } from '#integrations/wled/manifest.ts';
import { zwave } from '#integrations/zwave/manifest.ts';
import { zigbee2mqtt } from '#integrations/zigbee2mqtt/manifest.ts';

/** Every way to reach devices that the program knows. A new one is its folder and one line here. */
export const KINDS: readonly IntegrationKind[] = [
  mqtt,
  zigbee2mqtt,
  simulatedHome,
  hue,
  esphome,
  shelly,
  tasmota,
  wled,
  zwave,
  homeAssistantDiscovery,
  matter,
  matterBridge,
  provider,
];
