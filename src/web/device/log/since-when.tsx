import { useEffect, useState } from 'preact/hooks';
import type { Feature, Timeline, TimelineLine } from '#web/client/api.ts';
import { featureOf, isUnavailable } from '#web/device/device-facts.ts';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { d } from '#web/strings/home/device-strings.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { valueWords } from '#web/strings/value-words.ts';
import { causeWords } from './log-words.ts';

/** What people ask about first. */
const ASKED = ['on', 'locked', 'cover_state', 'open'];
const LINES = 20;
/** The logbook has the line of a change a moment after the change. */
const LATER_MS = 1_500;

/** `On since 19:42 by Ada`: the state that the device has confirmed, and who caused it if the logbook knows. */
export function SinceWhen({ entry }: { readonly entry: DeviceEntry }) {
  const { time } = useHub();
  const device = entry.device.value;
  const feature = ASKED.map((one) => featureOf(device, one)).find((one) => one?.readable === true);
  const line = useLineOf(entry.id, feature);
  const at = feature?.changed_at ?? null;
  if (feature === undefined || at === null || feature.quality !== 'confirmed' || isUnavailable(device)) return null;
  const by = line !== undefined && line.feature?.value === feature.value ? causeWords(line) : '';
  return <span class="device-since">{d.since(valueWords(feature, feature.value), time.momentOf(at), by)}</span>;
}

/** The last line of the logbook about the feature, read again after each change. */
function useLineOf(device: string, feature: Feature | undefined): TimelineLine | undefined {
  const { client, account } = useHub();
  const [line, setLine] = useState<TimelineLine>();
  const canRead = account.can('history:read');
  const key = feature?.key;
  const at = feature?.changed_at;
  useEffect(() => {
    setLine(undefined);
    if (!canRead || key === undefined) return undefined;
    let isOver = false;
    const read = async (): Promise<void> => {
      // Without it the page says since when, and not by whom.
      await wordsIfRefused(async () => {
        const { lines } = await client.call<Timeline>('GET', `/history/timeline?device=${device}&limit=${LINES}`);
        if (!isOver) setLine(lines.find((one) => one.type === 'feature.changed' && one.feature?.key === key));
      });
    };
    const age = Date.now() - Date.parse(at ?? '');
    const timer = setTimeout(() => void read(), age > LATER_MS ? 0 : LATER_MS);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, device, key, at, canRead]);
  return line;
}
