import { iconOf } from '#web/state/device/device-facts.ts';
import { LOOKS } from '#web/state/device/device-status.ts';
import { nameInRoom } from '#web/device/room-words.ts';
import { CardReadings } from '#web/device/card/card-readings.tsx';
import { CardState } from '#web/device/card/card-state.tsx';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';

type Props = { readonly entry: DeviceEntry; readonly room: string };

/** Shows a device that only measures in one line. */
export function SensorRow({ entry, room }: Props) {
  const device = entry.device.value;
  const shown = nameInRoom(device.name, room);
  const [status] = entry.statuses.value;
  return (
    <a
      class="row sensor-row"
      data-tone={status === undefined ? undefined : LOOKS[status].tone}
      href={`/device/${device.selector}`}
    >
      <Icon name={iconOf(device)} />
      <span class="row-text">
        <bdi class="row-title">{shown}</bdi>
        <CardState entry={entry} />
      </span>
      <CardReadings entry={entry} />
    </a>
  );
}
