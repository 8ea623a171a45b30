import { defineKind } from '#integrations/kind.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { HUE_SETTINGS, type HueSettings } from './hue-settings.ts';
import { words } from '#integrations/hue/words/en.ts';

/** Philips Hue: the lamps, switches and sensors of a bridge. */
export const hue = defineKind<HueSettings>({
  id: 'hue',
  ...words.kind,
  instances: 'many',
  settings: HUE_SETTINGS,
  settingsVersion: 1,
  canPair: true,
  discovery: { mdns: ['_hue._tcp'], identify: identifyBridge },
  load: () => import('./hue.ts').then(({ hueCode }) => hueCode),
});

const BRIDGE_ID = /^[0-9a-f]{16}$/i;

function identifyBridge({ name, addresses, txt }: MdnsService) {
  const [host] = addresses;
  const bridgeId = txt['bridgeid'];
  if (host === undefined || bridgeId === undefined || !BRIDGE_ID.test(bridgeId)) return undefined;
  return { uniqueId: bridgeId.toLowerCase(), name, settings: { host } };
}
