import { useState } from 'preact/hooks';
import type { Feature } from '#web/client/api.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { ColorWheel } from './color-wheel.tsx';
import { COLOR_PRESETS, shineOf, colorValue, cssFrom, rgbFromHue, rgbFromKelvin, WHITES_K } from './colors.ts';
import { CoverButtons } from './cover-buttons.tsx';
import { LevelSlider } from './level-slider.tsx';
import { LockButton } from './lock-button.tsx';
import { SetPoint } from './set-point.tsx';
import { useAction, useControl } from './use-feature.ts';
import { Slider } from './slider.tsx';

type Props = { readonly entry: DeviceEntry; readonly feature: Feature };

const STEP_K = 50;

/** The control for a feature: chosen by its capability, or else by the type of its value. */
export function FeatureControl({ entry, feature }: Props) {
  switch (feature.capability) {
    case 'color':
      return (
        <>
          <ColorPresets entry={entry} feature={feature} />
          <details class="help">
            <summary>{deviceWords.wheel}</summary>
            <ColorWheel entry={entry} feature={feature} />
          </details>
        </>
      );
    case 'color_temperature':
      return (
        <>
          <WhitePresets entry={entry} feature={feature} />
          <WhiteSlider entry={entry} feature={feature} />
        </>
      );
    case 'brightness': {
      const { features } = entry.device.value;
      const of = (wanted: string): Feature | undefined => features.find(({ capability }) => capability === wanted);
      const shine = shineOf(of('color'), of('color_temperature'));
      return <LevelSlider entry={entry} feature={feature} label={feature.name} shine={shine} />;
    }
    case 'cover_state':
      return <CoverButtons entry={entry} feature={feature} name={feature.name} />;
    case 'locked':
      return <LockButton entry={entry} feature={feature} />;
    case 'target_temperature':
    case 'target_temperature_cool':
    case 'away_target_temperature': {
      const words = { less: pageWords.control.colder, more: pageWords.control.warmer };
      return <SetPoint entry={entry} feature={feature} label={feature.name} words={words} />;
    }
    default:
      return <PlainControl entry={entry} feature={feature} />;
  }
}

function PlainControl({ entry, feature }: Props) {
  if (feature.kind === 'action') return <ActionButton entry={entry} feature={feature} />;
  if (feature.value_type === 'boolean') return <Toggle entry={entry} feature={feature} />;
  if (feature.options !== null) return <Options entry={entry} feature={feature} options={feature.options} />;
  if (feature.value_type !== 'number') return <TextControl entry={entry} feature={feature} />;
  const isPercent = feature.unit === 'percent' && (feature.min ?? 0) === 0;
  if (isPercent) return <LevelSlider entry={entry} feature={feature} label={feature.name} />;
  const words = { less: pageWords.control.less, more: pageWords.control.more };
  return <SetPoint entry={entry} feature={feature} label={feature.name} words={words} />;
}

function ActionButton({ entry, feature }: Props) {
  const { isDisabled, act } = useAction(entry, feature);
  return (
    <button type="button" class="button" disabled={isDisabled} onClick={act}>
      {feature.name}
    </button>
  );
}

/** A switch. `label` is for a place where the feature's name does not say of what it is. */
export function Toggle({ entry, feature, label = feature.name }: Props & { readonly label?: string }) {
  const { value, isDisabled, set } = useControl(entry, feature);
  return (
    <button
      type="button"
      role="switch"
      class="toggle"
      aria-checked={value === true}
      aria-label={label}
      disabled={isDisabled}
      onClick={() => set(value !== true)}
    />
  );
}

const MOST_BUTTONS = 3;

function Options({ entry, feature, options }: Props & { readonly options: readonly string[] }) {
  const { value, isDisabled, set } = useControl(entry, feature);
  if (options.length <= MOST_BUTTONS) {
    return (
      <div class="choices" role="group" aria-label={feature.name}>
        {options.map((option) => (
          <button
            key={option}
            type="button"
            aria-pressed={value === option}
            disabled={isDisabled}
            onClick={() => set(option)}
          >
            {enumWords(option)}
          </button>
        ))}
      </div>
    );
  }
  return (
    <select
      class="input"
      aria-label={feature.name}
      disabled={isDisabled}
      value={typeof value === 'string' ? value : ''}
      onChange={({ currentTarget }) => set(currentTarget.value)}
    >
      {typeof value === 'string' && options.includes(value) ? null : (
        // What can only be asked for, such as an effect, never has a known value.
        <option value="">{feature.readable ? pageWords.none : pageWords.choose}</option>
      )}
      {options.map((option) => (
        <option key={option} value={option}>
          {enumWords(option)}
        </option>
      ))}
    </select>
  );
}

/** For values that have no better control: text as it is, anything else as JSON. */
function TextControl({ entry, feature }: Props) {
  const { value, isDisabled, set } = useControl(entry, feature);
  const isText = feature.value_type === 'string';
  const [text, setText] = useState<string | null>(null);
  const shown = isText && typeof value === 'string' ? value : value === null ? '' : JSON.stringify(value);
  const wanted = text === null ? undefined : isText ? text : jsonFrom(text);
  return (
    <form
      class="text-control"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (wanted === undefined) return;
        set(wanted);
        setText(null);
      }}
    >
      <input
        class="input"
        aria-label={pageWords.control.value(feature.name)}
        value={text ?? shown}
        disabled={isDisabled}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
        spellcheck={false}
      />
      <button type="submit" class="button" disabled={isDisabled || wanted === undefined}>
        {pageWords.control.apply}
      </button>
    </form>
  );
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** One tap each. */
function ColorPresets({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { isDisabled, set } = useControl(entry, feature);
  return (
    <div class="presets" role="group" aria-label={deviceWords.presets}>
      {COLOR_PRESETS.map(([name, color]) => (
        <button
          key={name}
          type="button"
          aria-label={deviceWords.colors[name] ?? name}
          disabled={isDisabled}
          onClick={() => set(colorValue(color, feature.value))}
        >
          <span class="swatch" style={{ backgroundColor: cssFrom(rgbFromHue(color)) }} />
        </button>
      ))}
    </div>
  );
}

/** The whites that people know, as far as the lamp has them. */
function WhitePresets({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
  const { value, isDisabled, set } = useControl(entry, feature);
  const { min, max } = feature;
  return (
    <div class="choices" role="group" aria-label={feature.name}>
      {Object.entries(WHITES_K).map(([name, kelvin]) => {
        const own = Math.min(Math.max(kelvin, min ?? kelvin), max ?? kelvin);
        return (
          <button key={name} type="button" aria-pressed={value === own} disabled={isDisabled} onClick={() => set(own)}>
            {deviceWords.whites[name]}
          </button>
        );
      })}
    </div>
  );
}

/** White light from warm to cool, on a track that shows it. */
function WhiteSlider({ entry, feature }: { readonly entry: DeviceEntry; readonly feature: Feature }) {
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
