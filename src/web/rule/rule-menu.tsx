import type { Automation } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { useReportedTask } from '#web/parts/use-task.ts';
import { ExportButton } from '#web/rule/transfer/export-button.tsx';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';

type Props = {
  readonly rule: Automation;
  readonly canChange: boolean;
  readonly onCheck: () => void;
  readonly onClose: () => void;
};

/** Offers what people seldom do with an automation, and says whose permissions it has. */
export function RuleMenu({ rule, canChange, onCheck, onClose }: Props) {
  const { account, questions } = useHub();
  const remove = useRemoval(rule);
  const { removeQuestion, removeText, remove: confirm } = rulePageWords;
  const first = (close: () => void, action: () => void) => () => {
    close();
    action();
  };
  return (
    <Dialog title={rule.name} onClose={onClose}>
      {(close) => (
        <>
          <div class="rule-menu-rows">
            {account.can('automation:run') ? (
              <button type="button" class="button" onClick={first(close, onCheck)}>
                <Icon name="eye" size={18} />
                {rulePageWords.check}
              </button>
            ) : null}
            {account.can('automation:manage') ? (
              <ExportButton
                path={`/automation_export?automation=${rule.id}`}
                name={rule.selector}
                label={transferWords.exportOne}
              />
            ) : null}
            {canChange ? (
              <button
                type="button"
                class="button button-danger"
                onClick={first(close, () =>
                  questions.ask({ title: removeQuestion(rule.name), text: removeText, confirm }, remove),
                )}
              >
                <Icon name="trash" size={18} />
                {rulePageWords.remove}
              </button>
            ) : null}
          </div>
          <p class="soft">{rulePageWords.signedBy(rule.acts_as.user.name)}</p>
        </>
      )}
    </Dialog>
  );
}

/** Into the trash, from which it comes back. */
function useRemoval({ id, name, selector }: Automation): () => void {
  const { client, messages, router } = useHub();
  const bringBack = useReportedTask(async () => {
    await client.call('POST', `/automation/${id}/restore`);
    messages.show(rulePageWords.restored(name));
    router.go(`/rule/${selector}`);
  });
  return useReportedTask(async () => {
    await client.call('DELETE', `/automation/${id}`);
    messages.show(rulePageWords.removed(name), 'plain', {
      action: { label: rulePageWords.undo, run: bringBack.run },
    });
    router.go('/rule');
  }).run;
}
