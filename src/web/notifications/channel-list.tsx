import { useState } from 'preact/hooks';
import type { NotificationAttempt, NotificationChannel, User } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { AddChannel } from './add-channel.tsx';
import { EditChannel } from './edit-channel.tsx';
import { errorWords } from '#web/strings/error-words.ts';

/** The ways out of the hub, and a form for another one. */
export function ChannelList() {
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
