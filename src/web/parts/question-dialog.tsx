import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';

/** The question that is open, whichever control has asked it. */
export function QuestionDialog() {
  const { questions } = useHub();
  const question = questions.open.value;
  return question === null ? null : <ConfirmDialog {...question} onClose={questions.close} />;
}
