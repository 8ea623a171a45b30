import type { DeviceRecord } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { columnsOf, optional, plain, saveSql } from './columns.ts';
import { saveDeviceRow } from '#storage/tables/devices/device-table.ts';
import { read, write } from './operation.ts';
import type { NounDeps, StoredNoun } from './stored-noun.ts';

const COLUMNS = columnsOf<Room>({
  id: plain('id'),
  selector: plain('selector'),
  name: plain('name'),
  icon: optional('icon'),
  revision: plain('revision'),
  createdAtMs: plain('created_at_ms'),
  updatedAtMs: plain('updated_at_ms'),
});
const SAVE = saveSql('room', COLUMNS.names);

export const roomTable = {
  open: openRooms,
  checks: [{ since: 1, table: 'room', integers: ['revision'] }],
} satisfies StoredNoun;

function openRooms({ database, sound }: NounDeps) {
  return {
    loadRooms: read((): Room[] => sound('room', database.all('SELECT * FROM room ORDER BY id')).map(COLUMNS.fromRow)),
    saveRoom: write((room: Room): void => void database.run(SAVE, COLUMNS.valuesOf(room))),
    deleteRoom: write((id: RoomId, devices: readonly DeviceRecord[]): void =>
      database.transaction(() => {
        for (const device of devices) saveDeviceRow(database, device);
        database.run('DELETE FROM room WHERE id = ?', [id]);
      }),
    ),
  };
}
