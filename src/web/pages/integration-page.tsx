import type { PageProps } from '#web/page-table.ts';
import { isNotSetUp } from '#web/pairing/connect-zigbee.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { BrokerForm } from '#web/settings/broker-form.tsx';
import { BrokerHelp } from '#web/settings/broker-help.tsx';
import type { Integration } from '#web/settings/integration.ts';
import { IntegrationState } from '#web/settings/integration-state.tsx';
import { ReadingView } from '#web/settings/reading-view.tsx';
import { useIntegrations } from '#web/settings/use-integrations.ts';
import { s } from '#web/strings/settings-strings.ts';

const BACK = { href: '/settings/integrations', label: s.integrations.title };

/** One way to devices: how it is, and how it is reached. */
export function IntegrationPage({ params }: PageProps) {
  const reading = useIntegrations();
  const integration = reading.value?.find(({ id }) => id === params['id']);
  const isGone = reading.value !== undefined && integration === undefined;
  return (
    <div class="page narrow">
      <PageHead title={isGone ? s.integrations.goneTitle : (integration?.name ?? s.integrations.title)} back={BACK} />
      <ReadingView of={reading}>
        {() => (integration === undefined ? null : <OneIntegration of={integration} onSaved={reading.again} />)}
      </ReadingView>
    </div>
  );
}

type Props = { readonly of: Integration; readonly onSaved: () => Promise<void> };

function OneIntegration({ of: integration, onSaved }: Props) {
  const { settings, error } = integration;
  return (
    <>
      <div class="panel state-panel">
        <IntegrationState of={integration} />
        <span class="soft">{s.integrations.devices(integration.devices)}</span>
      </div>
      {error === null ? null : <Notice tone={isNotSetUp(integration) ? 'plain' : 'warn'} text={`${error.message}.`} />}
      {settings === undefined ? (
        <p class="soft">{s.integrations.noSettings}</p>
      ) : (
        <>
          <BrokerForm id={integration.id} settings={settings} onSaved={onSaved} />
          <BrokerHelp />
        </>
      )}
    </>
  );
}
