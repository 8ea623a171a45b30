import { useState } from 'preact/hooks';
import type {
  NotificationSettings,
  OwnAccount,
  NotificationAttempt,
  NotificationChannel,
  User,
} from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReport, useReportedTask } from '#web/parts/use-task.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { AddChannel, EditChannel } from './channel-forms.tsx';
import { errorWords } from '#web/strings/error-words.ts';

/** When to be left alone; for people who manage the home also what the hub notices and where it goes. */
export function NotificationsPage() {
  const { account } = useHub();
  const me = useReading<OwnAccount>('/me');
  return (
    <div class="page narrow">
      <PageHead title={notificationWords.title} back={{ href: '/settings', label: settingsWords.back }} />
      <ReadingView of={me} rows={2}>
        {({ quiet_hours: hours }) => <QuietHoursForm hours={hours} onSaved={me.again} />}
      </ReadingView>
      {account.can('notification:manage') ? (
        <>
          <ChannelList />
          <BuiltIns />
        </>
      ) : null}
    </div>
  );
}

type QuietProps = { readonly hours: OwnAccount['quiet_hours']; readonly onSaved: () => Promise<void> };

function QuietHoursForm({ hours, onSaved }: QuietProps) {
  const { client, messages } = useHub();
  const [isOn, setIsOn] = useState(hours !== null);
  const form = useForm(['from', 'to']);
  const from = useField(form, 'from', hours?.from ?? '22:00');
  const to = useField(form, 'to', hours?.to ?? '07:00');
  const isSame = isOn === (hours !== null) && (!isOn || (from.value === hours?.from && to.value === hours.to));
  const save = async (): Promise<void> => {
    await client.call('PATCH', '/me', { quiet_hours: isOn ? { from: from.value, to: to.value } : null });
    messages.show(notificationWords.quietSaved);
    await onSaved();
  };
  return (
    <PanelForm
      form={form}
      title={notificationWords.quiet}
      text={notificationWords.quietText}
      submit={settingsWords.save}
      isIdle={isSame}
      needed={isOn ? { from: from.value, to: to.value } : {}}
      onSubmit={save}
    >
      <Choice type="checkbox" label={notificationWords.quietOn} isChosen={isOn} onChoice={setIsOn} />
      {isOn ? (
        <>
          <TextField label={notificationWords.from} {...from} type="time" />
          <TextField label={notificationWords.to} {...to} type="time" />
        </>
      ) : null}
    </PanelForm>
  );
}

function BuiltIns() {
  const { client } = useHub();
  const report = useReport();
  const reading = useReading<NotificationSettings>('/notification/settings');
  const change = async (kind: string, isOn: boolean): Promise<void> => {
    await report(() => client.call('PATCH', '/notification/settings', { built_in: { [kind]: isOn } }));
    await reading.again();
  };
  return (
    <section class="panel form">
      <fieldset class="choice-list">
        <legend class="field-label">{notificationWords.builtIn}</legend>
        <ReadingView of={reading} rows={4}>
          {({ built_in: switches }) =>
            Object.entries(switches).map(([kind, isOn]) => (
              <Choice
                key={kind}
                type="checkbox"
                label={notificationWords.builtIns[kind] ?? kind}
                isChosen={isOn}
                onChoice={(isChosen) => void change(kind, isChosen)}
              />
            ))
          }
        </ReadingView>
      </fieldset>
    </section>
  );
}

/** The ways out of the hub, and a form for another one. */
function ChannelList() {
  const reading = useReading<readonly NotificationChannel[]>('/notification_channel');
  const users = useReading<readonly User[]>('/user');
  const [changing, setChanging] = useState<NotificationChannel | null>(null);
  return (
    <section class="narrow">
      <h2 class="rows-title">{notificationWords.channels}</h2>
      <p class="soft">{notificationWords.channelsText}</p>
      <ReadingView of={reading} rows={2}>
        {(channels) => (
          <ul class="rows">
            {channels.map((channel) => (
              <Row
                key={channel.id}
                channel={channel}
                person={users.value?.find(({ id }) => id === channel.person)?.name}
                onChange={() => setChanging(channel)}
                again={reading.again}
              />
            ))}
          </ul>
        )}
      </ReadingView>
      <AddChannel onAdded={reading.again} />
      {changing === null ? null : (
        <EditChannel
          channel={changing}
          users={users.value ?? []}
          onSaved={reading.again}
          onClose={() => setChanging(null)}
        />
      )}
    </section>
  );
}

type RowProps = {
  readonly channel: NotificationChannel;
  readonly person: string | undefined;
  readonly onChange: () => void;
  readonly again: () => Promise<void>;
};

function Row({ channel, person, onChange, again }: RowProps) {
  const { client, messages } = useHub();
  const path = `/notification_channel/${channel.id}`;
  const test = useReportedTask(async () => {
    const { error } = await client.call<NotificationAttempt>('POST', `${path}/test`);
    if (error === null) messages.show(notificationWords.testSent(name));
    else messages.show(notificationWords.testFailed(name, errorWords(error)), 'danger');
  }, again);
  const { type, name, status, url, topic, min_severity: least } = channel;
  if (type === 'page') {
    return (
      <li class="row">
        <span class="row-text">
          <span class="row-title">{notificationWords.types.page}</span>
          <span class="row-note">{notificationWords.always}</span>
        </span>
      </li>
    );
  }
  const place = url === null ? null : `${new URL(url).host}${topic === null ? '' : `/${topic}`}`;
  const notes = [
    notificationWords.types[type],
    place,
    notificationWords.least[least],
    person === undefined ? null : notificationWords.ofPerson(person),
    notificationWords.status[status],
  ].filter((note) => note !== null);
  return (
    <li class="row">
      <span class="row-text">
        <bdi class="row-title">{name}</bdi>
        <span class="row-note">{notes.join(' · ')}</span>
      </span>
      <button type="button" class="button" aria-label={notificationWords.testOf(name)} onClick={test.run}>
        {notificationWords.test}
      </button>
      <button type="button" class="button" aria-label={notificationWords.changeOf(name)} onClick={onChange}>
        {notificationWords.change}
      </button>
      <RemoveButton
        path={path}
        label={notificationWords.remove}
        of={notificationWords.removeOf(name)}
        question={notificationWords.removeTitle(name)}
        text={notificationWords.removeText}
        removed={notificationWords.removed(name)}
        after={again}
      />
    </li>
  );
}
