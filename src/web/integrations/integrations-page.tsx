import type { Integration } from '#web/client/api.ts';
import { Ago } from '#web/parts/ago.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { s } from '#web/strings/settings-strings.ts';
import { ConnectZigbee } from './connect-zigbee.tsx';
import { isNotSetUp, useIntegrations } from './use-integrations.ts';

/** All integrations and their states. */
export function IntegrationsPage() {
  const reading = useIntegrations();
  return (
    <div class="page narrow">
      <PageHead title={s.integrations.title} back={{ href: '/settings', label: s.back }} />
      <ReadingView of={reading} rows={2}>
        {(integrations) =>
          integrations.length === 0 ? <p class="soft">{s.integrations.empty}</p> : <IntegrationList of={integrations} />
        }
      </ReadingView>
    </div>
  );
}

/** The integrations, each a link to its page. One that is not set up yet is offered below. */
export function IntegrationList({ of: list }: { readonly of: readonly Integration[] }) {
  const known = list.filter((one) => !isNotSetUp(one));
  return (
    <>
      {known.length === 0 ? null : (
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
                    <span class="row-note row-fault">{integration.error.message}.</span>
                  )}
                </span>
                <span class="row-end">{s.integrations.devices(integration.devices)}</span>
                <Icon name="forward" size={18} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {list.some(isNotSetUp) ? <ConnectZigbee /> : null}
    </>
  );
}

/** The state and since when, in words and with a dot. */
export function IntegrationState({ of: integration }: { readonly of: Integration }) {
  const { status, since, error } = integration;
  if (isNotSetUp(integration)) return <span class="state-words">{s.integrations.notSetUp}</span>;
  return (
    <span class="state-words">
      <span class="state-dot" data-state={status} />
      <span>
        {error?.code === 'SAFE_MODE' ? s.integrations.held : (s.integrations.states[status] ?? status)} ·{' '}
        <Ago at={since} />
      </span>
    </span>
  );
}
