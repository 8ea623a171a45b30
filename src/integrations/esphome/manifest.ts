import { defineKind } from '#integrations/kind.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { ESPHOME_SETTINGS, type EsphomeSettings } from './esphome-settings.ts';
import { words } from '#integrations/esphome/words/en.ts';

/** ESPHome: boards with a firmware that their owners put together. */
export const esphome = defineKind<EsphomeSettings>({
  id: 'esphome',
  ...words.kind,
  instances: 'many',
  settings: ESPHOME_SETTINGS,
  settingsVersion: 1,
  discovery: { mdns: ['_esphomelib._tcp'], identify: identifyNode },
  load: () => import('./esphome.ts').then(({ esphomeCode }) => esphomeCode),
});

const MAC = /^[0-9a-f]{12}$/;
const DEFAULT_PORT = 6_053;

function identifyNode({ name, addresses, port, txt }: MdnsService) {
  const [address] = addresses;
  const mac = txt['mac']?.replaceAll(':', '').toLowerCase();
  if (address === undefined || mac === undefined || !MAC.test(mac)) return undefined;
  const bracketed = address.includes(':') ? `[${address}]` : address;
  return {
    uniqueId: mac,
    name: txt['friendly_name'] || name,
    settings: { host: port === DEFAULT_PORT ? address : `${bracketed}:${port}`, mac },
  };
}
