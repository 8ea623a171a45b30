import { useRef } from 'preact/hooks';
import { cssFrom, shineOf } from '#web/controls/colors.ts';
import { shownValue, useAction, useControl } from '#web/controls/use-feature.ts';
import {
  alarmOf,
  featureOf,
  gangsOf,
  iconOf,
  isCutOff,
  isLowOnBattery,
  isUnavailable,
  natureOf,
} from '#web/state/device/device-facts.ts';
import { LOOKS, type Tone } from '#web/state/device/device-status.ts';
import { nameInRoom } from '#web/device/room-words.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { useRovingFocus } from '#web/parts/keyboard.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { titled } from '#web/strings/en/grammar.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import type { Feature } from '#web/client/api.ts';
import { valueWords, enumWords } from '#web/strings/value-words.ts';
import { CoverButtons } from '#web/controls/cover-buttons.tsx';
import { LevelSlider } from '#web/controls/level-slider.tsx';
import { LockButton } from '#web/controls/lock-button.tsx';
import { SetPoint } from '#web/controls/set-point.tsx';
import type { IconName } from '#web/icon-lines.ts';
import { CardReadings } from './card-readings.tsx';
import { CardState } from './card-state.tsx';

type Props = {
  readonly entry: DeviceEntry;
  /** The room under whose name the card stands. */
  readonly room?: string | undefined;
};

/** One device: what it is, how it is, and the one or two things that are done with it. Always of the same height. */
export function DeviceCard({ entry, room }: Props) {
  const { account } = useHub();
  const card = useRef<HTMLElement>(null);
  useRovingFocus(card, 'a, button, input');
  const device = entry.device.value;
  const refusal = refusalOf(account, device);
  const { kind } = natureOf(device);
  const icon = iconOf(device);
  const shown = nameInRoom(device.name, room);
  const tone = cardTone(entry);
  const on = featureOf(device, 'on');
  const isOff = isUnavailable(device);
  const isLit = kind === 'light' && !isOff && shownValue(entry, on) === true;
  const shine = isLit ? shineOf(featureOf(device, 'color'), featureOf(device, 'color_temperature')) : undefined;
  return (
    <article
      ref={card}
      class="card"
      data-lit={isLit}
      data-unavailable={isOff}
      data-alarm={!isOff && alarmOf(device) !== undefined}
      data-tone={tone}
      style={shine === undefined ? undefined : { '--shine': cssFrom(shine) }}
    >
      <div class="card-top">
        {on?.writable === true && gangsOf(device).length === 0 ? (
          <OnButton entry={entry} feature={on} icon={icon} label={device.name} />
        ) : (
          <span class="card-icon">
            <Icon name={lockIcon(entry) ?? icon} size={24} />
          </span>
        )}
        <span class="card-marks">
          {isLowOnBattery(device) ? <Mark name="batteryLow" words={pageWords.device.batteryLow} /> : null}
          {isOff ? (
            <Mark name="offline" words={isCutOff(device) ? pageWords.device.cutOff : pageWords.device.offline} />
          ) : null}
        </span>
      </div>
      <div class="card-text">
        <h3 class="card-name">
          <a href={`/device/${device.selector}`} aria-label={shown === device.name ? undefined : device.name}>
            <bdi>{shown}</bdi>
          </a>
        </h3>
        <CardState entry={entry} />
      </div>
      <div class="card-control">
        <CardControl entry={entry} />
        <CardReadings entry={entry} />
        {refusal === undefined ? null : <p class="refusal">{refusal}</p>}
      </div>
    </article>
  );
}

/** A sign that stays small: a screen reader says its words. */
export function Mark({ name, words }: { readonly name: 'batteryLow' | 'offline'; readonly words: string }) {
  return (
    <span class="mark" data-mark={name} title={words}>
      <Icon name={name} size={20} />
      <span class="unseen">{words}</span>
    </span>
  );
}

