import { useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { t, timeWords } from '#web/strings/strings.ts';
import { useDeviceLog } from './device-log.ts';
import { earlierLines, logLines } from './log-words.ts';
import { useEarlier } from './use-earlier.ts';

const AT_FIRST = 8;
const DAY_MS = 86_400_000;

/** What happened to the device lately. Not a live region: a sensor may report every second. */
export function LogPanel({ entry }: { readonly entry: DeviceEntry }) {
  const log = useDeviceLog(entry);
  const [isWhole, setIsWhole] = useState(false);
  const { account } = useHub();
  const earlier = useEarlier(entry.id);
  const fresh = logLines(log.value, entry.device.value);
  const lines = [...fresh, ...earlierLines(earlier.lines, entry.device.value)];
  const newest = Date.parse(lines[0]?.at ?? '');
  const timeOf = (at: string): string =>
    timeWords(new Date(at), newest - Date.parse(at) > DAY_MS ? 'dayAndClock' : 'clockWithSeconds');
  return (
    <section class="panel panel-log">
      <h2 class="panel-title">{t.log.title}</h2>
      {lines.length === 0 ? <p class="soft">{t.log.empty}</p> : null}
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
      {lines.length > AT_FIRST && !isWhole ? (
        <button type="button" class="button button-plain button-wide" onClick={() => setIsWhole(true)}>
          {t.log.more}
        </button>
      ) : null}
      {account.can('history:read') && earlier.goesOn && (isWhole || lines.length <= AT_FIRST) ? (
        <button
          type="button"
          class="button button-plain button-wide"
          aria-disabled={earlier.isBusy}
          onClick={() => {
            setIsWhole(true);
            earlier.read(fresh.at(-1)?.at);
          }}
        >
          {t.log.earlier}
        </button>
      ) : null}
    </section>
  );
}
