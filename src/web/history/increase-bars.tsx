import type { HistorySeries } from '#web/client/api.ts';
import { formatLocale } from '#web/strings/formats.ts';
import { shareOf } from './look.tsx';
import { bucketsOf, type Range, topOf } from './stretches.ts';

type Props = { readonly series: HistorySeries; readonly range: Range };

/** A bar for what a counter counted in each part of the range; what it counted unheard stands on it, hatched. */
export function IncreaseBars({ series, range }: Props) {
  const buckets = bucketsOf(series, range);
  const top = topOf(buckets.reduce((most, { increase, inGap }) => Math.max(most, (increase ?? 0) + inGap), 0));
  const number = new Intl.NumberFormat(formatLocale(), { notation: 'compact', maximumFractionDigits: 2 });
  return (
    <div class="increase" aria-hidden="true">
      {[0, top / 2, top].map((value) => (
        <span key={value} class="increase-line" style={{ bottom: `${(value / top) * 100}%` }}>
          <span>{number.format(value)}</span>
        </span>
      ))}
      {buckets.map(({ fromMs, toMs, increase, inGap }) => (
        <span
          key={fromMs}
          class="increase-part"
          data-unknown={increase === null || undefined}
          style={{
            left: `${shareOf(range, fromMs) * 100}%`,
            width: `${(shareOf(range, toMs) - shareOf(range, fromMs)) * 100}%`,
          }}
        >
          {inGap > 0 ? <span class="increase-gap" style={{ height: `${(inGap / top) * 100}%` }} /> : null}
          {increase === null ? null : (
            <span class="increase-bar" style={{ height: `${(Math.max(0, increase) / top) * 100}%` }} />
          )}
        </span>
      ))}
    </div>
  );
}
