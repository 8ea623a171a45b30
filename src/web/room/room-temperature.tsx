import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { shownOf } from '#web/controls/use-feature.ts';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { valueWords } from '#web/strings/value-words.ts';
import type { SparklineProps } from './sparkline.tsx';
import { roomTemperature } from './room-facts.ts';

/** After the cards, which are what people wait for. */
const LATER_MS = 1_000;

type Props = {
  readonly entries: readonly DeviceEntry[];
  /** Whether it leads to the history. */
  readonly isLink?: boolean;
};

/** How warm a room is, with the last day as a line. The line and its data are no part of the first load. */
export function RoomTemperature({ entries, isLink = false }: Props) {
  const { account } = useHub();
  const [part, setPart] = useState<{ readonly View: ComponentType<SparklineProps> } | null>(null);
  const found = roomTemperature(entries);
  const { entry, feature } = found ?? {};
  const canSee = entry !== undefined && account.can('history:read');
  useEffect(() => {
    if (!canSee || part !== null) return undefined;
    const timer = setTimeout(() => {
      import('./sparkline.tsx').then(
        ({ Sparkline }) => setPart({ View: Sparkline }),
        // The number is there without the line.
        () => setPart(null),
      );
    }, LATER_MS);
    return () => clearTimeout(timer);
  }, [canSee, part]);
  if (entry === undefined || feature === undefined) return null;
  const { value, trust } = shownOf(entry, feature);
  const isKnown = trust === 'confirmed' || trust === 'assumed';
  const device = entry.device.value;
  const content = (
    <>
      {isKnown ? (
        <>
          <span class="unseen">{feature.name}</span>
          {valueWords(feature, value)}
        </>
      ) : null}
      {canSee ? (
        <span class="spark">
          {part === null ? null : <part.View series={`${entry.id}/${feature.key}`} feature={feature} />}
        </span>
      ) : null}
    </>
  );
  if (!isLink || !canSee) return <span class="room-temperature">{content}</span>;
  return (
    <a class="room-temperature" href={`/history?f=${device.selector}/${feature.key}&from=-24h`}>
      {content}
    </a>
  );
}
