import { useState } from 'preact/hooks';
import type { CreatedNotificationChannel } from '#web/client/api.ts';
import { SEVERITIES } from '#web/client/vocabulary.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { useBrokers } from '#web/readings/use-integrations.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { CopyField } from '#web/tokens/copy-field.tsx';

type Kind = keyof typeof notificationWords.kinds;
/** In the order in which they are offered. */
const KINDS = Object.keys(notificationWords.kinds) as readonly Kind[];
const FIELDS = ['name', 'url', 'topic', 'token', 'broker', 'min_severity', 'person'];

type Props = { readonly onAdded: () => Promise<void> };

/** A form for one more channel; the secret of a webhook is shown this one time. */
export function AddChannel({ onAdded }: Props) {
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
      <ChannelForm
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

const EMPTY = { name: '', url: '', topic: '', token: '', broker: '', least: 'info', person: '' };

type FormProps = { readonly onAdded: (channel: CreatedNotificationChannel) => Promise<void> };

function ChannelForm({ onAdded }: FormProps) {
  const { client, messages } = useHub();
  const brokers = useBrokers();
  const [kind, setKind] = useState<Kind>('ntfy');
  const [values, setValues] = useState(EMPTY);
  const form = useForm(FIELDS);
  const set = (field: keyof typeof values) => (value: string) => setValues({ ...values, [field]: value });
  const broker = values.broker === '' ? (brokers[0]?.id ?? '') : values.broker;
  const needed = {
    ntfy: { url: values.url, topic: values.topic },
    webhook: { url: values.url },
    mqtt: { broker },
  }[kind];
  const add = async (): Promise<void> => {
    const trimmed = Object.fromEntries(Object.entries(needed).map(([field, value]) => [field, value.trim()]));
    const channel = await client.call<CreatedNotificationChannel>('POST', '/notification_channel', {
      type: kind,
      ...trimmed,
      min_severity: values.least,
      person: values.person === '' ? null : values.person,
      ...(values.name.trim() === '' ? {} : { name: values.name.trim() }),
      ...(kind === 'ntfy' && values.token !== '' ? { token: values.token } : {}),
    });
    messages.show(notificationWords.added(channel.name));
    await onAdded(channel);
  };
  const plain = { autocapitalize: 'off', spellcheck: false } as const;
  const field = (name: 'url' | 'topic' | 'name', label: string) => (
    <TextField label={label} value={values[name]} onValue={set(name)} error={form.faults[name]} input={plain} />
  );
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
      {kind === 'mqtt' ? null : field('url', notificationWords.url)}
      {kind === 'ntfy' ? (
        <>
          {field('topic', notificationWords.topic)}
          <TextField
            label={notificationWords.token}
            type="password"
            autocomplete="off"
            value={values.token}
            onValue={set('token')}
            hint={notificationWords.tokenHint}
            error={form.faults['token']}
          />
        </>
      ) : null}
      {kind === 'mqtt' ? (
        <SelectField
          label={notificationWords.broker}
          value={broker}
          onValue={set('broker')}
          options={brokers.map(({ id, name }) => [id, name])}
          hint={brokers.length === 0 ? notificationWords.noBroker : undefined}
          error={form.faults['broker']}
        />
      ) : null}
      <AudienceFields values={values} set={set} />
      {field('name', notificationWords.name)}
    </PanelForm>
  );
}

type AudienceProps = {
  readonly values: { readonly least: string; readonly person: string };
  readonly set: (field: 'least' | 'person') => (value: string) => void;
};

/** Which notifications it sends. */
function AudienceFields({ values, set }: AudienceProps) {
  const { account } = useHub();
  return (
    <>
      <SelectField
        label={notificationWords.minSeverity}
        value={values.least}
        onValue={set('least')}
        options={SEVERITIES.map((one) => [one, notificationWords.least[one]])}
      />
      <SelectField
        label={notificationWords.person}
        value={values.person}
        onValue={set('person')}
        options={[
          ['', notificationWords.home],
          [account.me.value?.id ?? '', notificationWords.me],
        ]}
      />
    </>
  );
}
