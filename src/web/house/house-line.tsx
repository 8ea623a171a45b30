import { useRef } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { type LoadSheet, useSheet } from '#web/parts/loaded.tsx';
import type { IconName } from '#web/icon-lines.ts';
import { useRovingFocus } from '#web/parts/keyboard.ts';
import { SceneChips } from '#web/scene/scene-chips.tsx';
import { useScenes } from '#web/readings/use-scenes.ts';
import { hasOwn } from '#web/since-2021.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { modeWords } from './mode-words.ts';
import { useModes, usePresence } from './use-house.ts';

const ICONS: Readonly<Record<string, IconName>> = { home: 'room', away: 'leave', night: 'moon', vacation: 'sun' };

const loadHouse: LoadSheet = async () => (await import('./house-sheet.tsx')).HouseSheet;
const loadOwnPlace: LoadSheet = async () => (await import('./house-sheet.tsx')).OwnPresenceSheet;

/** The scenes of the home in one line, and the way to all of them. */
export function HomeScenes() {
  const chips = useRef<HTMLDivElement>(null);
  useRovingFocus(chips, 'button, a');
  const { account } = useHub();
  const { value, fault } = useScenes();
  const isAnswered = value.value !== undefined || fault.value !== undefined;
  if (!isAnswered || account.me.value === null) return null;
  return (
    <div ref={chips} class="chips house" role="group" aria-label={homeWords.scene.scenes}>
      <SceneChips scenes={value.value ?? []} />
      <a class="chip chip-plain" href="/scene">
        {homeWords.scene.all}
        <Icon name="forward" size={16} />
      </a>
    </div>
  );
}

/** The mode of the home and who is there; a tap opens the sheet that changes them. */
export function HomeMode() {
  const { account } = useHub();
  const rooms = account.me.value?.rooms;
  if (rooms === null) return <WholeHome />;
  // For people who are limited to rooms there is no whole home.
  return rooms !== undefined && account.can('presence:tell') ? <OwnPlace /> : null;
}

function OwnPlace() {
  const { open, sheet } = useSheet(loadOwnPlace);
  return (
    <>
      <button
        type="button"
        class="chip mode-chip"
        data-mode="home"
        aria-label={homeWords.mode.iAm}
        aria-haspopup="dialog"
        onClick={open}
      >
        <Icon name="room" size={20} />
        <span>{homeWords.mode.iAm}</span>
      </button>
      {sheet}
    </>
  );
}

function WholeHome() {
  const { open, sheet } = useSheet(loadHouse);
  const mode = useModes().value.value?.find(({ key }) => key === 'home');
  const { value: kept, fault } = usePresence();
  const presence = kept.value;
  // At once: who is there is part of the words.
  if (mode === undefined || (presence === undefined && fault.value === undefined)) return null;
  const words = modeWords(mode, mode.value);
  const present = (presence?.people ?? []).filter(({ state }) => state === 'home').map(({ user }) => user.name);
  const who =
    present.length > 0 ? homeWords.mode.atHome(present) : presence?.anyone === 'away' ? homeWords.mode.anyone.away : '';
  return (
    <>
      <button
        type="button"
        class="chip mode-chip"
        data-mode={mode.value}
        aria-haspopup="dialog"
        aria-label={homeWords.mode.chip(words, who)}
        onClick={open}
      >
        <Icon name={(hasOwn(ICONS, mode.value) ? ICONS[mode.value] : undefined) ?? 'room'} size={20} />
        <bdi>{mode.value === 'home' && who !== '' ? who : words}</bdi>
      </button>
      {sheet}
    </>
  );
}
