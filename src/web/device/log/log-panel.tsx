import { useState } from 'preact/hooks';
import { featureOf, gangsOf, isUnavailable } from '#web/state/device/device-facts.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { timeWords } from '#web/strings/formats.ts';
import { valueWords } from '#web/strings/value-words.ts';
import { causeWords, logLines } from '#web/history/log-words.ts';
import type { DeviceLog } from './use-device-log.ts';

const AT_FIRST = 8;
const DAY_MS = 86_400_000;

type Props = { readonly entry: DeviceEntry; readonly log: DeviceLog };

/** Shows what happened to the device, and who did it. Not a live region: a sensor may report every second. */
export function LogPanel({ entry, log }: Props) {
  const [isWhole, setIsWhole] = useState(false);
  const lines = logLines(log.lines ?? [], entry.device.value);
  const newest = Date.parse(lines[0]?.at ?? '');
  const timeOf = (at: string): string =>
    timeWords(at, newest - Date.parse(at) > DAY_MS ? 'dayAndClock' : 'clockWithSeconds');
  const isMore = lines.length > AT_FIRST && !isWhole;
  return (
    <section class="panel panel-log" aria-busy={log.lines === null && log.fault === undefined}>
      <h2 class="panel-title">{pageWords.log.title}</h2>
      {log.fault === undefined ? null : <Notice tone="danger" text={log.fault} />}
      {log.lines !== null && lines.length === 0 ? <p class="soft">{pageWords.log.empty}</p> : null}
      <ol class="log">
        {lines.slice(0, isWhole ? lines.length : AT_FIRST).map(({ id, at, what, note, tone }) => (
          <li key={id} class="log-line" data-tone={tone}>
            <time dateTime={at}>{timeOf(at)}</time>
            <span>
              {what}
              {note === '' ? null : <span class="log-note"> {note}</span>}
            </span>
          </li>
        ))}
      </ol>
      {isMore || log.goesOn ? (
        <button
          type="button"
          class="button button-plain button-wide"
          aria-disabled={log.isBusy}
          onClick={() => (isMore ? setIsWhole(true) : log.readOn())}
        >
          {isMore ? pageWords.log.more : pageWords.log.earlier}
        </button>
      ) : null}
    </section>
  );
}

/** People ask about these first. */
const ASKED = ['on', 'locked', 'cover_state', 'open'];

/** `On since 19:42 by Ada`: the state that the device has confirmed, and who caused it if the logbook knows. */
export function SinceWhen({ entry, log }: Props) {
  const { time } = useHub();
  const device = entry.device.value;
  const feature = ASKED.map((one) => featureOf(device, one)).find((one) => one?.readable === true);
  const at = feature?.changed_at ?? null;
  // None of several switches speaks for the device.
  if (gangsOf(device).length > 0) return null;
  if (feature === undefined || at === null || feature.quality !== 'confirmed' || isUnavailable(device)) return null;
  const line = log.lines?.find((one) => one.type === 'feature.changed' && one.feature?.key === feature.key);
  const by = line !== undefined && line.feature?.value === feature.value ? causeWords(line) : '';
  return (
    <span class="device-since">{deviceWords.since(valueWords(feature, feature.value), time.momentOf(at), by)}</span>
  );
}
