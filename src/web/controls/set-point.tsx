import { useRef, useState } from 'preact/hooks';
import type { Feature } from '#web/client/api.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { numberWords } from '#web/strings/value-words.ts';
import { useControl } from './use-feature.ts';

type Props = {
  readonly entry: DeviceEntry;
  readonly feature: Feature;
  readonly label: string;
  readonly words: { readonly less: string; readonly more: string };
};

const SETTLE_MS = 500;

/** A number that is stepped up and down; several taps are one command. */
export function SetPoint({ entry, feature, label, words }: Props) {
  const { value, trust, isDisabled, set } = useControl(entry, feature);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const wanted = useRef<number | null>(null);
  const [asked, setAsked] = useState<number | null>(null);
  const step = feature.step ?? 0.5;
  const [min, max] = [feature.min ?? -Infinity, feature.max ?? Infinity];
  const shown = typeof value === 'number' ? value : null;

  const move = (by: number): void => {
    const from = wanted.current ?? shown ?? Math.max(min, 20);
    const next = Math.min(max, Math.max(min, Number((from + by).toFixed(3))));
    wanted.current = next;
    setAsked(next);
    // Shown at once, sent when the finger rests.
    entry.pending.value = new Map(entry.pending.peek()).set(feature.key, { value: next, stage: 'asked' });
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      wanted.current = null;
      set(next);
    }, SETTLE_MS);
  };
  return (
    <div class="stepper" role="group" aria-label={label}>
      <button
        type="button"
        aria-label={words.less}
        disabled={isDisabled || (shown ?? max) <= min}
        onClick={() => move(-step)}
      >
        <Icon name="minus" size={20} />
      </button>
      <span class="stepper-value" data-trust={trust}>
        {shown === null ? pageWords.none : numberWords(shown, feature)}
      </span>
      {/* A screen reader announces what its user sets, not what the device reports. */}
      <span class="unseen" role="status">
        {asked === null ? '' : numberWords(asked, feature)}
      </span>
      <button
        type="button"
        aria-label={words.more}
        disabled={isDisabled || (shown ?? min) >= max}
        onClick={() => move(step)}
      >
        <Icon name="plus" size={20} />
      </button>
    </div>
  );
}
