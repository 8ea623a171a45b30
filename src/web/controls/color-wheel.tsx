import { useRef, useState } from 'preact/hooks';
import type { Feature } from '#web/client/home.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { t } from '#web/strings/strings.ts';
import { colorValue, cssFrom, hueOf, type HueSaturation, rgbFromHue } from './colors.ts';
import { useControl } from './use-feature.ts';

const STEPS: Readonly<Record<string, readonly [hue: number, saturation: number]>> = {
  ArrowLeft: [-5, 0],
  ArrowRight: [5, 0],
  ArrowUp: [0, 5],
  ArrowDown: [0, -5],
};

/** Hue around, saturation outwards. The arrow keys turn and pull it as well. */
export function ColorWheel({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { value, isDisabled, set } = useControl(entry, feature);
  const wheel = useRef<HTMLDivElement>(null);
  const [dragged, setDragged] = useState<HueSaturation | null>(null);
  const shown = dragged ?? hueOf(value) ?? { hue: 30, saturation: 0 };

  const at = (event: PointerEvent): HueSaturation => {
    const box = wheel.current?.getBoundingClientRect();
    if (box === undefined) return shown;
    const x = event.clientX - box.left - box.width / 2;
    const y = event.clientY - box.top - box.height / 2;
    const hue = Math.round((Math.atan2(y, x) * 180) / Math.PI + 450) % 360;
    const saturation = Math.round(Math.min(1, Math.hypot(x, y) / (box.width / 2)) * 100);
    return { hue, saturation };
  };
  const pick = (wanted: HueSaturation, isPassing: boolean): void => {
    setDragged(isPassing ? wanted : null);
    set(colorValue(wanted, feature.value), isPassing);
  };
  const angle = ((shown.hue - 90) * Math.PI) / 180;
  const radius = shown.saturation / 2;
  return (
    <div
      ref={wheel}
      class="wheel"
      role="slider"
      tabIndex={isDisabled ? -1 : 0}
      aria-label={t.control.colorWheel}
      aria-valuemin={0}
      aria-valuemax={359}
      aria-valuenow={shown.hue}
      aria-valuetext={t.control.hueWords(shown.hue, shown.saturation)}
      aria-disabled={isDisabled}
      onPointerDown={(event) => {
        if (isDisabled || event.button !== 0) return;
        wheel.current?.setPointerCapture(event.pointerId);
        pick(at(event), true);
      }}
      onPointerMove={(event) => dragged !== null && pick(at(event), true)}
      onPointerUp={(event) => dragged !== null && pick(at(event), false)}
      onPointerCancel={() => setDragged(null)}
      onKeyDown={(event) => {
        const step = STEPS[event.key];
        if (step === undefined || isDisabled) return;
        event.preventDefault();
        const saturation = Math.min(100, Math.max(0, shown.saturation + step[1]));
        pick({ hue: (shown.hue + step[0] + 360) % 360, saturation }, false);
      }}
    >
      <span
        class="wheel-knob"
        style={{
          left: `${50 + Math.cos(angle) * radius}%`,
          top: `${50 + Math.sin(angle) * radius}%`,
          backgroundColor: cssFrom(rgbFromHue(shown)),
        }}
      />
    </div>
  );
}
