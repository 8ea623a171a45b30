import { useRef, useState } from 'preact/hooks';
import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { titled } from '#web/strings/en/grammar.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { colorValue, cssFrom, hueOf, type HueSaturation, rgbFromHue } from './colors.ts';
import { useControl } from './use-feature.ts';

/** For one press of an arrow key. */
const STEP = 5;

/** Hue around, saturation outwards: for fingers a wheel, for keyboards and screen readers two sliders. */
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
      role="group"
      aria-label={feature.name}
      data-disabled={isDisabled}
      onPointerDown={(event) => {
        if (isDisabled || event.button !== 0) return;
        wheel.current?.setPointerCapture(event.pointerId);
        pick(at(event), true);
      }}
      onPointerMove={(event) => dragged !== null && pick(at(event), true)}
      onPointerUp={(event) => dragged !== null && pick(at(event), false)}
      onPointerCancel={() => setDragged(null)}
    >
      <Part
        label={titled(feature.name, pageWords.control.hue)}
        value={shown.hue}
        max={360 - STEP}
        words={pageWords.control.degrees(shown.hue)}
        isDisabled={isDisabled}
        onValue={(hue, isPassing) => pick({ ...shown, hue }, isPassing)}
      />
      <Part
        label={titled(feature.name, pageWords.control.saturation)}
        value={shown.saturation}
        max={100}
        words={pageWords.control.percent(shown.saturation)}
        isDisabled={isDisabled}
        onValue={(saturation, isPassing) => pick({ ...shown, saturation }, isPassing)}
      />
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

type PartProps = {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly words: string;
  readonly isDisabled: boolean;
  readonly onValue: (value: number, isPassing: boolean) => void;
};

function Part({ label, value, max, words, isDisabled, onValue }: PartProps) {
  return (
    <input
      type="range"
      min={0}
      max={max}
      step={STEP}
      value={value}
      disabled={isDisabled}
      aria-label={label}
      aria-valuetext={words}
      onInput={({ currentTarget }) => onValue(Number(currentTarget.value), true)}
      onChange={({ currentTarget }) => onValue(Number(currentTarget.value), false)}
    />
  );
}
