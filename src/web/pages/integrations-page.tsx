import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { IntegrationState } from '#web/settings/integration-state.tsx';
import { ReadingView } from '#web/settings/reading-view.tsx';
import { useIntegrations } from '#web/settings/use-integrations.ts';
import { s } from '#web/strings/settings-strings.ts';

/** Where devices come from, and whether those ways work. */
export function IntegrationsPage() {
  const reading = useIntegrations();
  return (
    <div class="page narrow">
      <PageHead title={s.integrations.title} back={{ href: '/settings', label: s.back }} />
      <ReadingView of={reading} rows={2}>
        {(integrations) =>
          integrations.length === 0 ? (
            <p class="soft">{s.integrations.empty}</p>
          ) : (
            <ul class="rows">
              {integrations.map((integration) => (
                <li key={integration.id}>
                  <a class="row" href={`/settings/integrations/${encodeURIComponent(integration.id)}`}>
                    <Icon name="link" />
                    <span class="row-text">
                      <bdi class="row-title">{integration.name}</bdi>
                      <span class="row-note">
                        <IntegrationState of={integration} />
                      </span>
                      {integration.error === null ? null : (
                        <span class="row-note row-fault">{integration.error.message}.</span>
                      )}
                    </span>
                    <span class="row-end">{s.integrations.devices(integration.devices)}</span>
                    <Icon name="forward" size={18} />
                  </a>
                </li>
              ))}
            </ul>
          )
        }
      </ReadingView>
    </div>
  );
}
