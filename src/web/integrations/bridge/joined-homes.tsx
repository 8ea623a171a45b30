import { useState } from 'preact/hooks';
import type { BridgeFabric, Integration } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

type Props = { readonly of: Integration; readonly onChanged: () => Promise<void> };

/** The homes that have a bridge. Strangers have named them. */
export function JoinedHomes({ of: { id, fabrics = [] }, onChanged }: Props) {
  const { client, messages } = useHub();
  const [asked, setAsked] = useState<BridgeFabric>();
  const [isBusy, setIsBusy] = useState(false);
  const remove = async ({ id: fabric, label }: BridgeFabric): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    const path = `/integration/${encodeURIComponent(id)}/fabric/${fabric}`;
    const words = await wordsIfRefused(() => client.call('DELETE', path));
    // A home that was gone already is not in the list any more either.
    await onChanged();
    setIsBusy(false);
    if (words === undefined) messages.show(settingsWords.bridge.removed(label));
    else messages.show(words, 'danger');
  };
  return (
    <section>
      <h2 class="rows-title">{settingsWords.bridge.homes}</h2>
      {fabrics.length === 0 ? (
        <p class="panel soft">{settingsWords.bridge.noHomes}</p>
      ) : (
        <ul class="rows">
          {fabrics.map((fabric) => (
            <li key={fabric.id} class="row">
              <Icon name="room" />
              <span class="row-text">
                <bdi class="row-title">{fabric.label}</bdi>
                {fabric.vendor === null || fabric.vendor === fabric.label ? null : (
                  <span class="row-note">{fabric.vendor}</span>
                )}
              </span>
              <button
                type="button"
                class="button"
                aria-label={settingsWords.bridge.removeOne(fabric.label)}
                aria-disabled={isBusy}
                onClick={() => setAsked(fabric)}
              >
                {settingsWords.bridge.remove}
              </button>
            </li>
          ))}
        </ul>
      )}
      {asked === undefined ? null : (
        <ConfirmDialog
          title={settingsWords.bridge.removeTitle(asked.label)}
          text={settingsWords.bridge.removeText}
          confirm={settingsWords.bridge.removeIt}
          tone="danger"
          onConfirm={() => void remove(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </section>
  );
}
