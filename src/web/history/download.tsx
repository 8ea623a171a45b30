import { problemFrom } from '#web/client/hub-problem.ts';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';
import { offerFile } from '#web/parts/offer-file.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { formatLocale } from '#web/strings/formats.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { csvFile, SERIES_MOST, withTitles } from './csv.ts';
import { seriesList } from './use-history.ts';

/** A month of a restless device on a bad network. */
const FILE_MS = 300_000;

type Column = {
  /** By `device/key`. */
  readonly series: string;
  readonly room: string | undefined;
  /** Device and feature. */
  readonly name: string;
  readonly unit: string | null;
};

type Props = {
  readonly columns: readonly Column[];
  readonly from: string;
  readonly to: string | null;
  /** The name of the file, without its ending. */
  readonly name: string;
};

/** Saves every sample of the chosen time, which are more than a chart shows: as a table for people, or as the hub has them. */
export function Download({ columns, from, to, name }: Props) {
  const { client } = useHub();
  const range = `from=${encodeURIComponent(from)}${to === null ? '' : `&to=${encodeURIComponent(to)}`}`;
  const read = (series: readonly string[], how = ''): Promise<Blob> =>
    within(FILE_MS, async (signal) => {
      const path = `/api/v1/history/export?format=csv&series=${seriesList(series)}&${range}${how}`;
      const answer = await client.send(path, { signal });
      if (!answer.ok) throw await problemFrom(answer);
      return answer.blob();
    });
  const saveSamples = useReportedTask(async () => {
    const series = columns.map((one) => one.series);
    offerFile(await csvFile(series, read), `${name}.csv`);
  });
  const saveTable = useReportedTask(async () => {
    const how = `&layout=table&language=${encodeURIComponent(formatLocale())}`;
    for (let start = 0; start < columns.length; start += SERIES_MOST) {
      const some = columns.slice(start, start + SERIES_MOST);
      const table = await read(
        some.map((one) => one.series),
        how,
      );
      const part = start === 0 ? '' : `-${start / SERIES_MOST + 1}`;
      offerFile(await withTitles(table, some.map(titleOf)), `${name}-${historyWords.tableFile}${part}.csv`);
    }
  });
  return (
    <div class="row-buttons">
      {(
        [
          [saveTable, historyWords.downloadTable],
          [saveSamples, historyWords.download],
        ] as const
      ).map(([save, words]) => (
        <button key={words} type="button" class="button" aria-disabled={save.isRunning} onClick={save.run}>
          {save.isRunning ? historyWords.downloading : words}
        </button>
      ))}
    </div>
  );
}

function titleOf({ room, name, unit }: Column): string {
  const place = room === undefined ? name : `${room} – ${name}`;
  if (unit === null) return place;
  // On the page a degree says enough beside its number.
  return `${place} (${unit === 'celsius' ? '°C' : (pageWords.units[unit] ?? unit)})`;
}
