import { useRef } from 'preact/hooks';
import { CardControl } from '#web/controls/card-control.tsx';
import { cssFrom, shineOf } from '#web/controls/colors.ts';
import { OnButton } from '#web/controls/on-button.tsx';
import { shownValue } from '#web/controls/use-feature.ts';
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
import { useRovingFocus } from '#web/parts/use-roving-focus.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
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

function Mark({ name, words }: { readonly name: 'batteryLow' | 'offline'; readonly words: string }) {
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
function cardTone({ statuses }: DeviceEntry): Tone | undefined {
  const first = statuses.value.find((status) => status !== 'battery' && status !== 'locked');
  return first === undefined ? undefined : LOOKS[first].tone;
}
