import { useId } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { roomIcon } from '#web/icon-lines.ts';
import { Icon } from '#web/parts/icon.tsx';
import { RoomLine } from '#web/room/room-line.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import type { Section } from '#web/state/device/home-filter.ts';
import { isRow, RoomDevices } from './room-devices.tsx';

type Props = {
  readonly section: Section;
  readonly isOpen: boolean;
  readonly drawn: number;
  /** A filter may hide some devices of the room; what it shows cannot be folded. */
  readonly isFiltered: boolean;
  readonly onFold: () => void;
};

/** A room with its devices, or folded into its line. */
export function RoomSection({ section, isOpen, drawn, isFiltered, onFold }: Props) {
  const { room, entries } = section;
  const id = useId();
  const name = <bdi id={id}>{room?.name ?? pageWords.home.noRoom}</bdi>;
  const cards = entries.filter((entry) => !isRow(entry)).length;
  return (
    <section
      class="room"
      data-open={isOpen}
      aria-labelledby={id}
      style={{ '--count': Math.max(cards, cards < entries.length ? 2 : 1) }}
    >
      <div class="room-head">
        <h2>
          {isFiltered ? (
            name
          ) : (
            <button type="button" class="row room-fold" aria-expanded={isOpen} onClick={onFold}>
              <Icon name={roomIcon(room?.icon)} />
              <span class="row-text">
                {name}
                <RoomLine entries={entries} />
              </span>
              <Icon name={isOpen ? 'up' : 'down'} size={18} />
            </button>
          )}
        </h2>
        {isOpen ? <RoomLights entries={entries} name={room?.name ?? ''} isFiltered={isFiltered} /> : null}
        {isOpen && room !== null ? (
          <a class="button button-plain button-icon" href={`/room/${room.selector}`} aria-label={room.name}>
            <Icon name="forward" />
          </a>
        ) : null}
      </div>
      {isOpen ? <RoomDevices entries={entries} room={room?.name} drawn={drawn} /> : null}
    </section>
  );
}

type LightsProps = { readonly entries: readonly DeviceEntry[]; readonly name: string; readonly isFiltered: boolean };

/** Turns off the lights that are on; only those that the filter shows. */
function RoomLights({ entries, name, isFiltered }: LightsProps) {
  const { account, commands } = useHub();
  const count = entries.filter(({ isLit }) => isLit.value).length;
  if (count === 0) return null;
  const action = isFiltered ? pageWords.home.theseOff(count) : pageWords.home.lightsOff;
  const title = pageWords.home.offIn(action, name === '' ? pageWords.home.noRoom : name);
  const turnOff = (): void => {
    const lit = entries.filter(({ isLit, device }) => isLit.peek() && refusalOf(account, device.peek()) === undefined);
    commands.turn(lit, false, title);
  };
  return (
    <button type="button" class="room-off" aria-label={title} onClick={turnOff}>
      {action}
    </button>
  );
}
