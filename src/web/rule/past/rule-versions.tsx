import { useState } from 'preact/hooks';
import type { Automation, AutomationDiff, AutomationVersion, AutomationVersionLine } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { Changes } from './changes.tsx';
import { useMoment } from '#web/rule/next-times.tsx';
import { RuleSentence } from '#web/rule/rule-sentence.tsx';

type Props = {
  readonly rule: Automation;
  readonly canChange: boolean;
  readonly onChanged: () => Promise<void>;
};

/** Shows what the automation did before, who changed it, and the way back. */
export function RuleVersions({ rule, canChange, onChanged }: Props) {
  const reading = useReading<readonly AutomationVersionLine[]>(`/automation/${rule.id}/version`);
  const moment = useMoment();
  const [open, setOpen] = useState<number | null>(null);
  const again = async (): Promise<void> => {
    await Promise.all([reading.again(), onChanged()]);
  };
  return (
    <ReadingView of={reading}>
      {(lines) => (
        <ol class="rows rule-versions">
          {[...lines]
            .sort((one, other) => other.version - one.version)
            .map((line) => (
              <li key={line.version} class="rule-version">
                <button
                  type="button"
                  class="row"
                  aria-expanded={open === line.version}
                  onClick={() => setOpen(open === line.version ? null : line.version)}
                >
                  <span class="row-text">
                    <span class="row-title">
                      {rulePageWords.versionOf(line.version, moment(line.at), line.by.name)}
                    </span>
                    <bdi class="row-note">{notesOf(line, rule.version)}</bdi>
                  </span>
                </button>
                {open === line.version ? (
                  <OneVersion rule={rule} version={line.version} canChange={canChange} onChanged={again} />
                ) : null}
              </li>
            ))}
        </ol>
      )}
    </ReadingView>
  );
}

function notesOf({ version, note, reverted_to: revertedTo }: AutomationVersionLine, present: number): string {
  const notes = [
    version === present ? rulePageWords.present : null,
    note,
    revertedTo === null ? null : rulePageWords.revertedTo(revertedTo),
  ];
  return notes.filter((one) => one !== null).join(' · ');
}

function OneVersion({ rule, version, canChange, onChanged }: Props & { readonly version: number }) {
  const { client, messages, questions } = useHub();
  const path = `/automation/${rule.id}/version/${version}`;
  const reading = useReading<AutomationVersion>(path);
  const diff = useReading<AutomationDiff>(`${path}/diff?to=${rule.version}`);
  const revert = useReportedTask(async () => {
    await client.call('POST', `/automation/${rule.id}/revert`, { version });
    messages.show(rulePageWords.reverted(version));
  }, onChanged);
  const ask = (): void =>
    questions.ask(
      { title: rulePageWords.revertQuestion(version), text: rulePageWords.revertText, confirm: rulePageWords.revert },
      revert.run,
    );
  return (
    <div class="rule-version-open">
      <ReadingView of={reading}>{({ definition }) => <RuleSentence definition={definition} />}</ReadingView>
      {version === rule.version ? null : (
        <>
          <h3 class="panel-title">{rulePageWords.changes}</h3>
          <ReadingView of={diff}>{({ changes }) => <Changes changes={changes} />}</ReadingView>
          {canChange ? (
            <button type="button" class="button" onClick={ask}>
              {rulePageWords.revert}
            </button>
          ) : null}
        </>
      )}
    </div>
  );
}
