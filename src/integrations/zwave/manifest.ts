import { defineKind } from '#integrations/kind.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { networkIdFrom, ZWAVE_SETTINGS, type ZwaveSettings } from './zwave-settings.ts';
import { words } from '#integrations/zwave/words/en.ts';

/** Z-Wave devices, through the server of Z-Wave JS. */
export const zwave = defineKind<ZwaveSettings>({
  id: 'zwave',
  ...words.kind,
  instances: 'many',
  settings: ZWAVE_SETTINGS,
  settingsVersion: 1,
  discovery: { mdns: ['_zwave-js-server._tcp'], identify: identifyServer },
  load: () => import('./zwave.ts').then(({ zwaveCode }) => zwaveCode),
});

const HOME_ID = /^\d{1,10}$/;

function identifyServer({ addresses, port, txt }: MdnsService) {
  const [address] = addresses;
  const homeId = txt['homeid'];
  if (address === undefined || homeId === undefined || !HOME_ID.test(homeId) || Number(homeId) > 0xffff_ffff) {
    return undefined;
  }
  const bracketed = address.includes(':') ? `[${address}]` : address;
  const uniqueId = networkIdFrom(Number(homeId));
  const name = `Z-Wave ${uniqueId}`;
  return { uniqueId, name, settings: { host: port === 3_000 ? address : `${bracketed}:${port}`, take_rooms: true } };
}
