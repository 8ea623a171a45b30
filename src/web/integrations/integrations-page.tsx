import { Since } from '#web/parts/ago.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { troubles as troubleWords } from '#web/strings/en/troubles.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { isNotSetUp } from '#web/readings/use-integrations.ts';
import { useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { errorWords } from '#web/strings/error-words.ts';
import type { IntegrationShown } from '#web/strings/kind-words.ts';

/** All integrations and their states. */
export function IntegrationsPage() {
  const reading = useNamedIntegrations();
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.integrations.title} back={{ href: '/settings', label: settingsWords.back }} />
      <ReadingView of={reading} rows={2}>
        {(integrations) => <IntegrationList of={integrations} />}
      </ReadingView>
      <a class="button button-wide" href="/add">
        <Icon name="plus" size={20} />
        {settingsWords.integrations.add}
      </a>
    </div>
  );
}

/** The integrations, each a link to its page. One that was never set up is none yet. */
export function IntegrationList({ of: list }: { readonly of: readonly IntegrationShown[] }) {
  const known = list.filter((one) => !isNotSetUp(one));
  if (known.length === 0) return <p class="panel soft">{settingsWords.integrations.empty}</p>;
  return (
    <ul class="rows">
      {known.map((integration) => (
        <li key={integration.id}>
          <a class="row" href={`/settings/integrations/${encodeURIComponent(integration.id)}`}>
            <Icon name="link" />
            <span class="row-text">
              <bdi class="row-title">{integration.name}</bdi>
              <span class="row-note">
                <IntegrationState of={integration} />
              </span>
              {integration.error === null ? null : (
                <span class="row-note row-fault">
                  {troubleWords.why(errorWords(integration.error, integration.kind))}
                </span>
              )}
            </span>
            <span class="row-end">{settingsWords.integrations.devices(integration.devices)}</span>
            <Icon name="forward" size={18} />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The state and since when, in words and with a dot. */
export function IntegrationState({ of: integration }: { readonly of: IntegrationShown }) {
  const { status, since, error } = integration;
  if (isNotSetUp(integration)) return <span class="state-words">{settingsWords.integrations.notSetUp}</span>;
  return (
    <span class="state-words">
      <span class="state-dot" data-state={status} />
      <span>
        {error?.code === 'SAFE_MODE'
          ? settingsWords.integrations.held
          : (settingsWords.integrations.states[status] ?? status)}{' '}
        · <Since at={since} />
      </span>
    </span>
  );
}