function lockIcon(entry: DeviceEntry): 'lock' | 'unlock' | undefined {
  const locked = featureOf(entry.device.value, 'locked');
  if (locked === undefined) return undefined;
  return shownValue(entry, locked) === false ? 'unlock' : 'lock';
}

/** The colour of what must not be overlooked. A low battery has a mark of its own. */
export function cardTone({ statuses }: DeviceEntry): Tone | undefined {
  const first = statuses.value.find((status) => status !== 'battery' && status !== 'locked');
  return first === undefined ? undefined : LOOKS[first].tone;
}

/** The most useful control of a device besides its switch; `null` if it has none. */
function CardControl({ entry }: { readonly entry: DeviceEntry }) {
  const device = entry.device.value;
  const writable = (capability: string): Feature | undefined => {
    const feature = featureOf(device, capability);
    return feature?.writable === true ? feature : undefined;
  };
  const gangs = gangsOf(device);
  if (gangs.length > 0) return <GangButtons entry={entry} gangs={gangs} />;
  const target = writable('target_temperature') ?? writable('target_temperature_cool') ?? writable('target_humidity');
  if (target !== undefined) {
    const words = { less: pageWords.control.colder, more: pageWords.control.warmer };
    return (
      <SetPoint entry={entry} feature={target} label={titled(pageWords.control.setPoint, device.name)} words={words} />
    );
  }
  const cover = writable('cover_state');
  if (cover !== undefined) return <CoverButtons entry={entry} feature={cover} name={device.name} />;
  const locked = writable('locked');
  if (locked !== undefined) return <LockButton entry={entry} feature={locked} />;
  const level = writable('brightness') ?? writable('position') ?? writable('fan_speed') ?? writable('volume');
  if (level !== undefined) {
    const on = featureOf(device, 'on');
    const shine = shineOf(featureOf(device, 'color'), featureOf(device, 'color_temperature'));
    const label = titled(level.name, device.name);
    return (
      <LevelSlider entry={entry} feature={level} label={label} shine={shine} isOff={shownValue(entry, on) === false} />
    );
  }
  const press = device.features.find(({ capability, writable }) => capability === 'press' && writable);
  return press === undefined ? null : <PressButton entry={entry} feature={press} />;
}

function PressButton({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { isDisabled, act } = useAction(entry, feature);
  return (
    <button type="button" class="lock-button" disabled={isDisabled} onClick={act}>
      {valueWords(feature, feature.name)}
    </button>
  );
}

type GangButtonsProps = { readonly entry: DeviceEntry; readonly gangs: readonly Feature[] };

/** A switch for each part of a device. */
function GangButtons({ entry, gangs }: GangButtonsProps) {
  return (
    <div class="choices" role="group" aria-label={entry.device.value.name}>
      {gangs.map((feature) => (
        <Gang key={feature.key} entry={entry} feature={feature} />
      ))}
    </div>
  );
}

function Gang({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { value, isDisabled, set } = useControl(entry, feature);
  return (
    <button
      type="button"
      class="gang"
      aria-pressed={value === true}
      disabled={isDisabled}
      onClick={() => set(value !== true)}
    >
      {enumWords(feature.component)}
    </button>
  );
}

type OnButtonProps = {
  readonly entry: DeviceEntry;
  readonly feature: Feature;
  readonly icon: IconName;
  readonly label: string;
};

/** The round switch of a card. It shows the icon of the device. */
function OnButton({ entry, feature, icon, label }: OnButtonProps) {
  const { value, trust, isDisabled, set } = useControl(entry, feature);
  const isOn = value === true;
  return (
    <button
      type="button"
      role="switch"
      aria-checked={isOn}
      aria-label={label}
      class="on-button"
      data-trust={trust}
      disabled={isDisabled}
      onClick={() => set(!isOn)}
    >
      <Icon name={icon} size={24} />
    </button>
  );
}
