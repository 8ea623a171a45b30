import { useState } from 'preact/hooks';
import type { Integration } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { useTask } from '#web/parts/use-task.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import type { CodeProgress } from './pairing-state.ts';

type Props = {
  readonly integration: Pick<Integration, 'id' | 'name'>;
  readonly hint: string | null;
  readonly progress: CodeProgress | null;
};

/** Takes a device in by the code that is printed on it, and says how far that is. */
export function CodePanel({ integration: { id, name }, hint, progress }: Props) {
  const { client } = useHub();
  const [code, setCode] = useState('');
  const path = `/integration/${encodeURIComponent(id)}/pairing`;
  const isJoining = progress !== null && progress.fault === null;

  const task = useTask(async (method: 'POST' | 'DELETE') => {
    await client.call(method, path, method === 'POST' ? { code } : undefined);
    if (method === 'POST') setCode('');
  });
  const failed =
    task.refusal ?? (progress?.fault === undefined || progress.fault === null ? undefined : wordsOf(progress.fault));
  return (
    <section class="panel pairing">
      <h2 class="panel-title">
        <bdi>{name}</bdi>
      </h2>
      <p>{hint ?? settingsWords.joining.how}</p>
      {failed === undefined || isJoining ? null : <Notice tone="danger" text={failed} />}
      {isJoining ? (
        <div class="pairing-row">
          <p class="countdown" role="status">
            <span class="connection-dot pulse" />
            {pageWords.pairing.code.steps[progress.step] ?? pageWords.pairing.code.steps['searching']}
          </p>
          <button type="button" class="button" onClick={() => task.run('DELETE')}>
            <Icon name="stop" size={20} />
            {pageWords.pairing.stop}
          </button>
        </div>
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (code.trim() !== '') task.run('POST');
          }}
        >
          <label class="field">
            <span>{pageWords.pairing.code.label}</span>
            <input
              type="text"
              value={code}
              maxLength={256}
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              placeholder="3497-011-2332"
              onInput={({ currentTarget }) => setCode(currentTarget.value)}
            />
          </label>
          <button type="submit" class="button button-main">
            {pageWords.pairing.code.add}
          </button>
        </form>
      )}
    </section>
  );
}

/** In the language of the page; of a cause that it does not know, in the words of the hub. */
function wordsOf({ code, message }: NonNullable<CodeProgress['fault']>): string {
  return pageWords.pairing.code.faults[code] ?? message;
}
