import { useEffect } from 'preact/hooks';
import type { Feature } from '#web/client/api.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { shownOf } from '#web/controls/use-feature.ts';
import { stretchesOf } from '#web/history/stretches.ts';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { numberWords, valueWords } from '#web/strings/value-words.ts';
import { createDays, type Days, HEIGHT, pathOf, WIDTH } from './last-days.ts';
import { roomTemperature } from './room-facts.ts';

/** How warm a room is, with the last day as a line: a card that leads to the history. */
export function RoomTemperature({ entries }: { readonly entries: readonly DeviceEntry[] }) {
  const { account } = useHub();
  const found = roomTemperature(entries);
  if (found === undefined) return null;
  const { entry, feature } = found;
  const { value, trust } = shownOf(entry, feature);
  const now =
    trust === 'confirmed' || trust === 'assumed' ? (
      <span class="room-temperature-now">
        <span class="unseen">{feature.name}</span>
        {valueWords(feature, value)}
      </span>
    ) : null;
  if (!account.can('history:read')) return now;
  return (
    <a class="panel room-temperature" href={`/history?f=${entry.device.value.selector}/${feature.key}&from=-24h`}>
      {now}
      <Sparkline series={`${entry.id}/${feature.key}`} feature={feature} />
    </a>
  );
}

type SparklineProps = { readonly series: string; readonly feature: Pick<Feature, 'unit' | 'step'> };

/** The last day of a series: its lowest and highest value, and a line without axes. Its place is there before it is. */
function Sparkline({ series, feature }: SparklineProps) {
  const { client } = useHub();
  const days = daysOf(client);
  useEffect(() => days.want(series), [days, series]);
  const day = days.of(series).value;
  const { min = null, max = null } = day?.series.summary ?? {};
  const path =
    day === undefined || min === null || max === null
      ? undefined
      : pathOf(stretchesOf(day.series, day.range), day.range, { min, max });
  return (
    <>
      <span class="soft">
        {min === null || max === null
          ? null
          : pageWords.home.lastDay(numberWords(min, feature), numberWords(max, feature))}
      </span>
      <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} vector-effect="non-scaling-stroke" />
      </svg>
    </>
  );
}

const known = new WeakMap<HubClient, Days>();

/** One for each client, so that the pages share what was read. */
function daysOf(client: HubClient): Days {
  const days = known.get(client) ?? createDays(client, () => document.hidden);
  known.set(client, days);
  return days;
}
