import { useComputed } from '@preact/signals';
import { useId } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { featureOf } from '#web/state/device-facts.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { t } from '#web/strings/strings.ts';
import { DeviceCard } from './device-card.tsx';
import type { Section } from './home-filter.ts';

type Props = { readonly section: Section; readonly drawn: number };

/** A room with its devices. */
export function RoomSection({ section, drawn }: Props) {
  const { room, entries } = section;
  const id = useId();
  const name = room?.name ?? t.home.noRoom;
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
        <RoomLights entries={entries} name={name} />
      </div>
      <ul class="cards">
        {entries.slice(0, drawn).map((entry) => (
          <li key={entry.id}>
            <DeviceCard entry={entry} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Says how many lights are on, and turns them off. */
function RoomLights({ entries, name }: { readonly entries: readonly DeviceEntry[]; readonly name: string }) {
  const { commands } = useHub();
  const count = useComputed(() => entries.reduce((sum, { isLit }) => sum + (isLit.value ? 1 : 0), 0)).value;
  if (count === 0) return null;
  const turnOff = (): void => {
    const lit = entries.filter(({ isLit }) => isLit.peek());
    const keys = new Set(lit.map(({ device }) => featureOf(device.peek(), 'on')?.key ?? 'on'));
    for (const key of keys) {
      const own = lit.filter(({ device }) => featureOf(device.peek(), 'on')?.key === key);
      commands.setAll(own, key, false);
    }
  };
  return (
    <span class="room-lights">
      <span class="room-count">{t.home.lightsOn(count)}</span>
      <button type="button" class="room-off" aria-label={t.home.lightsOffIn(name)} onClick={turnOff}>
        {t.home.lightsOff}
      </button>
    </span>
  );
}
