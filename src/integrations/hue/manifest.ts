import { defineKind } from '#integrations/kind.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { HUE_SETTINGS, type HueSettings } from './hue-settings.ts';

/** Philips Hue: the lamps, switches and sensors of a bridge. */
export const hue = defineKind<HueSettings>({
  id: 'hue',
  name: 'Philips Hue',
  about: 'Lamps, plugs, switches and sensors of a Hue bridge (the square one, or newer).',
  instances: 'many',
  settings: HUE_SETTINGS,
  settingsVersion: 1,
  canPair: true,
  pairingHint:
    'Switch a new lamp on, or hold the button of a switch or sensor for ten seconds. The bridge searches for about a minute.',
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
