import { type ReadonlySignal, signal } from '@preact/signals';

type Message = {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'danger';
  /** One line each. */
  readonly details: readonly string[];
  readonly action: { readonly label: string; readonly run: () => void } | null;
  /** A later message with the same key takes the place of this one. */
  readonly key: string | null;
};
type More = Partial<Pick<Message, 'details' | 'action' | 'key'>>;

/** Short messages at the lower edge of the page. Screen readers announce them. */
export type Messages = {
  readonly list: ReadonlySignal<readonly Message[]>;
  readonly show: (text: string, tone?: Message['tone'], more?: More) => void;
  readonly dismiss: (id: number) => void;
};

const SHOWN_MS = 8_000;
/** Long enough to read who failed and to reach for the button. */
const ACTION_SHOWN_MS = 15_000;
const MOST = 3;

export function createMessages(): Messages {
  const list = signal<readonly Message[]>([]);
  const timers = new Map<number, ReturnType<typeof setTimeout>>();
  let count = 0;
  const dismiss = (id: number): void => {
    clearTimeout(timers.get(id));
    timers.delete(id);
    list.value = list.peek().filter((message) => message.id !== id);
  };
  return {
    list,
    dismiss,
    show: (text, tone = 'plain', { details = [], action = null, key = null } = {}) => {
      const before = list.peek();
      const known = key === null ? undefined : before.find((other) => other.key === key);
      const message = { id: known?.id ?? (count += 1), text, tone, details, action, key };
      // The same words twice say nothing more, unless each has a way back of its own.
      const others = before.filter((other) => other === known || other.text !== text || other.action !== null);
      const next =
        known === undefined ? [...others, message] : others.map((other) => (other === known ? message : other));
      list.value = withRoom(next, message);
      clearTimeout(timers.get(message.id));
      timers.set(
        message.id,
        setTimeout(() => dismiss(message.id), action === null ? SHOWN_MS : ACTION_SHOWN_MS),
      );
    },
  };
}

/** At most so many: the oldest go first, and those with a way back after those without. */
function withRoom(all: readonly Message[], newest: Message): readonly Message[] {
  if (all.length <= MOST) return all;
  const old = all.filter((one) => one !== newest);
  const leaving = old.find(({ action }) => action === null) ?? old[0];
  return withRoom(
    all.filter((one) => one !== leaving),
    newest,
  );
}
