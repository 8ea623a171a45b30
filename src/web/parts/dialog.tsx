import type { ComponentChildren, RefObject } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';
import { page as pageWords } from '#web/strings/en/page.ts';

type Props = {
  readonly title: string;
  readonly onClose: () => void;
  /** `close` goes the way of the key Escape. */
  readonly children: (close: () => void) => ComponentChildren;
};

const PULLED_PX = 80;

/**
 * A modal dialog, open while it is rendered; the browser then gives the focus back. Its cross, a pull at its head, a tap
 * beside it and the key Escape close it, so that its buttons are only for what is done in it.
 */
export function Dialog({ title, onClose, children }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => openModal(dialog.current), []);
  const close = (): void => (knowsDialogs() ? dialog.current?.close() : onClose());
  const pull = usePull(dialog, close);
  /** Closed any sooner, what lies below would take the tap. */
  const isBeside = useRef(false);
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
      onPointerDown={(event) => void (isBeside.current = event.target === dialog.current)}
      onClick={(event) => isBeside.current && event.target === dialog.current && close()}
    >
      <div class="dialog-head" {...pull}>
        <h2 id={id}>
          <bdi>{title}</bdi>
        </h2>
        <button type="button" class="button button-plain button-icon" aria-label={pageWords.close} onClick={close}>
          <Icon name="close" />
        </button>
      </div>
      <div class="dialog-body">{children(close)}</div>
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

/** People come for what is in it, not for its cross. */
function openModal(dialog: HTMLDialogElement | null): void {
  // oxlint-disable-next-line eslint/no-restricted-properties -- The one place that opens dialogs, and only where it can.
  if (knowsDialogs()) dialog?.showModal();
  const [first] = ['.dialog-body [autofocus]', '.dialog-body', '.dialog-head'].flatMap((part) => [
    ...(dialog?.querySelectorAll<HTMLElement>(STOPS.map((stop) => `${part} ${stop}`).join()) ?? []),
  ]);
  first?.focus();
}

const STOPS = [
  'a[href]',
  ...['input', 'select', 'textarea', 'button'].map((tag) => `${tag}:not([disabled])`),
  'summary',
];

/** Follows a finger that pulls the head down, and closes the dialog where it was pulled far enough. */
function usePull(dialog: RefObject<HTMLDialogElement | null>, close: () => void) {
  const from = useRef<number | null>(null);
  const show = (pulledPx: number): void =>
    dialog.current?.style.setProperty('transform', pulledPx > 0 ? `translateY(${pulledPx}px)` : '');
  const end = (): void => {
    from.current = null;
    show(0);
  };
  return {
    onPointerDown: ({ pointerType, clientY, currentTarget, pointerId, target }: HeadEvent): void => {
      if (pointerType === 'mouse' || (target instanceof Element && target.closest('button') !== null)) return;
      from.current = clientY;
      currentTarget.setPointerCapture(pointerId);
    },
    onPointerMove: ({ clientY }: HeadEvent): void => {
      if (from.current !== null) show(clientY - from.current);
    },
    onPointerUp: ({ clientY }: HeadEvent): void => {
      const isFar = from.current !== null && clientY - from.current >= PULLED_PX;
      end();
      if (isFar) close();
    },
    onPointerCancel: end,
  };
}

type HeadEvent = PointerEvent & { readonly currentTarget: HTMLDivElement };
