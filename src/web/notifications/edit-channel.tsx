import { useState } from 'preact/hooks';
import type { NotificationChannel, User } from '#web/client/api.ts';
import { SEVERITIES } from '#web/client/vocabulary.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { Choice } from '#web/form/choice.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { type Form, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { useBrokers } from '#web/readings/use-integrations.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

type Props = {
  readonly channel: NotificationChannel;
  readonly users: readonly User[];
  readonly onSaved: () => Promise<void>;
  readonly onClose: () => void;
};

const FIELDS = ['name', 'enabled', 'url', 'topic', 'token', 'broker', 'min_severity', 'person'];

/** Changes a channel. Only what was changed is sent, so that a hidden token stays. */
export function EditChannel({ channel, users, onSaved, onClose }: Props) {
  return (
    <Dialog title={notificationWords.changeTitle(channel.name)} onClose={onClose}>
      {(close) => <EditForm channel={channel} users={users} onSaved={onSaved} onClose={close} />}
    </Dialog>
  );
}

function EditForm({ channel, users, onSaved, onClose }: Props) {
  const { client, messages } = useHub();
  const [values, setValues] = useState({
    name: channel.name,
    url: channel.url ?? '',
    topic: channel.topic ?? '',
    broker: channel.broker ?? '',
    min_severity: channel.min_severity,
    person: channel.person ?? '',
  });
  const [token, setToken] = useState('');
  const [isOn, setIsOn] = useState(channel.enabled);
  const form = useForm(FIELDS);
  const set = (field: keyof typeof values) => (value: string) => setValues({ ...values, [field]: value });
  const changed = Object.entries(values)
    .map(([field, value]) => [field, value.trim()] as const)
    .filter(([field, value]) => value !== (channel[field as keyof typeof values] ?? ''))
    .map(([field, value]) => [field, field === 'person' && value === '' ? null : value] as const);
  const change = {
    ...Object.fromEntries(changed),
    ...(token === '' ? {} : { token }),
    ...(isOn === channel.enabled ? {} : { enabled: isOn }),
  };
  const isIdle = Object.keys(change).length === 0;
  const save = async (): Promise<void> => {
    await client.call('PATCH', `/notification_channel/${channel.id}`, change);
    messages.show(notificationWords.changed(values.name.trim()));
    onClose();
    await onSaved();
  };
  const field = (name: 'name' | 'url' | 'topic', label: string) => (
    <TextField label={label} value={values[name]} onValue={set(name)} error={form.faults[name]} input={PLAIN} />
  );
  return (
    <FormFrame
      form={form}
      class="form"
      onSubmit={() => {
        if (!isIdle) form.submit(save, { name: values.name });
      }}
    >
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      <Choice type="checkbox" label={notificationWords.isOn} isChosen={isOn} onChoice={setIsOn} />
      {field('name', notificationWords.name)}
      {channel.url === null ? null : field('url', notificationWords.url)}
      {channel.type === 'ntfy' ? (
        <>
          {field('topic', notificationWords.topic)}
          <TextField
            label={notificationWords.token}
            type="password"
            autocomplete="off"
            value={token}
            onValue={setToken}
            hint={channel.has_token ? notificationWords.tokenKept : notificationWords.tokenHint}
            error={form.faults['token']}
          />
        </>
      ) : null}
      {channel.broker === null ? null : (
        <BrokerField value={values.broker} onValue={set('broker')} error={form.faults['broker']} />
      )}
      <Audience values={values} set={set} users={users} faults={form.faults} />
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={onClose}>
          {pageWords.cancel}
        </button>
        <button type="submit" class="button button-main" aria-disabled={form.isBusy || isIdle}>
          {form.isBusy ? settingsWords.saving : settingsWords.save}
        </button>
      </div>
    </FormFrame>
  );
}

type AudienceProps = Pick<Props, 'users'> & {
  readonly values: { readonly min_severity: string; readonly person: string };
  readonly set: (field: 'min_severity' | 'person') => (value: string) => void;
  readonly faults: Form['faults'];
};

/** Which notifications it sends. */
function Audience({ values, set, users, faults }: AudienceProps) {
  return (
    <>
      <SelectField
        label={notificationWords.minSeverity}
        value={values.min_severity}
        onValue={set('min_severity')}
        options={SEVERITIES.map((one) => [one, notificationWords.least[one]])}
        error={faults['min_severity']}
      />
      <SelectField
        label={notificationWords.person}
        value={values.person}
        onValue={set('person')}
        options={[['', notificationWords.home], ...users.map(({ id, name }) => [id, name] as const)]}
        error={faults['person']}
      />
    </>
  );
}

const PLAIN = { autocapitalize: 'off', spellcheck: false } as const;

type BrokerProps = {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
};

function BrokerField(props: BrokerProps) {
  const brokers = useBrokers();
  return (
    <SelectField {...props} label={notificationWords.broker} options={brokers.map(({ id, name }) => [id, name])} />
  );
}
