import { useState } from 'preact/hooks';
import type { Integration, IntegrationKind } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { changeOf, neededOf, type PresentSettings, type TypedSettings } from './setting-values.ts';
import { SettingsFields } from './settings-fields.tsx';

type Props = {
  readonly of: Integration;
  readonly kind: IntegrationKind;
  readonly onSaved: () => Promise<void>;
};

/** The settings of an integration, drawn from the shape of its kind. What the configuration sets is fixed. */
export function IntegrationForm({ of: integration, kind, onSaved }: Props) {
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

const NAME_MOST = 100;

/** The name of an integration, and whether it is in use. */
export function NameAndUse({ of: integration, onSaved }: Omit<Props, 'kind'>) {
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
        input={{ maxLength: NAME_MOST }}
      />
      <Choice
        type="checkbox"
        label={settingsWords.integrations.enabled}
        note={fixedBy === null ? settingsWords.integrations.enabledNote : settingsWords.integrations.fixedBy(fixedBy)}
        isChosen={isOn ?? enabled}
        isDisabled={fixedBy !== null}
        onChoice={setIsOn}
      />
    </PanelForm>
  );
}
