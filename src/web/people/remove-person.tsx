import { useState } from 'preact/hooks';
import type { User } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

type Props = { readonly person: User; readonly isMe: boolean; readonly isLast: boolean };

/** Removes an account after a question, or says why it cannot be removed. */
export function RemovePerson({ person, isMe, isLast }: Props) {
  const { client, messages, router } = useHub();
  const [isAsking, setIsAsking] = useState(false);
  if (isLast) return <Notice text={settingsWords.people.lastOwner} />;
  if (isMe) return <Notice text={settingsWords.people.ownRemoval} />;
  const remove = async (): Promise<void> => {
    const words = await wordsIfRefused(() => client.call('DELETE', `/user/${person.id}`));
    messages.show(words ?? settingsWords.people.removed(person.name), words === undefined ? 'plain' : 'danger');
    if (words === undefined) router.go('/settings/people', 'replace');
  };
  return (
    <>
      <button type="button" class="button button-danger" onClick={() => setIsAsking(true)}>
        {settingsWords.people.remove}
      </button>
      {isAsking ? (
        <ConfirmDialog
          title={settingsWords.people.removeTitle(person.name)}
          text={settingsWords.people.removeText}
          confirm={settingsWords.people.remove}
          tone="danger"
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </>
  );
}

/** The hub keeps at least one owner, so that someone can manage it. */
export function isLastOwner(person: User, people: readonly User[]): boolean {
  return person.role === 'owner' && people.every(({ id, role }) => id === person.id || role !== 'owner');
}
