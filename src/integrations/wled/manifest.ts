import { defineKind } from '#integrations/kind.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { WLED_SETTINGS, type WledSettings } from './wled-settings.ts';

/** WLED: strips and lamps with addressable LEDs. */
export const wled = defineKind<WledSettings>({
  id: 'wled',
  name: 'WLED',
  about: 'LED strips and lamps with WLED firmware, each with its segments, effects and presets.',
  instances: 'many',
  settings: WLED_SETTINGS,
  settingsVersion: 1,
  help: [
    'Connect the light to your network with the WLED app or its own page.',
    'The hub finds it, or takes its address. Each light is set up for itself.',
  ],
  discovery: { mdns: ['_wled._tcp'], identify: identifyLight },
  load: () => import('./wled.ts').then(({ wledCode }) => wledCode),
});

const MAC = /^[0-9a-f]{12}$/i;

function identifyLight({ name, addresses, port, txt }: MdnsService) {
  const [address] = addresses;
  const mac = txt['mac'];
  if (address === undefined || mac === undefined || !MAC.test(mac)) return undefined;
  const bracketed = address.includes(':') ? `[${address}]` : address;
  return { uniqueId: mac.toLowerCase(), name, settings: { host: port === 80 ? address : `${bracketed}:${port}` } };
}
