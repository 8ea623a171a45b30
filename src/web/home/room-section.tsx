import { useComputed } from '@preact/signals';
import { useId } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { featureOf, isUnavailable, natureOf } from '#web/state/device-facts.ts';
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
          <bdi>{name}</bdi>
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
  const lit = useComputed(() => entries.filter(({ device }) => isLit(device.value)));
  if (lit.value.length === 0) return null;
  const turnOff = (): void => {
    for (const entry of lit.peek()) {
      const on = featureOf(entry.device.peek(), 'on');
      if (on !== undefined) commands.set(entry, on.key, { value: false });
    }
  };
  return (
    <span class="room-lights">
      <span class="room-count">{t.home.lightsOn(lit.value.length)}</span>
      <button type="button" class="room-off" aria-label={t.home.lightsOffIn(name)} onClick={turnOff}>
        {t.home.lightsOff}
      </button>
    </span>
  );
}

function isLit(device: DeviceEntry['device']['value']): boolean {
  const on = featureOf(device, 'on');
  return natureOf(device).kind === 'light' && !isUnavailable(device) && on?.writable === true && on.value === true;
}
