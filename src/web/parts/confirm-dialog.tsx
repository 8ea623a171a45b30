import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { Dialog } from './dialog.tsx';

type Props = {
  readonly title: string;
  readonly text?: string;
  readonly children?: ComponentChildren;
  readonly confirm: string;
  readonly tone?: 'main' | 'danger';
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Asks before something that cannot be taken back. */
export function ConfirmDialog({ title, text, children, confirm, tone = 'main', onConfirm, onClose }: Props) {
  return (
    <Dialog title={title} onClose={onClose}>
      {(close) => (
        <>
          {text === undefined ? null : <p>{text}</p>}
          {children}
          <div class="dialog-buttons">
            <button type="button" class="button" onClick={close}>
              {pageWords.cancel}
            </button>
            <button
              type="button"
              class={`button button-${tone}`}
              onClick={() => {
                onConfirm();
                close();
              }}
            >
              {confirm}
            </button>
          </div>
        </>
      )}
    </Dialog>
  );
}

/** The open question, from any control. It goes with the page that asked it. */
export function QuestionDialog() {
  const { questions, router } = useHub();
  const question = questions.open.value;
  const { path } = router.place.value;
  useEffect(() => {
    const asked = questions.open.peek();
    if (asked !== null) questions.close(asked.turn);
  }, [questions, path]);
  if (question === null) return null;
  const { turn, ...asked } = question;
  return <ConfirmDialog key={turn} {...asked} onClose={() => questions.close(turn)} />;
}
