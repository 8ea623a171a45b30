import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { numberWords } from '#web/strings/value-words.ts';
import { cssFrom, type Rgb } from './colors.ts';
import { Slider } from './slider.tsx';
import { useControl } from './use-feature.ts';

type Props = {
  readonly entry: DeviceEntry;
  readonly feature: Feature;
  readonly label: string;
  /** The color of the light. */
  readonly shine?: Rgb | undefined;
  readonly isOff?: boolean;
};

/** A number between two ends: brightness, position, volume. */
export function LevelSlider({ entry, feature, label, shine, isOff = false }: Props) {
  const { value, isDisabled, set } = useControl(entry, feature);
  const shown = typeof value === 'number' ? value : (feature.min ?? 0);
  return (
    <div
      class="level"
      data-capability={feature.capability}
      data-off={isOff}
      style={shine === undefined ? undefined : { '--fill': cssFrom(shine) }}
    >
      <Slider
        label={label}
        value={shown}
        min={feature.min ?? 0}
        max={feature.max ?? 100}
        step={feature.step ?? 1}
        words={(number) => numberWords(number, feature)}
        onChange={set}
        isDisabled={isDisabled}
      />
    </div>
  );
}
