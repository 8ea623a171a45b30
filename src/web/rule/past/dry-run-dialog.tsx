import type { AutomationDryRun, AutomationVersion } from '#web/client/api.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { ruleDry as dryWords } from '#web/strings/en/rule/dry.ts';
import { drySentence } from './dry-words.ts';
import { RunTrace } from './run-trace.tsx';
import { errorWords } from '#web/strings/error-words.ts';

type Props = { readonly run: AutomationDryRun; readonly onClose: () => void };

/** Shows what a start would do now, in the sentence of the automation: also what not, and why. */
export function DryRunDialog({ run, onClose }: Props) {
  const { automation, version } = run.trace;
  const reading = useReading<AutomationVersion>(`/automation/${encodeURIComponent(automation)}/version/${version}`);
  return (
    <Dialog title={dryWords.title} onClose={onClose}>
      {() => (
        <div class="form">
          <p class="soft">{dryWords.text}</p>
          {run.state === 'ready' ? null : (
            <Notice
              tone="warn"
              text={run.state_reason === null ? dryWords.refused : dryWords.refusedFor(errorWords(run.state_reason))}
            />
          )}
          <p>
            <strong>{drySentence(run)}</strong>
          </p>
          <ReadingView of={reading} rows={4}>
            {(read) => <RunTrace run={run.trace} definition={read} dryRun={run} />}
          </ReadingView>
        </div>
      )}
    </Dialog>
  );
}
