import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { t } from '#web/strings/strings.ts';

type Props = {
  readonly title: string;
  readonly onClose: () => void;
  /** `close` goes the way of the key Escape. */
  readonly children: (close: () => void) => ComponentChildren;
};

/** A modal dialog. It is open while it is rendered; the browser then gives the focus back. */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const close = (): void => dialog.current?.close();
  /** Enter in a field of the dialog would send the form around it. */
  const keepForm = (event: KeyboardEvent): void => {
    const { key, target } = event;
    if (key !== 'Enter' || !(target instanceof HTMLInputElement) || target.form === null) return;
    if (dialog.current?.contains(target.form) === false) event.preventDefault();
  };
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby={id}
      onClose={onClose}
      onKeyDown={keepForm}
      onPointerDown={(event) => event.target === dialog.current && close()}
    >
      <div class="dialog-body">
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        {children(close)}
      </div>
    </dialog>
  );
}

/** The foot of a dialog that has nothing to save. */
export function CloseButton({ close }: { readonly close: () => void }) {
  return (
    <div class="dialog-buttons">
      <button type="button" class="button button-main" onClick={close}>
        {t.close}
      </button>
    </div>
  );
}
