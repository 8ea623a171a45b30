import { history as historyWords } from '#web/strings/en/history.ts';
import { indexAt, type Range } from './stretches.ts';

export function shareOf({ fromMs, toMs }: Range, atMs: number): number {
  return (atMs - fromMs) / (toMs - fromMs);
}

type Props = {
  readonly name: string;
  readonly parts: readonly Range[];
  readonly range: Range;
  readonly looked: number | null;
  readonly onLook: (index: number | null) => void;
  readonly words: (part: Range) => string;
};

/** Says what was at a moment: under the pointer, or step by step with the arrow keys. */
export function Look({ name, parts, range, looked, onLook, words }: Props) {
  const last = parts.length - 1;
  const index = Math.min(looked ?? last, last);
  const part = parts[index];
  const point = (event: PointerEvent & { readonly currentTarget: HTMLElement }): void => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    onLook(indexAt(parts, range.fromMs + ((event.clientX - left) / width) * (range.toMs - range.fromMs)));
  };
  // A finger is lifted to read what it pointed at: only a mouse takes its look along.
  const leave = ({ pointerType }: PointerEvent): void => {
    if (pointerType === 'mouse') onLook(null);
  };
  const isShown = looked !== null && part !== undefined;
  return (
    <div class="look" onPointerMove={point} onPointerDown={point} onPointerLeave={leave}>
      {isShown ? (
        <span
          class="look-stretch"
          style={{
            left: `${shareOf(range, part.fromMs) * 100}%`,
            width: `${(shareOf(range, part.toMs) - shareOf(range, part.fromMs)) * 100}%`,
          }}
        />
      ) : null}
      <input
        type="range"
        min={0}
        max={last}
        value={index}
        aria-label={historyWords.lineLabel(name)}
        aria-valuetext={part === undefined ? historyWords.unknown : words(part)}
        onFocus={() => onLook(index)}
        onBlur={() => onLook(null)}
        onInput={({ currentTarget }) => onLook(currentTarget.valueAsNumber)}
      />
    </div>
  );
}
