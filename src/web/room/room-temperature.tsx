import type { Feature, HistoryAnswer } from '#web/client/api.ts';
import { shownOf } from '#web/controls/use-feature.ts';
import { HEIGHT, pathOf, stretchesOf, WIDTH } from '#web/history/stretches.ts';
import { useHub } from '#web/hub.ts';
import { useReading } from '#web/parts/use-reading.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { numberWords, valueWords } from '#web/strings/value-words.ts';
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

const POINTS = 60;
const EVERY_MS = 600_000;

type SparklineProps = { readonly series: string; readonly feature: Pick<Feature, 'unit' | 'step'> };

/** The last day of a series: its lowest and highest value, and a line without axes. Its place is there before it is. */
function Sparkline({ series, feature }: SparklineProps) {
  const { value } = useReading<HistoryAnswer>(
    `/history?series=${encodeURIComponent(series)}&points=${POINTS}&times=ms`,
    { everyMs: EVERY_MS },
  );
  const day = value?.series[0];
  const { min = null, max = null } = day?.summary ?? {};
  const isKnown = value !== undefined && day !== undefined && min !== null && max !== null;
  const range = { fromMs: Date.parse(value?.from ?? ''), toMs: Date.parse(value?.to ?? '') };
  const path = isKnown ? pathOf(stretchesOf(day, range), range, { min, max }) : undefined;
  return (
    <>
      <svg class="spark" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} vector-effect="non-scaling-stroke" />
      </svg>
      <span class="soft">
        {min === null || max === null
          ? null
          : pageWords.home.lastDay(numberWords(min, feature), numberWords(max, feature))}
      </span>
    </>
  );
}
