import type { Range, Stretch, Value } from './stretches.ts';

type Props = {
  readonly stretches: readonly Stretch[];
  readonly range: Range;
  readonly words: (stretch: Stretch) => string;
};

/** As many states have a color of their own; further ones share the last. */
const COLORS = 6;
/** Under this share of the width a bar has no room for its word. */
const WORD_SHARE = 0.2;

/** How a feature with few states was over time: a bar for each time that one held, and hatching where none is known. */
export function StateBars({ stretches, range, words }: Props) {
  const lengthMs = range.toMs - range.fromMs;
  const values = [...new Set(stretches.flatMap((stretch) => ('value' in stretch ? [stretch.value] : [])))];
  const firsts = values.map((value) => stretches.find((one) => 'value' in one && one.value === value));
  return (
    <>
      <div class="state-bars" aria-hidden="true">
        {stretches.map((stretch) => {
          const share = (stretch.toMs - stretch.fromMs) / lengthMs;
          return (
            <span
              key={stretch.fromMs}
              class="state-bar"
              data-color={'value' in stretch ? colorOf(stretch.value, values) : 'gap'}
              style={{ left: `${((stretch.fromMs - range.fromMs) / lengthMs) * 100}%`, width: `${share * 100}%` }}
            >
              {share > WORD_SHARE && 'value' in stretch ? words(stretch) : null}
            </span>
          );
        })}
      </div>
      <ul class="bars-key">
        {firsts.map((stretch) =>
          stretch === undefined || !('value' in stretch) ? null : (
            <li key={String(stretch.value)}>
              <span class="bar-swatch" data-color={colorOf(stretch.value, values)} />
              {words(stretch)}
            </li>
          ),
        )}
      </ul>
    </>
  );
}

function colorOf(value: Value, values: readonly Value[]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(Math.min(values.indexOf(value), COLORS - 1));
}
