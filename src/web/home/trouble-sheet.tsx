import { computed } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import type { Integration } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { troubles as troubleWords } from '#web/strings/en/troubles.ts';
import { errorWords } from '#web/strings/error-words.ts';
import { integrationIn } from '#web/strings/kind-words.ts';

export type TroubleSheetProps = {
  readonly broken: readonly Integration[];
  /** Ids of what is wrong with the hub itself. */
  readonly ofHub: readonly string[];
  /** Why the hub could not be asked. */
  readonly unread: string | undefined;
  readonly onClose: () => void;
};

/** Says what is wrong, in sentences, and leads to where it is mended. */
export function TroubleSheet({ broken, ofHub, unread, onClose }: TroubleSheetProps) {
  const count = broken.length + ofHub.length + (unread === undefined ? 0 : 1);
  return (
    <Dialog title={homeWords.problems(count)} onClose={onClose}>
      {() => (
        <>
          {broken.map((integration) => (
            <BrokenIntegration key={integration.id} of={integration} />
          ))}
          {unread === undefined ? null : (
            <p>
              <strong>{unread}</strong>
            </p>
          )}
          {ofHub.map((id) => (
            <p key={id}>
              <strong>{troubleWords.ofHub[id]?.[0] ?? id}</strong>{' '}
              <a href="/settings/health">{troubleWords.whatToDo}</a>
            </p>
          ))}
        </>
      )}
    </Dialog>
  );
}

function BrokenIntegration({ of }: { readonly of: Integration }) {
  const { account, home, time } = useHub();
  const { id, kind, status, since, error } = of;
  const { name } = integrationIn(of);
  const lost = useMemo(
    () => computed(() => home.entries.value.filter(({ lostBy }) => lostBy.value === id).length),
    [home, id],
  ).value;
  const words = error === null ? '' : errorWords(error, kind);
  return (
    <p>
      {status === 'connected' ? null : <strong>{troubleWords.notConnected(name, time.momentOf(since), lost)} </strong>}
      {status === 'connected' ? troubleWords.of(name, words) : troubleWords.why(words)}{' '}
      {account.can('hub:manage') ? (
        <a href={`/settings/integrations/${encodeURIComponent(id)}`}>{troubleWords.checkConnection}</a>
      ) : null}
    </p>
  );
}
