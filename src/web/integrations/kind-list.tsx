import type { Integration, IntegrationKind } from '#web/client/api.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { isNotSetUp } from '#web/readings/use-integrations.ts';
import { useStartSetup } from './use-setup.ts';

type ListProps = { readonly kinds: readonly IntegrationKind[]; readonly integrations: readonly Integration[] };

/** Everything that can be set up. One that is there but was never used leads to its settings. */
export function KindList({ kinds, integrations }: ListProps) {
  const { run, isRunning, refusal } = useStartSetup();
  const able = kinds.filter((kind) => kind.can_set_up);
  // What the hub can find by itself is what most people have.
  const offered = [...able.filter((kind) => kind.discovered), ...able.filter((kind) => !kind.discovered)];
  if (offered.length === 0) return null;
  return (
    <section>
      <h2 class="rows-title">{settingsWords.kinds.title}</h2>
      {refusal === undefined ? null : <Notice tone="danger" text={refusal} />}
      <ul class="rows">
        {offered.map(({ id, name, about }) => {
          const unused = integrations.find((one) => one.kind === id && isNotSetUp(one));
          const words = (
            <>
              <Icon name="link" />
              <span class="row-text">
                <bdi class="row-title">{name}</bdi>
                <span class="row-note">{about}</span>
              </span>
              <Icon name="forward" size={18} />
            </>
          );
          return (
            <li key={id}>
              {unused === undefined ? (
                <button type="button" class="row" aria-disabled={isRunning} onClick={() => run({ kind: id })}>
                  {words}
                </button>
              ) : (
                <a class="row" href={`/settings/integrations/${encodeURIComponent(unused.id)}`}>
                  {words}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** Explains what it takes to use a kind, for people who have nothing of it yet. */
export function KindHelp({ kind }: { readonly kind: IntegrationKind | undefined }) {
  if (kind === undefined || kind.help.length === 0) return null;
  return (
    <details class="panel help">
      <summary>{settingsWords.kinds.help}</summary>
      <ol class="steps">
        {kind.help.map((step) => (
          <li key={step}>{step}</li>
        ))}
      </ol>
    </details>
  );
}
