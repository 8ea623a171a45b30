import type { Device, DeviceId } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';

/** Other programs call a series by these labels, as they are at the moment at which it is sent. */
export type SeriesLabels = {
  /** The device's selector; its id once it is gone. Of the home itself `mode`, `variable` or `presence`. */
  readonly device: string;
  readonly key: string;
  /** The room's selector. */
  readonly room: string | null;
  readonly unit: string | null;
  readonly deviceId: DeviceId | null;
  readonly roomId: RoomId | null;
};

export type FindLabels = (series: string) => SeriesLabels;

export type LabelsDeps = {
  readonly findDevice: (idOrSelector: string) => Pick<Device, 'id' | 'selector' | 'roomId' | 'features'> | undefined;
  readonly findRoom: (id: string) => Pick<Room, 'selector'> | undefined;
};

/** A device has the names that it has now, also for what is years old. */
export function createLabels({ findDevice, findRoom }: LabelsDeps): FindLabels {
  return (series) => {
    const slash = series.indexOf('/');
    const [id, key] = [series.slice(0, slash), series.slice(slash + 1)];
    const found = findDevice(id);
    // Series of no device have names that may be the selector of one.
    if (found === undefined || found.id !== id) {
      return { device: id, key, room: null, unit: null, deviceId: null, roomId: null };
    }
    const { selector: device, roomId, features } = found;
    const room = roomId === null ? null : (findRoom(roomId)?.selector ?? null);
    const unit = features.find((feature) => feature.key === key)?.unit ?? null;
    return { device, key, room, unit, deviceId: found.id, roomId };
  };
}
