import { type ReadonlySignal, signal } from '@preact/signals';

export type Question = { readonly title: string; readonly text: string; readonly confirm: string };

/** What is asked before something that should not happen by a slip of the finger. */
export type Questions = {
  readonly open: ReadonlySignal<(Question & { readonly onConfirm: () => void }) | null>;
  readonly ask: (question: Question, onConfirm: () => void) => void;
  readonly close: () => void;
};

export function createQuestions(): Questions {
  const open = signal<(Question & { readonly onConfirm: () => void }) | null>(null);
  return {
    open,
    ask: (question, onConfirm) => (open.value = { ...question, onConfirm }),
    close: () => (open.value = null),
  };
}
