import { useState } from 'preact/hooks';
import type { NotificationAttempt, NotificationChannel, User } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { AddChannel } from './add-channel.tsx';
import { EditChannel } from './edit-channel.tsx';
import { errorWords } from '#web/strings/error-words.ts';

/** The ways out of the hub, and a form for another one. */
export function ChannelList() {
  const { client, messages } = useHub();
  const reading = useReading<readonly NotificationChannel[]>('/notification_channel');
  const users = useReading<readonly User[]>('/user');
  const [changing, setChanging] = useState<NotificationChannel | null>(null);
  const [removing, setRemoving] = useState<NotificationChannel | null>(null);
  const test = async ({ id, name }: NotificationChannel): Promise<void> => {
    const words = await wordsIfRefused(async () => {
      const { error } = await client.call<NotificationAttempt>('POST', `/notification_channel/${id}/test`);
      if (error === null) messages.show(notificationWords.testSent(name));
      else messages.show(notificationWords.testFailed(name, errorWords(error)), 'danger');
    });
    if (words !== undefined) messages.show(words, 'danger');
    await reading.again();
  };
  const remove = async ({ id, name }: NotificationChannel): Promise<void> => {
    const words = await wordsIfRefused(() => client.call('DELETE', `/notification_channel/${id}`));
    messages.show(words ?? notificationWords.removed(name), words === undefined ? 'plain' : 'danger');
    await reading.again();
  };
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
                onTest={() => void test(channel)}
                onChange={() => setChanging(channel)}
                onRemove={() => setRemoving(channel)}
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
      {removing === null ? null : (
        <ConfirmDialog
          title={notificationWords.removeTitle(removing.name)}
          text={notificationWords.removeText}
          confirm={notificationWords.remove}
          tone="danger"
          onConfirm={() => void remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </section>
  );
}

type RowProps = {
  readonly channel: NotificationChannel;
  readonly person: string | undefined;
  readonly onTest: () => void;
  readonly onChange: () => void;
  readonly onRemove: () => void;
};

function Row({ channel, person, onTest, onChange, onRemove }: RowProps) {
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
      <button type="button" class="button" aria-label={notificationWords.testOf(name)} onClick={onTest}>
        {notificationWords.test}
      </button>
      <button type="button" class="button" aria-label={notificationWords.changeOf(name)} onClick={onChange}>
        {notificationWords.change}
      </button>
      <button
        type="button"
        class="button button-danger"
        aria-label={notificationWords.removeOf(name)}
        onClick={onRemove}
      >
        {notificationWords.remove}
      </button>
    </li>
  );
}
