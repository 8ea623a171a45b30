import { useRef, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from '#web/icon-lines.ts';
import { useRovingFocus } from '#web/parts/keyboard.ts';
import { SceneChips } from '#web/scene/scene-chips.tsx';
import { useScenes } from '#web/readings/use-scenes.ts';
import { hasOwn } from '#web/since-2021.ts';
import { house as houseWords } from '#web/strings/en/house.ts';
import { HouseSheet, OwnPresenceSheet } from './house-sheet.tsx';
import { modeWords } from './mode-words.ts';
import { useModes, usePresence } from './use-house.ts';

const ICONS: Readonly<Record<string, IconName>> = { home: 'room', away: 'leave', night: 'moon', vacation: 'sun' };

/** What is done with the whole home: its mode, who is there, and its scenes. One line. */
export function HouseLine() {
  const chips = useRef<HTMLDivElement>(null);
  useRovingFocus(chips, 'button, a');
  const { account } = useHub();
  const scenes = useScenes();
  const modes = useModes();
  // All at once: the mode that comes after the scenes would move them under a finger.
  const isAnswered = [scenes, modes].every(
    ({ value, fault }) => value.value !== undefined || fault.value !== undefined,
  );
  if (!isAnswered || account.me.value === null) return null;
  return (
    <div ref={chips} class="chips house" role="group" aria-label={houseWords.scenes}>
      <ModeChip />
      <SceneChips scenes={scenes.value.value ?? []} />
      <a class="chip" href="/scene" aria-label={houseWords.all}>
        <Icon name="edit" size={18} />
      </a>
    </div>
  );
}

/** The mode of the home and who is there; a tap opens the sheet that changes them. */
function ModeChip() {
  const { account } = useHub();
  const rooms = account.me.value?.rooms;
  if (rooms === null) return <WholeHome />;
  // For people who are limited to rooms there is no whole home.
  return rooms !== undefined && account.can('presence:tell') ? <OwnPlace /> : null;
}

function OwnPlace() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <button type="button" class="chip" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <Icon name="room" size={20} />
        {houseWords.iAm}
      </button>
      {isOpen ? <OwnPresenceSheet onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}

function WholeHome() {
  const [isOpen, setIsOpen] = useState(false);
  const mode = useModes().value.value?.find(({ key }) => key === 'home');
  const presence = usePresence().value.value;
  if (mode === undefined) return null;
  const words = modeWords(mode.value);
  const present = (presence?.people ?? []).filter(({ state }) => state === 'home').map(({ user }) => user.name);
  const who =
    present.length > 0 ? houseWords.atHome(present) : presence?.anyone === 'away' ? houseWords.anyone.away : '';
  return (
    <>
      <button
        type="button"
        class="chip mode-chip"
        data-mode={mode.value}
        aria-haspopup="dialog"
        aria-label={houseWords.chip(words, who)}
        onClick={() => setIsOpen(true)}
      >
        <Icon name={(hasOwn(ICONS, mode.value) ? ICONS[mode.value] : undefined) ?? 'room'} size={20} />
        <bdi>{words}</bdi>
        <Icon name="down" size={16} />
      </button>
      {isOpen ? <HouseSheet onClose={() => setIsOpen(false)} /> : null}
    </>
  );
}
