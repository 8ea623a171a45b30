import { problemFrom } from '#web/client/hub-problem.ts';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';
import { offerFile } from '#web/parts/offer-file.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { csvFile } from './csv.ts';
import { seriesList } from './use-history.ts';

/** A month of a restless device on a bad network. */
const FILE_MS = 300_000;

type Props = {
  /** By `device/key`. */
  readonly series: readonly string[];
  readonly from: string;
  readonly to: string | null;
  /** The name of the file, without its ending. */
  readonly name: string;
};

/** Saves every sample of the chosen time, which are more than a chart shows. */
export function Download({ series, from, to, name }: Props) {
  const { client } = useHub();
  const save = useReportedTask(async () => {
    const range = `from=${encodeURIComponent(from)}${to === null ? '' : `&to=${encodeURIComponent(to)}`}`;
    const file = await csvFile(series, (some) =>
      within(FILE_MS, async (signal) => {
        const path = `/api/v1/history/export?format=csv&series=${seriesList(some)}&${range}`;
        const answer = await client.send(path, { signal });
        if (!answer.ok) throw await problemFrom(answer);
        return answer.blob();
      }),
    );
    offerFile(file, `${name}.csv`);
  });
  return (
    <button type="button" class="button" aria-disabled={save.isRunning} onClick={save.run}>
      {save.isRunning ? historyWords.downloading : historyWords.download}
    </button>
  );
}
