import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { IntegrationSettings } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { s } from '#web/strings/settings-strings.ts';
import { t } from '#web/strings/strings.ts';

type Props = {
  readonly id: string;
  readonly settings: IntegrationSettings;
  readonly onSaved: () => Promise<void>;
};

/** How the hub reaches the MQTT broker. What the configuration sets is shown but cannot be changed here. */
export function BrokerForm({ id, settings, onSaved }: Props) {
  const { client, messages } = useHub();
  const [wanted, setWanted] = useState<Wanted>({});
  const form = useForm(['address', 'user', 'password', 'base_topic']);
  const change = changeFrom(wanted, settings);
  const save = async (): Promise<void> => {
    await client.call('PATCH', `/integration/${encodeURIComponent(id)}`, change);
    setWanted({});
    messages.show(s.integrations.saved);
    await onSaved();
  };
  const want = (part: Wanted): void => setWanted({ ...wanted, ...part });
  const { enabled, address, user, base_topic: baseTopic } = settings;
  const text = { autocapitalize: 'off', spellcheck: false } as const;
  return (
    <PanelForm
      form={form}
      title={s.integrations.broker}
      text={s.integrations.brokerText}
      submit={s.save}
      isIdle={Object.keys(change).length === 0}
      onSubmit={save}
    >
      <Choice
        type="checkbox"
        label={s.integrations.enabled}
        note={enabled.fixed_by === null ? undefined : s.integrations.fixedBy(enabled.fixed_by)}
        isChosen={wanted.enabled ?? enabled.value}
        isDisabled={enabled.fixed}
        onChoice={(isOn) => want({ enabled: isOn })}
      />
      <FixedField label={s.integrations.address} value={address.value} by={address.fixed_by}>
        <TextField
          label={s.integrations.address}
          value={wanted.address ?? address.value ?? ''}
          onValue={(value) => want({ address: value })}
          hint={s.integrations.addressHint}
          error={form.faults['address']}
          input={text}
        />
      </FixedField>
      <FixedField label={s.integrations.user} value={user.value} by={user.fixed_by}>
        <TextField
          label={s.integrations.user}
          value={wanted.user ?? user.value ?? ''}
          onValue={(value) => want({ user: value })}
          hint={s.integrations.userHint}
          error={form.faults['user']}
          input={text}
        />
      </FixedField>
      <PasswordField
        settings={settings}
        value={wanted.password}
        isNeeded={change.address !== undefined}
        onValue={(password) => want({ password })}
        error={form.faults['password']}
      />
      <FixedField label={s.integrations.baseTopic} value={baseTopic.value} by={baseTopic.fixed_by}>
        <TextField
          label={s.integrations.baseTopic}
          value={wanted.baseTopic ?? baseTopic.value}
          onValue={(value) => want({ baseTopic: value })}
          hint={s.integrations.baseTopicHint}
          error={form.faults['base_topic']}
          input={text}
        />
      </FixedField>
    </PanelForm>
  );
}

/** As typed; `null` to forget the password. */
type Wanted = {
  readonly enabled?: boolean;
  readonly address?: string;
  readonly user?: string;
  readonly password?: string | null;
  readonly baseTopic?: string;
};
type Change = { readonly address?: string } & Readonly<Record<string, unknown>>;

/** The fields that differ from the settings. */
function changeFrom(wanted: Wanted, { enabled, address, user, base_topic: topic }: IntegrationSettings): Change {
  const name = wanted.user?.trim();
  const place = wanted.address?.trim();
  return {
    ...(wanted.enabled === undefined || wanted.enabled === enabled.value ? {} : { enabled: wanted.enabled }),
    ...(place === undefined || place === (address.value ?? '') ? {} : { address: place }),
    ...(name === undefined || name === (user.value ?? '') ? {} : { user: name === '' ? null : name }),
    ...(wanted.password === undefined || wanted.password === '' ? {} : { password: wanted.password }),
    ...(wanted.baseTopic === undefined || wanted.baseTopic === topic.value ? {} : { base_topic: wanted.baseTopic }),
  };
}

type PasswordProps = {
  readonly settings: IntegrationSettings;
  readonly value: string | null | undefined;
  readonly isNeeded: boolean;
  readonly onValue: (password: string | null) => void;
  readonly error: string | undefined;
};

/** The hub never shows the password that is set. It can be replaced or forgotten. */
function PasswordField({ settings: { password }, value, isNeeded, onValue, error }: PasswordProps) {
  const hint = isNeeded && password.is_set ? s.integrations.passwordAgain : s.integrations.passwordKept;
  return (
    <FixedField
      label={s.integrations.password}
      value={password.is_set ? s.integrations.passwordIsSet : s.integrations.passwordNotSet}
      by={password.fixed_by}
    >
      <TextField
        label={s.integrations.password}
        type="password"
        autocomplete="off"
        value={value ?? ''}
        onValue={onValue}
        hint={password.is_set ? hint : s.integrations.passwordNone}
        error={error}
      />
      {password.is_set ? (
        <Choice
          type="checkbox"
          label={s.integrations.passwordForget}
          isChosen={value === null}
          onChoice={(isForgotten) => onValue(isForgotten ? null : '')}
        />
      ) : null}
    </FixedField>
  );
}

type FixedProps = {
  readonly label: string;
  readonly value: string | null;
  /** What sets the value, in words; `null` if the page may change it. */
  readonly by: string | null;
  readonly children: ComponentChildren;
};

/** The field; or, if the configuration sets the value, the value and what sets it. */
function FixedField({ label, value, by, children }: FixedProps) {
  if (by === null) return <>{children}</>;
  return (
    <dl class="field fixed">
      <dt class="field-label">{label}</dt>
      <dd class="fixed-value">
        <bdi>{value ?? t.none}</bdi>
      </dd>
      <dd class="field-hint">{s.integrations.fixedBy(by)}</dd>
    </dl>
  );
}
