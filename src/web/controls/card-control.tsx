import type { Feature } from '#web/client/api.ts';
import { featureOf, gangsOf } from '#web/state/device/device-facts.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { valueWords } from '#web/strings/value-words.ts';
import { shineOf } from './colors.ts';
import { CoverButtons } from './cover-buttons.tsx';
import { GangButtons } from './gang-buttons.tsx';
import { LevelSlider } from './level-slider.tsx';
import { LockButton } from './lock-button.tsx';
import { SetPoint } from './set-point.tsx';
import { shownValue, useAction } from './use-feature.ts';

/** The most useful control of a device besides its switch; `null` if it has none. */
export function CardControl({ entry }: { readonly entry: DeviceEntry }) {
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
      <SetPoint entry={entry} feature={target} label={`${pageWords.control.setPoint}: ${device.name}`} words={words} />
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
    const label = `${level.name}: ${device.name}`;
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
