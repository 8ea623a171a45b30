import { useState } from 'preact/hooks';
import type { CreatedNotificationChannel, NotificationChannel, User } from '#web/client/api.ts';
import { SEVERITIES } from '#web/client/vocabulary.ts';
import { Choice } from '#web/form/choice.tsx';
import { FormFrame } from '#web/form/form-frame.tsx';
import { FormButtons, PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { type Field, useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { useBrokers } from '#web/readings/use-kinds.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { CopyField } from '#web/tokens/copy-field.tsx';

type Kind = keyof typeof notificationWords.kinds;
/** In the order in which they are offered. */
const KINDS = Object.keys(notificationWords.kinds) as readonly Kind[];
const FIELDS = ['name', 'enabled', 'url', 'topic', 'token', 'broker', 'min_severity', 'person'];
const PLAIN = { autocapitalize: 'off', spellcheck: false } as const;

type AddProps = { readonly onAdded: () => Promise<void> };

/** A form for one more channel; the secret of a webhook is shown this one time. */
export function AddChannel({ onAdded }: AddProps) {
  const [secret, setSecret] = useState<string | null>(null);
  // A new form after each channel.
  const [count, setCount] = useState(0);
  return (
    <>
      {secret === null ? null : (
        <div class="panel form">
          <Notice tone="warn" text={notificationWords.secretText} />
          <CopyField label={notificationWords.secret} value={secret} />
        </div>
      )}
      <NewChannel
        key={count}
        onAdded={async (channel) => {
          setSecret(channel.secret);
          setCount(count + 1);
          await onAdded();
        }}
      />
    </>
  );
}

type NewProps = { readonly onAdded: (channel: CreatedNotificationChannel) => Promise<void> };

function NewChannel({ onAdded }: NewProps) {
  const { account, client, messages } = useHub();
  const brokers = useBrokerOptions();
  const [kind, setKind] = useState<Kind>('ntfy');
  const form = useForm(FIELDS);
  const { name, url, topic, token, broker, least, person } = useFields(form.faults, { min_severity: 'info' });
  const chosenBroker = broker.value === '' ? (brokers[0]?.[0] ?? '') : broker.value;
  const needed = {
    ntfy: { url: url.value, topic: topic.value },
    webhook: { url: url.value },
    mqtt: { broker: chosenBroker },
  }[kind];
  const add = async (): Promise<void> => {
    const trimmed = Object.fromEntries(Object.entries(needed).map(([field, value]) => [field, value.trim()]));
    const channel = await client.call<CreatedNotificationChannel>('POST', '/notification_channel', {
      type: kind,
      ...trimmed,
      min_severity: least.value,
      person: person.value === '' ? null : person.value,
      ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
      ...(kind === 'ntfy' && token.value !== '' ? { token: token.value } : {}),
    });
    messages.show(notificationWords.added(channel.name));
    await onAdded(channel);
  };
  return (
    <PanelForm
      form={form}
      title={notificationWords.add}
      submit={notificationWords.add}
      busy={notificationWords.adding}
      needed={needed}
      onSubmit={add}
    >
      <SelectField
        label={notificationWords.kind}
        value={kind}
        onValue={(value) => setKind(KINDS.find((one) => one === value) ?? 'ntfy')}
        options={KINDS.map((one) => [one, notificationWords.kinds[one]])}
        hint={kind === 'ntfy' ? notificationWords.ntfyHint : kind === 'mqtt' ? notificationWords.mqttHint : undefined}
      />
      {kind === 'mqtt' ? null : <TextField label={notificationWords.url} {...url} input={PLAIN} />}
      {kind === 'ntfy' ? <TopicFields topic={topic} token={token} hint={notificationWords.tokenHint} /> : null}
      {kind === 'mqtt' ? (
        <SelectField
          label={notificationWords.broker}
          {...broker}
          value={chosenBroker}
          options={brokers}
          hint={brokers.length === 0 ? notificationWords.noBroker : undefined}
        />
      ) : null}
      <AudienceFields least={least} person={person} people={[[account.me.value?.id ?? '', notificationWords.me]]} />
      <TextField label={notificationWords.name} {...name} input={PLAIN} />
    </PanelForm>
  );
}

type EditProps = {
  readonly channel: NotificationChannel;
  readonly users: readonly User[];
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
};

/** Changes a channel. Only what was changed is sent, so that a hidden token stays. */
export function EditChannel({ channel, users, onSaved, onClose }: EditProps) {
  return (
    <Dialog title={notificationWords.changeTitle(channel.name)} onClose={onClose}>
      {(close) => <EditForm channel={channel} users={users} onSaved={onSaved} onClose={close} />}
    </Dialog>
  );
}

function EditForm({ channel, users, onSaved, onClose }: EditProps) {
  const { client, messages } = useHub();
  const [isOn, setIsOn] = useState(channel.enabled);
  const form = useForm(FIELDS);
  const { name, url, topic, token, broker, least, person } = useFields(form.faults, channel);
  const values = { name, url, topic, broker, min_severity: least, person };
  const changed = Object.entries(values)
    .map(([field, { value }]) => [field, value.trim()] as const)
    .filter(([field, value]) => value !== (channel[field as keyof typeof values] ?? ''))
    .map(([field, value]) => [field, field === 'person' && value === '' ? null : value] as const);
  const change = {
    ...Object.fromEntries(changed),
    ...(token.value === '' ? {} : { token: token.value }),
    ...(isOn === channel.enabled ? {} : { enabled: isOn }),
  };
  const isIdle = Object.keys(change).length === 0;
  const save = async (): Promise<void> => {
    await client.call('PATCH', `/notification_channel/${channel.id}`, change);
    messages.show(notificationWords.changed(name.value.trim()));
    onClose();
    await onSaved();
  };
  return (
    <FormFrame
      form={form}
      class="form"
      onSubmit={() => {
        if (!isIdle) form.submit(save, { name: name.value });
      }}
    >
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      <Choice type="checkbox" label={notificationWords.isOn} isChosen={isOn} onChoice={setIsOn} />
      <TextField label={notificationWords.name} {...name} input={PLAIN} />
      {channel.url === null ? null : <TextField label={notificationWords.url} {...url} input={PLAIN} />}
      {channel.type === 'ntfy' ? (
        <TopicFields
          topic={topic}
          token={token}
          hint={channel.has_token ? notificationWords.tokenKept : notificationWords.tokenHint}
        />
      ) : null}
      {channel.broker === null ? null : <BrokerField {...broker} />}
      <AudienceFields least={least} person={person} people={users.map(({ id, name: own }) => [id, own])} />
      <FormButtons
        isBusy={form.isBusy}
        isIdle={isIdle}
        submit={settingsWords.save}
        busy={settingsWords.saving}
        onCancel={onClose}
      />
    </FormFrame>
  );
}

type Start = Partial<Pick<NotificationChannel, 'name' | 'url' | 'topic' | 'broker' | 'min_severity' | 'person'>>;

/** The fields of a channel, of which each kind shows some. A token is never read back. */
function useFields(faults: ReturnType<typeof useForm>['faults'], start: Start) {
  return {
    name: useField({ faults }, 'name', start.name ?? ''),
    url: useField({ faults }, 'url', start.url ?? ''),
    topic: useField({ faults }, 'topic', start.topic ?? ''),
    token: useField({ faults }, 'token', ''),
    broker: useField({ faults }, 'broker', start.broker ?? ''),
    least: useField<string>({ faults }, 'min_severity', start.min_severity ?? 'info'),
    person: useField({ faults }, 'person', start.person ?? ''),
  };
}

type Options = readonly (readonly [value: string, words: string])[];

function useBrokerOptions(): Options {
  return useBrokers().map(({ id, name }) => [id, name]);
}

function BrokerField(broker: Field) {
  return <SelectField label={notificationWords.broker} {...broker} options={useBrokerOptions()} />;
}

type TopicProps = { readonly topic: Field; readonly token: Field; readonly hint: string };

function TopicFields({ topic, token, hint }: TopicProps) {
  return (
    <>
      <TextField label={notificationWords.topic} {...topic} input={PLAIN} />
      <TextField label={notificationWords.token} type="password" autocomplete="off" {...token} hint={hint} />
    </>
  );
}

type AudienceProps = { readonly least: Field; readonly person: Field; readonly people: Options };

/** Which notifications it sends. */
function AudienceFields({ least, person, people }: AudienceProps) {
  return (
    <>
      <SelectField
        label={notificationWords.minSeverity}
        {...least}
        options={SEVERITIES.map((one) => [one, notificationWords.least[one]])}
      />
      <SelectField label={notificationWords.person} {...person} options={[['', notificationWords.home], ...people]} />
    </>
  );
}
