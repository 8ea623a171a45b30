import type { Integration, IntegrationSettings } from '#web/client/api.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import type { PageProps } from '#web/router.ts';
import { s } from '#web/strings/settings-strings.ts';
import { BrokerForm } from './broker-form.tsx';
import { IntegrationState } from './integrations-page.tsx';
import { isNotSetUp, useIntegrations } from './use-integrations.ts';

/** One integration: its state and its settings. */
export function IntegrationPage({ params }: PageProps) {
  const reading = useIntegrations();
  const integration = reading.value?.find(({ id }) => id === params['id']);
  const isGone = reading.value !== undefined && integration === undefined;
  return (
    <div class="page narrow">
      <PageHead
        title={isGone ? s.integrations.goneTitle : (integration?.name ?? s.integrations.title)}
        back={{ href: '/settings/integrations', label: s.integrations.title }}
      />
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
      {error?.code === 'SAFE_MODE' ? <StartAgain id={integration.id} onStarted={onSaved} /> : null}
      {settings === undefined || !isOfBroker(settings) ? (
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

/** As in version 0.1: the settings of `zigbee2mqtt` include those of its broker. */
function isOfBroker(settings: NonNullable<Integration['settings']>): settings is IntegrationSettings {
  return 'base_topic' in settings && 'address' in settings;
}

type StartProps = { readonly id: string; readonly onStarted: () => Promise<void> };

/** For an integration that the hub has stopped. */
function StartAgain({ id, onStarted }: StartProps) {
  const { client, messages } = useHub();
  const form = useForm([]);
  const start = async (): Promise<void> => {
    await client.call('PATCH', `/integration/${encodeURIComponent(id)}`, { enabled: true });
    messages.show(s.integrations.started);
    await onStarted();
  };
  return (
    <PanelForm
      form={form}
      title={s.integrations.heldTitle}
      text={s.integrations.heldText}
      submit={s.integrations.start}
      busy={s.integrations.starting}
      onSubmit={start}
    >
      {null}
    </PanelForm>
  );
}

/** How to get a broker. */
function BrokerHelp() {
  const [adapter, broker, bridge, address] = s.integrations.help;
  return (
    <details class="panel help">
      <summary>{s.integrations.helpTitle}</summary>
      <ol class="steps">
        <li>{adapter}</li>
        <li>
          {broker} <code class="code">{s.integrations.helpCommand}</code>
        </li>
        <li>{bridge}</li>
        <li>{address}</li>
      </ol>
    </details>
  );
}
