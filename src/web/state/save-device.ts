import type { HubClient } from '#web/client/hub-client.ts';
import type { Device, Room } from '#web/client/home.ts';

/** Id of a room, `null` for none, or the name of one that there may not be yet. */
export type RoomChoice = string | null | { readonly name: string };
export type DeviceChange = { readonly name: string; readonly room: RoomChoice };

type Deps = { readonly client: Pick<HubClient, 'call'>; readonly rooms: readonly Room[] };

/** Renames and moves; an empty name gives the device back its own. Sends only what is different. Returns the room. */
export async function saveDevice(
  { client, rooms }: Deps,
  device: Device,
  { name, room }: DeviceChange,
): Promise<string | null> {
  const wanted = name.trim();
  const place = await roomIdFrom({ client, rooms }, room);
  const change = {
    ...(wanted === device.name ? {} : { name: wanted === '' ? null : wanted }),
    ...(place === (device.room?.id ?? null) ? {} : { room: place }),
  };
  if (Object.keys(change).length > 0) await client.call('PATCH', `/device/${device.id}`, change);
  return place;
}

async function roomIdFrom({ client, rooms }: Deps, room: RoomChoice): Promise<string | null> {
  if (room === null || typeof room === 'string') return room;
  const name = room.name.trim();
  // Also after a try that made the room and then failed.
  const known = rooms.find((one) => one.name.toLowerCase() === name.toLowerCase());
  return (known ?? (await client.call<Room>('POST', '/room', { name }))).id;
}
