import { useState } from 'preact/hooks';
import type { NotificationSettings, OwnAccount } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReport } from '#web/parts/use-task.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { ChannelList } from './channel-list.tsx';

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
  const [from, setFrom] = useState(hours?.from ?? '22:00');
  const [to, setTo] = useState(hours?.to ?? '07:00');
  const form = useForm(['from', 'to']);
  const isSame = isOn === (hours !== null) && (!isOn || (from === hours?.from && to === hours.to));
  const save = async (): Promise<void> => {
    await client.call('PATCH', '/me', { quiet_hours: isOn ? { from, to } : null });
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
      needed={isOn ? { from, to } : {}}
      onSubmit={save}
    >
      <Choice type="checkbox" label={notificationWords.quietOn} isChosen={isOn} onChoice={setIsOn} />
      {isOn ? (
        <>
          <TextField
            label={notificationWords.from}
            value={from}
            onValue={setFrom}
            error={form.faults['from']}
            type="time"
          />
          <TextField label={notificationWords.to} value={to} onValue={setTo} error={form.faults['to']} type="time" />
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
