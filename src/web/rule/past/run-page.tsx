import type { AutomationRun, AutomationVersion } from '#web/client/api.ts';
import { Loaded } from '#web/parts/loaded.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView, RowsSkeleton } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import type { PageProps } from '#web/router.ts';
import { rulePast as pastWords } from '#web/strings/en/rule/past.ts';
import { useMoment } from '#web/rule/next-times.tsx';
import { RunHead } from './run-head.tsx';

const loadTrace = async () => (await import('./run-trace.tsx')).RunTrace;

/** One run: the sentence of the version that ran, and how each part of it went. */
export function RunPage({ params }: PageProps) {
  const rule = params['selector'] ?? '';
  const reading = useReading<AutomationRun>(`/automation_run/${encodeURIComponent(params['id'] ?? '')}`, {
    everyMs: 5_000,
  });
  const moment = useMoment();
  const back = { href: `/rule/${rule}?view=past`, label: pastWords.toRule };
  const { value: run, isGone } = reading;
  if (run === undefined && isGone === true) {
    return (
      <div class="page narrow">
        <PageHead title={pastWords.runNotFound} back={back} />
        <p class="soft">{pastWords.runNotFoundText}</p>
      </div>
    );
  }
  return (
    <div class="page narrow">
      <PageHead title={run === undefined ? pastWords.run : pastWords.runOf(moment(run.started_at))} back={back} />
      <ReadingView of={reading}>{(known) => <KnownRun run={known} />}</ReadingView>
    </div>
  );
}

function KnownRun({ run }: { readonly run: AutomationRun }) {
  const path = `/automation/${encodeURIComponent(run.automation)}/version/${run.version}`;
  const reading = useReading<AutomationVersion>(path);
  return (
    <>
      <RunHead run={run} />
      <ReadingView of={reading} rows={4}>
        {(version) => (
          <Loaded load={loadTrace} waiting={<RowsSkeleton rows={4} />}>
            {(RunTrace) => <RunTrace run={run} definition={version} />}
          </Loaded>
        )}
      </ReadingView>
    </>
  );
}
