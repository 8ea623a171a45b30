import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { colorValue, cssFrom, type HueSaturation, rgbFromHue } from './colors.ts';
import { useControl } from './use-feature.ts';

const PRESETS: readonly (readonly [name: string, hue: number])[] = [
  ['red', 0],
  ['orange', 30],
  ['yellow', 55],
  ['green', 120],
  ['turquoise', 175],
  ['blue', 230],
  ['violet', 275],
  ['pink', 325],
];

/** The colors that people ask for by name, one tap each. */
export function ColorPresets({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { isDisabled, set } = useControl(entry, feature);
  return (
    <div class="presets" role="group" aria-label={deviceWords.presets}>
      {PRESETS.map(([name, hue]) => {
        const color: HueSaturation = { hue, saturation: 100 };
        return (
          <button
            key={name}
            type="button"
            aria-label={deviceWords.colors[name] ?? name}
            disabled={isDisabled}
            onClick={() => set(colorValue(color, feature.value))}
          >
            <span class="swatch" style={{ backgroundColor: cssFrom(rgbFromHue(color)) }} />
          </button>
        );
      })}
    </div>
  );
}
