import { PanelForm } from '#web/form/panel-form.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import type { PageProps } from '#web/router.ts';
import { troubles as troubleWords } from '#web/strings/en/troubles.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { BridgePanel } from '#web/integrations/bridge/bridge-panel.tsx';
import { IntegrationState } from './integrations-page.tsx';
import { KindHelp } from './kind-list.tsx';
import { RemoveIntegration } from './remove-integration.tsx';
import { isNotSetUp } from '#web/readings/use-integrations.ts';
import { useKinds, useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { useStartSetup } from './use-setup.ts';
import { errorWords } from '#web/strings/error-words.ts';
import { useState } from 'preact/hooks';
import { Choice } from '#web/form/choice.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { changeOf, fixerWords, neededOf, type PresentSettings, type TypedSettings } from './setting-values.ts';
import { SettingsFields } from './settings-fields.tsx';
import type { IntegrationShown, KindShown } from '#web/strings/kind-words.ts';

/** One integration: its state, what it needs, and its settings. */
export function IntegrationPage({ params }: PageProps) {
  const reading = useNamedIntegrations();
  const kinds = useKinds();
  const integration = reading.value?.find(({ id }) => id === params['id']);
  const isGone = reading.value !== undefined && integration === undefined;
  return (
    <div class="page narrow">
      <PageHead
        title={isGone ? settingsWords.integrations.goneTitle : (integration?.name ?? settingsWords.integrations.title)}
        back={{ href: '/settings/integrations', label: settingsWords.integrations.title }}
      />
      <ReadingView of={reading}>
        {() =>
          integration === undefined ? null : (
            <ReadingView of={kinds}>
              {(all) => (
                <OneIntegration
                  of={integration}
                  kind={all.find(({ id }) => id === integration.kind)}
                  onSaved={reading.again}
                />
              )}
            </ReadingView>
          )
        }
      </ReadingView>
    </div>
  );
}

type Props = {
  readonly of: IntegrationShown;
  /** Absent if a newer version of the hub made the integration. */
  readonly kind: KindShown | undefined;
  readonly onSaved: () => Promise<void>;
};

function OneIntegration({ of: integration, kind, onSaved }: Props) {
  const { error, status } = integration;
  const isHeld = error?.code === 'SAFE_MODE';
  const hasSettings = kind !== undefined && Object.keys(kind.settings).length > 0;
  return (
    <>
      <div class="panel state-panel">
        <IntegrationState of={integration} />
        <span class="soft">{settingsWords.integrations.devices(integration.devices)}</span>
      </div>
      {status === 'needs_action' && !isHeld ? <ToDo of={integration} kind={kind} /> : null}
      {error === null || (status === 'needs_action' && !isHeld) ? null : (
        <Notice
          tone={isNotSetUp(integration) ? 'plain' : 'warn'}
          text={troubleWords.why(errorWords(error, kind?.id))}
        />
      )}
      {isHeld ? <StartAgain id={integration.id} onStarted={onSaved} /> : null}
      {/* While it starts, the hub does not know yet which homes have it. */}
      {integration.fabrics !== undefined && status === 'connected' ? (
        <BridgePanel of={integration} onChanged={onSaved} />
      ) : null}
      <Besides of={integration} />
      {isNotSetUp(integration) ? <KindHelp kind={kind} isOpen /> : null}
      {hasSettings ? <IntegrationForm of={integration} kind={kind} onSaved={onSaved} /> : null}
      {isNotSetUp(integration) ? null : <KindHelp kind={kind} />}
      <NameAndUse of={integration} onSaved={onSaved} />
      <RemoveIntegration of={integration} kind={kind} />
    </>
  );
}

/** Shows what the integration offers elsewhere, and which devices it leaves to others. */
function Besides({ of: { offering, left_out: leftOut = [] } }: Pick<Props, 'of'>) {
  const { value: all = [] } = useNamedIntegrations();
  const nameOf = (id: string): string => all.find((one) => one.id === id)?.name ?? id;
  const words = settingsWords.integrations;
  if (offering === undefined && leftOut.length === 0) return null;
  return (
    <div class="panel">
      {offering === undefined ? null : (
        <>
          <p>{words.offered(offering.devices)}</p>
          <p class="soft">{words.offeredCommands(offering.commands, offering.refused)}</p>
          {offering.left_out === 0 ? null : <p class="soft">{words.offeredLeftOut(offering.left_out)}</p>}
          {offering.error === null ? null : <Notice tone="warn" text={errorWords(offering.error)} />}
        </>
      )}
      {leftOut.map(({ integration, devices }) => (
        <p key={integration ?? ''} class="soft">
          {integration === null ? words.leftOutUnset(devices) : words.leftOut(devices, nameOf(integration))}
        </p>
      ))}
    </div>
  );
}

/** Says what a person has to do, and offers the way to do it. */
function ToDo({ of: { error }, kind }: Pick<Props, 'of' | 'kind'>) {
  const { run, isRunning, refusal } = useStartSetup();
  return (
    <section class="panel to-do">
      <Icon name="warning" size={32} />
      <h2 class="form-title">{settingsWords.integrations.toDo}</h2>
      {error === null ? null : <p>{troubleWords.why(errorWords(error, kind?.id))}</p>}
      {refusal === undefined ? null : <Notice tone="danger" text={refusal} />}
      {/* Only a thing that the hub can recognize comes back as the same integration. */}
      {kind?.can_set_up === true && kind.discovered ? (
        <button
          type="button"
          class="button button-main"
          aria-disabled={isRunning}
          onClick={() => run({ kind: kind.id })}
        >
          {settingsWords.integrations.setUpAgain}
        </button>
      ) : null}
    </section>
  );
}

type StartProps = { readonly id: string; readonly onStarted: () => Promise<void> };

/** For an integration that the hub has stopped. */
function StartAgain({ id, onStarted }: StartProps) {
  const { client, messages } = useHub();
  const form = useForm([]);
  const start = async (): Promise<void> => {
    await client.call('PATCH', `/integration/${encodeURIComponent(id)}`, { enabled: true });
    messages.show(settingsWords.integrations.started);
    await onStarted();
  };
  return (
    <PanelForm
      form={form}
      title={settingsWords.integrations.heldTitle}
      text={settingsWords.integrations.heldText}
      submit={settingsWords.integrations.start}
      busy={settingsWords.integrations.starting}
      onSubmit={start}
    >
      {null}
    </PanelForm>
  );
}

type FormProps = {
  readonly of: IntegrationShown;
  readonly kind: KindShown;
  readonly onSaved: () => Promise<void>;
};

/** The settings of an integration, drawn from the shape of its kind. What the configuration sets is fixed. */
function IntegrationForm({ of: integration, kind, onSaved }: FormProps) {
  const { client, messages } = useHub();
  const { id, settings = {} } = integration;
  const present: PresentSettings = { ...settings };
  const [typed, setTyped] = useState<TypedSettings>({});
  const form = useForm(Object.keys(kind.settings));
  const change = changeOf(kind.settings, present, typed);
  const save = async (): Promise<void> => {
    await client.call('PATCH', `/integration/${encodeURIComponent(id)}`, { settings: change });
    setTyped({});
    messages.show(settingsWords.integrations.saved);
    await onSaved();
  };
  return (
    <PanelForm
      form={form}
      title={settingsWords.integrations.settings}
      submit={settingsWords.save}
      isIdle={Object.keys(change).length === 0}
      needed={neededOf(kind.settings, present, typed)}
      onSubmit={save}
    >
      <SettingsFields fields={kind.settings} present={present} typed={typed} faults={form.faults} onTyped={setTyped} />
    </PanelForm>
  );
}

/** The name of an integration, and whether it is in use. */
function NameAndUse({ of: integration, onSaved }: Omit<FormProps, 'kind'>) {
  const { client, messages } = useHub();
  const [name, setName] = useState<string>();
  const [isOn, setIsOn] = useState<boolean>();
  const form = useForm(['name', 'enabled']);
  const { id, enabled, enabled_fixed_by: fixedBy } = integration;
  const wanted = name?.trim();
  const change = {
    ...(wanted === undefined || wanted === integration.name ? {} : { name: wanted }),
    ...(isOn === undefined || isOn === enabled ? {} : { enabled: isOn }),
  };
  const save = async (): Promise<void> => {
    await client.call('PATCH', `/integration/${encodeURIComponent(id)}`, change);
    setName(undefined);
    setIsOn(undefined);
    messages.show(settingsWords.saved);
    await onSaved();
  };
  return (
    <PanelForm
      form={form}
      submit={settingsWords.save}
      isIdle={Object.keys(change).length === 0}
      needed={{ name: name ?? integration.name }}
      onSubmit={save}
    >
      <TextField
        label={settingsWords.integrations.name}
        value={name ?? integration.name}
        onValue={setName}
        error={form.faults['name']}
        input={NAME_INPUT}
      />
      <Choice
        type="checkbox"
        label={settingsWords.integrations.enabled}
        note={
          fixedBy === null
            ? settingsWords.integrations.enabledNote
            : settingsWords.integrations.fixedBy(fixerWords(fixedBy))
        }
        isChosen={isOn ?? enabled}
        isDisabled={fixedBy !== null}
        onChoice={setIsOn}
      />
    </PanelForm>
  );
}
