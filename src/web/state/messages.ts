import { type ReadonlySignal, signal } from '@preact/signals';

export type Message = { readonly id: number; readonly text: string; readonly tone: 'plain' | 'danger' };

/** Short messages at the lower edge of the page. Screen readers announce them. */
export type Messages = {
  readonly list: ReadonlySignal<readonly Message[]>;
  readonly show: (text: string, tone?: Message['tone']) => void;
  readonly dismiss: (id: number) => void;
};

const SHOWN_MS = 8_000;
const MOST = 3;

export function createMessages(): Messages {
  const list = signal<readonly Message[]>([]);
  let count = 0;
  const dismiss = (id: number): void => {
    list.value = list.peek().filter((message) => message.id !== id);
  };
  return {
    list,
    dismiss,
    show: (text, tone = 'plain') => {
      const id = (count += 1);
      const others = list.peek().filter((message) => message.text !== text);
      list.value = [...others, { id, text, tone }].slice(-MOST);
      setTimeout(() => dismiss(id), SHOWN_MS);
    },
  };
}
