import type { ComponentChildren } from 'preact';
import { useHub } from '#web/hub.ts';
import { useReportedTask } from './use-task.ts';

type Props = {
  /** What the hub deletes. */
  readonly path: string;
  /** The words on the button, and on the one that confirms. */
  readonly label: string;
  /** For screen readers, where the same words stand on several buttons. */
  readonly of?: string;
  readonly class?: string;
  readonly question: string;
  readonly text: string;
  /** The message after the removal. */
  readonly removed: string;
  readonly onRemoved?: () => void;
  /** Runs even if the hub refused. */
  readonly after?: () => Promise<unknown>;
  /** A picture before the words. */
  readonly children?: ComponentChildren;
};

/** Removes something from the hub after a question. */
export function RemoveButton({ path, label, of, question, text, removed, onRemoved, after, ...more }: Props) {
  const { client, messages, questions } = useHub();
  const remove = useReportedTask(async () => {
    await client.call('DELETE', path);
    messages.show(removed);
    onRemoved?.();
  }, after);
  return (
    <button
      type="button"
      class={more.class ?? 'button button-danger'}
      aria-label={of}
      onClick={() => questions.ask({ title: question, text, confirm: label, tone: 'danger' }, remove.run)}
    >
      {more.children}
      {label}
    </button>
  );
}
