import { defineKind } from '#integrations/kind.ts';
import type { MdnsService } from '#integrations/ports.ts';
import { networkIdFrom, ZWAVE_SETTINGS, type ZwaveSettings } from './zwave-settings.ts';

/** Z-Wave devices, through the server of Z-Wave JS. */
export const zwave = defineKind<ZwaveSettings>({
  id: 'zwave',
  name: 'Z-Wave JS',
  about: 'Z-Wave devices, through a Z-Wave JS server that has the radio stick.',
  instances: 'many',
  settings: ZWAVE_SETTINGS,
  settingsVersion: 1,
  help: [
    'Run Z-Wave JS UI, or the plain Z-Wave JS server, on the machine with the radio stick, and switch its WebSocket server on.',
    'That server has no password: everyone who reaches its port can open your locks. Let only the hub reach it, by a firewall or by running it on the machine of the hub.',
    'The hub finds the server, or takes its address.',
  ],
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
