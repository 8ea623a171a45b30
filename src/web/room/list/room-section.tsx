import { useId } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { RoomTemperature } from '#web/room/room-temperature.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { DeviceCard } from '#web/device/card/device-card.tsx';
import type { Section } from '#web/state/device/home-filter.ts';

type Props = {
  readonly section: Section;
  readonly drawn: number;
  /** A filter may hide some devices of the room. */
  readonly isFiltered: boolean;
};

/** A room with its devices. */
export function RoomSection({ section, drawn, isFiltered }: Props) {
  const { room, entries } = section;
  const id = useId();
  const name = room?.name ?? pageWords.home.noRoom;
  return (
    <section class="room" aria-labelledby={id} style={{ '--count': String(entries.length) }}>
      <div class="room-head">
        <h2 id={id}>
          {room === null ? (
            name
          ) : (
            <a class="room-link" href={`/room/${room.selector}`}>
              <bdi>{name}</bdi>
              <Icon name="forward" size={16} />
            </a>
          )}
        </h2>
        {room === null ? null : <RoomTemperature entries={entries} />}
        <RoomLights entries={entries} name={name} isFiltered={isFiltered} />
      </div>
      <ul class="cards">
        {entries.slice(0, drawn).map((entry) => (
          <li key={entry.id}>
            <DeviceCard entry={entry} room={room?.name} />
          </li>
        ))}
      </ul>
    </section>
  );
}

type LightsProps = { readonly entries: readonly DeviceEntry[]; readonly name: string; readonly isFiltered: boolean };

/** Counts the lights that are on and turns them off; only those that the filter shows. */
function RoomLights({ entries, name, isFiltered }: LightsProps) {
  const { account, commands } = useHub();
  const count = entries.filter(({ isLit }) => isLit.value).length;
  if (count === 0) return null;
  const action = isFiltered ? pageWords.home.theseOff(count) : pageWords.home.lightsOff;
  const title = pageWords.home.offIn(action, name);
  const turnOff = (): void => {
    const lit = entries.filter(({ isLit, device }) => isLit.peek() && refusalOf(account, device.peek()) === undefined);
    commands.turn(lit, false, title);
  };
  return (
    <span class="room-lights">
      {isFiltered ? null : <span class="room-count">{pageWords.home.lightsOn(count)}</span>}
      <button type="button" class="room-off" aria-label={title} onClick={turnOff}>
        {action}
      </button>
    </span>
  );
}
