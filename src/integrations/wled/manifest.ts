import { defineKind } from '#integrations/kind.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { WLED_SETTINGS, type WledSettings } from './wled-settings.ts';
import { words } from '#integrations/wled/words/en.ts';

/** WLED: strips and lamps with addressable LEDs. */
export const wled = defineKind<WledSettings>({
  id: 'wled',
  ...words.kind,
  instances: 'many',
  settings: WLED_SETTINGS,
  settingsVersion: 1,
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
