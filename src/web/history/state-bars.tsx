import { shareOf } from './look.tsx';
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

type TicksProps = { readonly parts: readonly Range[]; readonly range: Range; readonly gaps: readonly Range[] };

/** A line for each moment in which something happened, such as a press of a button. */
export function EventTicks({ parts, range, gaps }: TicksProps) {
  return (
    <div class="state-bars" aria-hidden="true">
      {gaps.map(({ fromMs, toMs }) => (
        <span
          key={fromMs}
          class="state-bar"
          data-color="gap"
          style={{
            left: `${shareOf(range, fromMs) * 100}%`,
            width: `${(shareOf(range, toMs) - shareOf(range, fromMs)) * 100}%`,
          }}
        />
      ))}
      {parts.map(({ fromMs }) => (
        <span key={fromMs} class="event-tick" style={{ left: `${shareOf(range, fromMs) * 100}%` }} />
      ))}
    </div>
  );
}

function colorOf(value: Value, values: readonly Value[]): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return String(Math.min(values.indexOf(value), COLORS - 1));
}
