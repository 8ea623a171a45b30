import type { DeviceRecord, Room, RoomId } from '#core/device/device.ts';
import type { Database } from '#storage/engine/database.ts';
import { saveDeviceRow } from './device-table.ts';

/** The rooms: what `RoomStore` asks, synchronously. */
export function createRoomTable(database: Database) {
  return {
    loadRooms: (): Room[] => database.all('SELECT * FROM room ORDER BY id').map((row) => roomFromRow(row as RoomRow)),
    saveRoom: (room: Room): void => {
      database.run(
        `INSERT INTO room (id, selector, name, revision, created_at_ms, updated_at_ms) VALUES (?, ?, ?, ?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET selector = excluded.selector, name = excluded.name,
         revision = excluded.revision, created_at_ms = excluded.created_at_ms, updated_at_ms = excluded.updated_at_ms`,
        [room.id, room.selector, room.name, room.revision, room.createdAtMs, room.updatedAtMs],
      );
    },
    deleteRoom: (id: RoomId, devices: readonly DeviceRecord[]): void => {
      database.transaction(() => {
        for (const device of devices) saveDeviceRow(database, device);
        database.run('DELETE FROM room WHERE id = ?', [id]);
      });
    },
  };
}

type RoomRow = {
  readonly id: RoomId;
  readonly selector: string;
  readonly name: string;
  readonly revision: number;
  readonly created_at_ms: number;
  readonly updated_at_ms: number;
};

function roomFromRow(row: RoomRow): Room {
  return {
    id: row.id,
    selector: row.selector,
    name: row.name,
    revision: row.revision,
    createdAtMs: row.created_at_ms,
    updatedAtMs: row.updated_at_ms,
  };
}
