import { useMemo, useState } from 'preact/hooks';
import type { Device } from '#web/client/api.ts';
import { problemFrom } from '#web/client/hub-problem.ts';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { h } from '#web/strings/history-strings.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { t } from '#web/strings/strings.ts';
import { csvFile } from './csv.ts';
import { HistoryFigure } from './history-figure.tsx';
import { chartOf } from './stretches.ts';
import { createMoments, type Span, SPANS } from './time-axis.ts';
import { seriesList, useHistory } from './use-history.ts';

const AT_FIRST = 3;
/** A month of a restless device on a bad network. */
const FILE_MS = 300_000;
const SPAN_NAMES = Object.keys(SPANS) as Span[];
type View = 'chart' | 'table';

/** What a device measured and how it was, over time. */
export function HistoryPanel({ device }: { readonly device: Device }) {
  const [span, setSpan] = useState<Span>('day');
  const [view, setView] = useState<View>('chart');
  const [isWhole, setIsWhole] = useState(false);
  const charts = device.features.filter((feature) => chartOf(feature) !== null);
  const drawn = isWhole ? charts : charts.slice(0, AT_FIRST);
  const { shown, fault, retry } = useHistory(
    device.id,
    drawn.map(({ key }) => key),
    span,
  );
  const moments = useMemo(() => createMoments(shown?.timeZone ?? 'UTC'), [shown?.timeZone]);
  const lasts = shown === undefined ? [] : [...shown.series.values()].map(({ gaps }) => gaps.at(-1));
  const isPaused = lasts.some((gap) => gap?.reason === 'paused' && gap.to === shown?.range.toMs);
  return (
    <section class="panel history" aria-busy={shown === undefined && fault === undefined}>
      <h2 class="panel-title">{h.title}</h2>
      <Choices label={h.span} names={SPAN_NAMES} words={h.spans} chosen={span} onChoose={setSpan} />
      {fault === undefined ? null : (
        <Notice tone="danger" text={shown === undefined ? fault : `${fault} ${h.old}`}>
          <button type="button" class="button" onClick={retry}>
            {t.retry}
          </button>
        </Notice>
      )}
      {isPaused ? <Notice tone="warn" text={h.paused} /> : null}
      {shown === undefined && fault === undefined ? <p class="soft">{t.loading}</p> : null}
      {shown === undefined
        ? null
        : drawn.map((feature) => {
            const series = shown.series.get(feature.key);
            return series === undefined ? null : (
              <HistoryFigure key={feature.key} {...{ feature, series, shown, moments, view }} />
            );
          })}
      {shown === undefined || isWhole || charts.length <= AT_FIRST ? null : (
        <button type="button" class="button button-plain button-wide" onClick={() => setIsWhole(true)}>
          {h.more(charts.length - AT_FIRST)}
        </button>
      )}
      {shown === undefined ? null : (
        <>
          <p class="soft history-zone">{h.zone(shown.timeZone)}</p>
          <div class="history-foot">
            <Choices label={h.view} names={VIEWS} words={h} chosen={view} onChoose={setView} />
            <Download device={device} keys={charts.map(({ key }) => key)} span={span} />
          </div>
        </>
      )}
    </section>
  );
}

const VIEWS: readonly View[] = ['chart', 'table'];

type ChoicesProps<Name extends string> = {
  readonly label: string;
  readonly names: readonly Name[];
  readonly words: Readonly<Record<Name, string>>;
  readonly chosen: Name;
  readonly onChoose: (name: Name) => void;
};

function Choices<Name extends string>({ label, names, words, chosen, onChoose }: ChoicesProps<Name>) {
  return (
    <div class="choices" role="group" aria-label={label}>
      {names.map((name) => (
        <button key={name} type="button" aria-pressed={name === chosen} onClick={() => onChoose(name)}>
          {words[name]}
        </button>
      ))}
    </div>
  );
}

type DownloadProps = { readonly device: Device; readonly keys: readonly string[]; readonly span: Span };

/** Saves every sample of the chosen time, which are more than a chart shows. */
function Download({ device, keys, span }: DownloadProps) {
  const { client, messages } = useHub();
  const [isBusy, setIsBusy] = useState(false);
  const save = async (): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    const from = SPANS[span].ago;
    const words = await wordsIfRefused(async () => {
      const file = await csvFile(keys, (some) =>
        within(FILE_MS, async (signal) => {
          const path = `/api/v1/history/export?format=csv&series=${seriesList(device.id, some)}&from=${from}`;
          const answer = await client.send(path, { signal });
          if (!answer.ok) throw await problemFrom(answer);
          return answer.blob();
        }),
      );
      offerFile(file, `${device.selector}-${span}.csv`);
    });
    setIsBusy(false);
    if (words !== undefined) messages.show(words, 'danger');
  };
  return (
    <button type="button" class="button" aria-disabled={isBusy} onClick={() => void save()}>
      {isBusy ? h.downloading : h.download}
    </button>
  );
}

function offerFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser takes the file up after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
