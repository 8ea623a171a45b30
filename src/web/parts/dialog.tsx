import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { page as pageWords } from '#web/strings/en/page.ts';

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
  useEffect(() => openModal(dialog.current), []);
  const close = (): void => (knowsDialogs() ? dialog.current?.close() : onClose());
  /** Enter in a field of the dialog would send the form around it. */
  const keepForm = (event: KeyboardEvent): void => {
    const { key, target } = event;
    if (key === 'Escape' && !knowsDialogs()) onClose();
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

/**
 * Safari has dialogs since 15.4 and Firefox since 98. Before, a dialog is an element like any other, which the style
 * lays over the page.
 */
function knowsDialogs(): boolean {
  return typeof HTMLDialogElement !== 'undefined';
}

function openModal(dialog: HTMLDialogElement | null): void {
  // oxlint-disable-next-line eslint/no-restricted-properties -- The one place that opens dialogs, and only where it can.
  if (knowsDialogs()) dialog?.showModal();
  else dialog?.querySelector<HTMLElement>('input, select, textarea, button')?.focus();
}

/** The foot of a dialog that has nothing to save. */
export function CloseButton({ close }: { readonly close: () => void }) {
  return (
    <div class="dialog-buttons">
      <button type="button" class="button button-main" onClick={close}>
        {pageWords.close}
      </button>
    </div>
  );
}
