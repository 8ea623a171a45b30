import { useEffect } from 'preact/hooks';
import type { Feature } from '#web/client/api.ts';
import { stretchesOf } from '#web/history/stretches.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { useHub } from '#web/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { numberWords } from '#web/strings/value-words.ts';
import { createDays, type Days, HEIGHT, pathOf, WIDTH } from './last-days.ts';

export type SparklineProps = { readonly series: string; readonly feature: Pick<Feature, 'unit' | 'step'> };
/** The last day of a series, as a line without axes. */
export function Sparkline({ series, feature }: SparklineProps) {
  const { client } = useHub();
  const days = daysOf(client);
  useEffect(() => days.want(series), [days, series]);
  const day = days.of(series).value;
  const { min = null, max = null } = day?.series.summary ?? {};
  if (day === undefined || min === null || max === null) return null;
  const path = pathOf(stretchesOf(day.series, day.range), day.range, { min, max });
  return (
    <svg
      role="img"
      aria-label={pageWords.home.lastDay(numberWords(min, feature), numberWords(max, feature))}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
    >
      <path d={path} vector-effect="non-scaling-stroke" />
    </svg>
  );
}

const known = new WeakMap<HubClient, Days>();

/** One for each client, so that the pages share what was read. */
function daysOf(client: HubClient): Days {
  const days = known.get(client) ?? createDays(client, () => document.hidden);
  known.set(client, days);
  return days;
}
