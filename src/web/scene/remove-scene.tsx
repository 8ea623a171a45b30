import { useState } from 'preact/hooks';
import type { Scene } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { house as houseWords } from '#web/strings/en/house.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';

/** Removes a scene after a question. */
export function RemoveScene({ scene }: { readonly scene: Scene }) {
  const { client, messages, router } = useHub();
  const [isAsking, setIsAsking] = useState(false);
  const remove = async (): Promise<void> => {
    const words = await wordsIfRefused(() => client.call('DELETE', `/scene/${scene.id}`));
    messages.show(words ?? houseWords.removed(scene.name), words === undefined ? 'plain' : 'danger');
    if (words === undefined) router.go('/scene', 'replace');
  };
  return (
    <>
      <button type="button" class="button button-danger" onClick={() => setIsAsking(true)}>
        <Icon name="trash" size={20} />
        {houseWords.remove}
      </button>
      {isAsking ? (
        <ConfirmDialog
          title={houseWords.removeQuestion(scene.name)}
          text={houseWords.removeText}
          confirm={houseWords.remove}
          tone="danger"
          onConfirm={() => void remove()}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </>
  );
}
