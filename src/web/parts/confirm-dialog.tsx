import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '#web/strings/strings.ts';

type Props = {
  readonly title: string;
  readonly text?: string;
  readonly confirm: string;
  readonly tone?: 'main' | 'danger';
  readonly onConfirm: () => void;
  readonly onClose: () => void;
};

/** Asks before something that cannot be taken back. Rendered while it is open; the focus goes back by itself. */
export function ConfirmDialog({ title, text, confirm, tone = 'main', onConfirm, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const isOutside = (event: MouseEvent): boolean => event.target === dialog.current;
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onClick={(event) => isOutside(event) && dialog.current?.close()}
    >
      <div class="dialog-body">
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        {text === undefined ? null : <p>{text}</p>}
        <div class="dialog-buttons">
          <button type="button" class="button" onClick={() => dialog.current?.close()}>
            {t.cancel}
          </button>
          <button
            type="button"
            class={tone === 'danger' ? 'button button-danger' : 'button button-main'}
            onClick={() => {
              onConfirm();
              dialog.current?.close();
            }}
          >
            {confirm}
          </button>
        </div>
      </div>
    </dialog>
  );
}
