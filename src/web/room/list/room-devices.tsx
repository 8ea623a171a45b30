import { cardTone, DeviceCard, Mark } from '#web/device/card/device-card.tsx';
import { nameInRoom } from '#web/device/room-words.ts';
import { CardReadings } from '#web/device/card/card-readings.tsx';
import { CardState } from '#web/device/card/card-state.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { iconOf, isLowOnBattery, natureOf } from '#web/state/device/device-facts.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';

type Props = {
  readonly entries: readonly DeviceEntry[];
  readonly room: string | undefined;
  /** So many of them at most. */
  readonly drawn?: number;
};

/** Whether a device only tells something: a line has room for that. */
export function isRow({ device }: DeviceEntry): boolean {
  const { kind } = natureOf(device.peek());
  return kind === 'sensor' || kind === 'remote';
}

/** The devices of a room: a card for each that is used, and a line for each that only tells something. */
export function RoomDevices({ entries, room, drawn = entries.length }: Props) {
  const cards = entries.filter((entry) => !isRow(entry)).slice(0, drawn);
  const rows = entries.filter(isRow).slice(0, drawn - cards.length);
  return (
    <>
      {cards.length === 0 ? null : (
        <ul class="cards">
          {cards.map((entry) => (
            <li key={entry.id}>
              <DeviceCard entry={entry} room={room} />
            </li>
          ))}
        </ul>
      )}
      {rows.length === 0 ? null : (
        <ul class="rows sensor-rows">
          {rows.map((entry) => (
            <li key={entry.id}>
              <SensorRow entry={entry} room={room} />
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function SensorRow({ entry, room }: { readonly entry: DeviceEntry; readonly room: string | undefined }) {
  const device = entry.device.value;
  const shown = nameInRoom(device.name, room);
  return (
    <a class="row sensor-row" data-tone={cardTone(entry)} href={`/device/${device.selector}`}>
      <Icon name={iconOf(device)} />
      <span class="row-text">
        <bdi class="row-title">{shown}</bdi>
        <CardState entry={entry} />
      </span>
      {isLowOnBattery(device) ? <Mark name="batteryLow" words={pageWords.device.batteryLow} /> : null}
      <CardReadings entry={entry} />
    </a>
  );
}
