import type { Notification, Notifications } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Ago } from '#web/parts/ago.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask, useTask } from '#web/parts/use-task.ts';
import { errorWords } from '#web/strings/error-words.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { notificationTexts } from '#words/en/notifications.ts';
import { noticeIn } from '#words/texts.ts';

const EARLIER = 30;

/** Shows what needs attention, and what was lately. Events keep it as it is at the hub. */
export function NotificationSheet({ onClose }: { readonly onClose: () => void }) {
  const { attention } = useHub();
  const list = attention.list.value;
  return (
    <Dialog title={notificationWords.title} onClose={onClose}>
      {(close) => (
        <div class="notifications">
          {list.length === 0 ? <p class="soft">{notificationWords.nothing}</p> : null}
          <ul class="notification-list">
            {list.map((one) => (
              <Line key={one.id} one={one} onLink={close} />
            ))}
          </ul>
          {list.length > 1 ? <AcknowledgeAll list={list} /> : null}
          <Earlier onLink={close} />
          <div class="dialog-buttons">
            <a class="button" href="/settings/notifications" onClick={close}>
              {notificationWords.settings}
            </a>
            <button type="button" class="button button-main" onClick={close}>
              {pageWords.close}
            </button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

/** Above every page. Screen readers announce each when it appears. */
export function CriticalList() {
  const { attention } = useHub();
  const critical = attention.list.value.filter(({ severity }) => severity === 'critical');
  return (
    <div class="page-notice" role="alert">
      <ul class="notification-list">
        {critical.map((one) => (
          <Line key={one.id} one={one} onLink={() => undefined} />
        ))}
      </ul>
    </div>
  );
}

type LineProps = { readonly one: Notification; readonly onLink: () => void };

function Line({ one, onLink }: LineProps) {
  const { home } = useHub();
  const { id, severity, updated_at: at, device, state } = one;
  const { title, text } = saidBy(one);
  const found = device === null ? undefined : home.find(device)?.device.value;
  return (
    <li class="notification" data-tone={state === 'open' ? severity : 'info'}>
      <Icon name={severity === 'info' ? 'info' : 'warning'} size={20} />
      <div class="notification-words">
        <p>
          <span class="unseen">{notificationWords.severity[severity]}: </span>
          <bdi class="notification-title">{title}</bdi>
        </p>
        {text === '' ? null : <p class="notification-text">{text}</p>}
        <p class="notification-note">
          {state === 'open' ? null : `${notificationWords.state[state]} · `}
          <Ago at={at} />
          {found === undefined ? null : (
            <>
              {' · '}
              <a href={`/device/${encodeURIComponent(found.selector)}`} onClick={onLink}>
                <bdi>{found.name}</bdi>
              </a>
            </>
          )}
        </p>
      </div>
      {state === 'open' ? (
        <div class="notification-buttons">
          <Actions one={one} />
          <Acknowledge ids={[id]} label={notificationWords.acknowledge} of={title} />
        </div>
      ) : null}
    </li>
  );
}

/** Says it in the language of the page. The failure that the hub tells has words of its own. */
function saidBy(one: Notification) {
  const said = noticeIn(notificationTexts, { ...one, wording: one.reason }, pageWords.locale);
  const { code, kind = '', ...values } = one.reason?.with ?? {};
  if (typeof code !== 'string') return said;
  const failure = { code, message: one.text, reason: { id: code, with: values } };
  return { ...said, text: errorWords(failure, String(kind)) };
}

/** Offers the actions of a notification. One that worked makes it need no attention any more. */
function Actions({ one: { id, actions } }: Pick<LineProps, 'one'>) {
  const { client, commands, attention } = useHub();
  const { run, isRunning } = useTask(async ({ label, scene, command }: Notification['actions'][number]) => {
    const given = await (scene === null
      ? commands.bar.run(label, '/command', command ?? {})
      : commands.bar.run(label, `/scene/${scene}/activate`));
    if (given !== undefined && given.status !== 'failed') {
      await wordsIfRefused(() => client.call('POST', `/notification/${id}/acknowledge`));
      await attention.look();
    }
  });
  return (
    <>
      {actions.map((action, index) => (
        <button key={index} type="button" class="button" aria-disabled={isRunning} onClick={() => run(action)}>
          <bdi>{action.label}</bdi>
        </button>
      ))}
    </>
  );
}

function AcknowledgeAll({ list }: { readonly list: readonly Notification[] }) {
  return <Acknowledge ids={list.map(({ id }) => id)} label={notificationWords.acknowledgeAll} />;
}

type AcknowledgeProps = { readonly ids: readonly string[]; readonly label: string; readonly of?: string };

/** The event of the hub takes it off the list, on every page that shows it. */
function Acknowledge({ ids, label, of }: AcknowledgeProps) {
  const { client, attention } = useHub();
  // The look is for a notification of which no event comes, because somebody else was quicker.
  const { run, isRunning } = useReportedTask(async () => {
    for (const id of ids) await client.call('POST', `/notification/${id}/acknowledge`);
  }, attention.look);
  return (
    <button
      type="button"
      class="button"
      aria-label={of === undefined ? undefined : notificationWords.acknowledgeOf(of)}
      aria-disabled={isRunning}
      onClick={run}
    >
      {label}
    </button>
  );
}

function Earlier({ onLink }: Pick<LineProps, 'onLink'>) {
  const reading = useReading<Notifications>(`/notification?open=false&limit=${EARLIER}`);
  return (
    <ReadingView of={reading} rows={1}>
      {({ notifications: list }) =>
        list.length === 0 ? null : (
          <details>
            <summary>{notificationWords.earlier(list.length)}</summary>
            <ul class="notification-list">
              {list.map((one) => (
                <Line key={one.id} one={one} onLink={onLink} />
              ))}
            </ul>
          </details>
        )
      }
    </ReadingView>
  );
}
