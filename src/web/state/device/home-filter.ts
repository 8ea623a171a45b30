import { computed, type ReadonlySignal, type Signal, signal } from '@preact/signals';
import type { Room } from '#web/client/api.ts';
import { type Kind, natureOf } from './device-facts.ts';
import type { DeviceEntry, HomeState } from '#web/state/home-state.ts';

export type Shown = Kind | 'all' | 'attention';
/** In place of the id of a room. */
export const NO_ROOM = 'none';
/** The devices of one room; `room` is `null` for those without one. */
export type Section = { readonly room: Room | null; readonly entries: readonly DeviceEntry[] };

export type HomeFilter = {
  readonly search: Signal<string>;
  readonly kind: Signal<Shown>;
  /** Id of a room or `NO_ROOM`; empty for all. */
  readonly room: Signal<string>;
  readonly isOn: ReadonlySignal<boolean>;
  readonly sections: ReadonlySignal<readonly Section[]>;
  readonly count: ReadonlySignal<number>;
  /** Kinds of which there is a device at all. */
  readonly kinds: ReadonlySignal<ReadonlySet<Shown>>;
  readonly inNeed: ReadonlySignal<number>;
  readonly clear: () => void;
};

/** Which devices are shown. Each word of the search must be in the name, room, manufacturer or model. */
export function createHomeFilter({ entries, rooms }: Pick<HomeState, 'entries' | 'rooms'>): HomeFilter {
  const search = signal('');
  const kind = signal<Shown>('all');
  const room = signal('');

  const kinds = computed(
    () => new Set<Shown>(['all', ...entries.value.map(({ device }) => natureOf(device.peek()).kind)]),
  );
  const sections = computed(() => {
    const words = folded(search.value).split(/\s+/).filter(Boolean);
    const byRoom = new Map<string, DeviceEntry[]>();
    for (const entry of entries.value) {
      const device = entry.device.peek();
      if (kind.value === 'attention' && !entry.needsAttention.value) continue;
      if (kind.value !== 'all' && kind.value !== 'attention' && natureOf(device).kind !== kind.value) continue;
      if (room.value !== '' && (device.room?.id ?? NO_ROOM) !== room.value) continue;
      const text = folded(
        `${device.name} ${device.room?.name ?? ''} ${device.manufacturer ?? ''} ${device.model ?? ''}`,
      );
      if (!words.every((word) => text.includes(word))) continue;
      const id = device.room?.id ?? '';
      const own = byRoom.get(id);
      if (own === undefined) byRoom.set(id, [entry]);
      else own.push(entry);
    }
    const places: readonly (Room | null)[] = [...rooms.value, null];
    return places.flatMap((place) => {
      const own = byRoom.get(place?.id ?? '');
      return own === undefined ? [] : [{ room: place, entries: own }];
    });
  });
  const isOn = computed(() => search.value.trim() !== '' || kind.value !== 'all' || room.value !== '');
  return {
    search,
    kind,
    room,
    isOn,
    sections,
    count: computed(() => sections.value.reduce((sum, { entries }) => sum + entries.length, 0)),
    kinds,
    inNeed: computed(() => entries.value.reduce((sum, { needsAttention }) => sum + (needsAttention.value ? 1 : 0), 0)),
    clear: () => {
      search.value = '';
      kind.value = 'all';
      room.value = '';
    },
  };
}

/** Without case and accents, as the hub searches: `kuche` finds `Küche`, `strasse` finds `Straße`. */
export function folded(text: string): string {
  return text.normalize('NFKD').toLowerCase().replaceAll('ß', 'ss').replace(/\p{M}/gu, '');
}
