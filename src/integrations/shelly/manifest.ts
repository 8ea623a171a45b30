import { defineKind } from '#integrations/kind.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { SHELLY_SETTINGS, type ShellySettings } from './shelly-settings.ts';
import { words } from '#integrations/shelly/words/en.ts';

/** Shelly devices of the second generation and later. */
export const shelly = defineKind<ShellySettings>({
  id: 'shelly',
  ...words.kind,
  instances: 'many',
  settings: SHELLY_SETTINGS,
  settingsVersion: 1,
  calls: {
    about: 'a Shelly device with a battery opens when it wakes, as its setting "Outbound WebSocket" says',
    nameIn: 'src',
    // A device calls itself by its model and its MAC: `shellyplusht-a0b0c0d0e011`.
    macIn: /^[a-z0-9]{1,40}-([0-9a-f]{12})$/i,
  },
  discovery: { mdns: ['_shelly._tcp'], identify: identifyDevice },
  load: () => import('./shelly.ts').then(({ shellyCode }) => shellyCode),
});

/** The name that a device announces ends with its MAC: `shellyplus1pm-a0b0c0d0e010`. */
const NAME = /^shelly[a-z0-9]*-([0-9a-f]{12})$/i;
const FIRST_GENERATION = '1';

function identifyDevice({ name, addresses, port, txt }: MdnsService) {
  const [address] = addresses;
  const mac = NAME.exec(name)?.[1];
  const generation = txt['gen'];
  if (address === undefined || mac === undefined || generation === undefined) return undefined;
  if (generation === FIRST_GENERATION) return undefined;
  const bracketed = address.includes(':') ? `[${address}]` : address;
  return { uniqueId: mac.toLowerCase(), name, settings: { host: port === 80 ? address : `${bracketed}:${port}` } };
}
