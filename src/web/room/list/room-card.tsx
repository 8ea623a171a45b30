import { useRef } from 'preact/hooks';
import type { Device, Room } from '#web/client/api.ts';
import { shownOf } from '#web/controls/use-feature.ts';
import { alarmOf } from '#web/state/device/device-facts.ts';
import { type Status, type Tone, LOOKS } from '#web/state/device/device-status.ts';
import { roomIcon } from '#web/icon-lines.ts';
import { useRovingFocus } from '#web/parts/keyboard.ts';
import { RoomLevel, RoomSwitch } from '#web/room/room-lights.tsx';
import { roomTemperature } from '#web/room/room-facts.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { alarmWords, valueWords } from '#web/strings/value-words.ts';

type Props = {
  /** `null`: of the devices without a room. */
  readonly room: Room | null;
  readonly entries: readonly DeviceEntry[];
};

/** One room: its temperature and warnings, and one control for all of its lamps. */
export function RoomCard({ room, entries }: Props) {
  const card = useRef<HTMLElement>(null);
  useRovingFocus(card, 'a, button, input');
  const name = room?.name ?? pageWords.home.noRoom;
  const lit = entries.filter(({ isLit }) => isLit.value).length;
  const shown = { name };
  return (
    <article ref={card} class="room-card" data-lit={lit > 0}>
      <RoomSwitch room={shown} entries={entries} icon={roomIcon(room?.icon)} />
      <div class="room-card-text">
        <h3 class="card-name">
          <a href={room === null ? '/room?room=none' : `/room/${room.selector}`}>
            <bdi>{name}</bdi>
          </a>
        </h3>
        <RoomLine entries={entries} lit={lit} />
      </div>
      <RoomLevel room={shown} entries={entries} label={homeWords.roomLevel(name)} />
    </article>
  );
}

type Piece = { readonly words: string; readonly tone?: Tone };

function RoomLine({ entries, lit }: { readonly entries: readonly DeviceEntry[]; readonly lit: number }) {
  const pieces = [
    ...temperaturePiece(entries),
    ...(lit === 0 ? [] : [{ words: homeWords.lightsOn(lit) }]),
    ...warnings(entries),
  ];
  if (pieces.length === 0) return <p class="card-state">{pageWords.home.count(entries.length)}</p>;
  return (
    <p class="card-state">
      {pieces.map(({ words, tone }, index) => (
        <span key={words} class="room-piece" data-tone={tone}>
          {index === 0 ? null : <span class="unseen">, </span>}
          {words}
        </span>
      ))}
    </p>
  );
}

function temperaturePiece(entries: readonly DeviceEntry[]): readonly Piece[] {
  const found = roomTemperature(entries);
  if (found === undefined) return [];
  const { value, trust } = shownOf(found.entry, found.feature);
  return trust === 'confirmed' || trust === 'assumed' ? [{ words: valueWords(found.feature, value) }] : [];
}

const WARNINGS: readonly (readonly [Status, (of: readonly Device[]) => string])[] = [
  ['alarm', ([device]) => alarmWords(device && alarmOf(device))],
  ['unlocked', () => homeWords.unlocked],
  ['open', (of) => homeWords.open(of.length)],
  ['cutOff', (of) => homeWords.statuses.cutOff(of.length)],
  ['offline', (of) => homeWords.offline(of.length)],
  ['battery', (of) => homeWords.statuses.battery(of.length)],
  ['locked', () => homeWords.locked],
];

function warnings(entries: readonly DeviceEntry[]): readonly Piece[] {
  return WARNINGS.flatMap(([status, words]) => {
    const own = entries.filter(({ statuses }) => statuses.value.includes(status));
    if (status === 'locked' && entries.some(({ statuses }) => statuses.value.includes('unlocked'))) return [];
    if (own.length === 0) return [];
    return [{ words: words(own.map(({ device }) => device.peek())), tone: LOOKS[status].tone }];
  });
}
