import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { cssFrom, rgbFromKelvin } from './colors.ts';
import { Slider } from './slider.tsx';
import { useControl } from './use-feature.ts';

const STEP_K = 50;

/** White light from warm to cool, on a track that shows it. */
export function WhiteSlider({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { value, isDisabled, set } = useControl(entry, feature);
  const min = feature.min ?? 2200;
  const max = feature.max ?? 6500;
  const ends = [min, (min + max) / 2, max].map((kelvin) => cssFrom(rgbFromKelvin(kelvin)));
  return (
    <div class="level" style={{ '--scale': `linear-gradient(90deg, ${ends.join(', ')})` }}>
      <Slider
        kind="scale"
        label={feature.name}
        value={typeof value === 'number' ? value : min}
        min={min}
        max={max}
        step={STEP_K}
        words={pageWords.control.kelvin}
        onChange={set}
        isDisabled={isDisabled}
      />
    </div>
  );
}
