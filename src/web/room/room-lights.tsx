import { computed } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { Room } from '#web/client/api.ts';
import { Slider } from '#web/controls/slider.tsx';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from '#web/icon-lines.ts';
import { type DeviceEntry, sameList } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { lampsOf } from './room-facts.ts';
import { levelOf, wishesForLevel } from './room-level.ts';

/** The lamps of a room that this person may use. What a sensor of the room measures draws nothing anew. */
function useLamps(entries: readonly DeviceEntry[]): readonly DeviceEntry[] {
  const { account } = useHub();
  const lamps = useMemo(() => {
    const canUse = ({ device: { value: device } }: DeviceEntry): boolean =>
      lampsOf([device]).length > 0 && refusalOf(account, device) === undefined;
    return sameList(computed(() => entries.filter(canUse)));
  }, [entries, account]);
  return lamps.value;
}

type LevelProps = {
  readonly room: Pick<Room, 'name'>;
  readonly entries: readonly DeviceEntry[];
  readonly label: string;
  /** A slider for fewer lamps says nothing that their own cards do not. */
  readonly least?: number;
};

/** One slider for all lamps of the room; its line takes it back. */
export function RoomLevel({ room, entries, label, least = 1 }: LevelProps) {
  const { commands } = useHub();
  /** Shown until the hub has answered. */
  const [asked, setAsked] = useState<number | null>(null);
  const lamps = lampsOf(useLamps(entries).map(({ device }) => device.value));
  if (!lamps.some(({ brightness }) => brightness !== undefined) || lamps.length < least) return null;
  const level = Math.round(levelOf(lamps));
  const set = async (wanted: number): Promise<void> => {
    const wishes = wishesForLevel(lamps, wanted);
    if (wishes.length === 0) return;
    setAsked(wanted);
    await commands.bar.run(pageWords.room.lights(room.name, wanted), '/command', { wishes });
    setAsked(null);
  };
  return (
    <div class="level room-level">
      <Slider
        label={label}
        value={asked ?? level}
        words={pageWords.control.percent}
        onChange={(wanted, isPassing) => {
          if (!isPassing) void set(wanted);
        }}
      />
    </div>
  );
}

type SwitchProps = {
  readonly room: Pick<Room, 'name'>;
  readonly entries: readonly DeviceEntry[];
  readonly icon: IconName;
};

/** Turns all lamps of a room on, each as bright as it was, or off. Without lamps it is only the room's picture. */
export function RoomSwitch({ room, entries, icon }: SwitchProps) {
  const { commands } = useHub();
  const lamps = useLamps(entries);
  const lit = lamps.filter(({ isLit }) => isLit.value);
  const isOn = lit.length > 0;
  if (lamps.length === 0) {
    return (
      <span class="card-icon">
        <Icon name={icon} size={24} />
      </span>
    );
  }
  const turn = (): void => {
    const title = isOn ? homeWords.turnedOff(room.name) : homeWords.turnedOn(room.name);
    commands.turn(isOn ? lit : lamps, !isOn, title);
  };
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={homeWords.roomLights(room.name)}
      class="on-button"
      onClick={turn}
    >
      <Icon name={icon} size={24} />
    </button>
  );
}
