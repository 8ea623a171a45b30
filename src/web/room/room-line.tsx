import type { Device } from '#web/client/api.ts';
import { shownOf } from '#web/controls/use-feature.ts';
import { alarmOf } from '#web/state/device/device-facts.ts';
import { type Status, type Tone, LOOKS } from '#web/state/device/device-status.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { alarmWords, valueWords } from '#web/strings/value-words.ts';
import { roomTemperature } from './room-facts.ts';

type Piece = { readonly words: string; readonly tone?: Tone };

/** How a room is, in a line: its temperature, its lights, and what is open or wrong. A low battery is not told of a room. */
export function RoomLine({ entries }: { readonly entries: readonly DeviceEntry[] }) {
  const lit = entries.filter(({ isLit }) => isLit.value).length;
  const pieces = [
    ...temperaturePiece(entries),
    ...(lit === 0 ? [] : [{ words: homeWords.lightsOn(lit) }]),
    ...warnings(entries),
  ];
  if (pieces.length === 0) return <span class="card-state">{pageWords.home.count(entries.length)}</span>;
  return (
    <span class="card-state">
      {pieces.map(({ words, tone }, index) => (
        <span key={words} class="room-piece" data-tone={tone}>
          {index === 0 ? null : <span class="unseen">, </span>}
          {words}
        </span>
      ))}
    </span>
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
