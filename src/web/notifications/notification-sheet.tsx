import type { Notification, Notifications } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Ago } from '#web/parts/ago.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask, useTask } from '#web/parts/use-task.ts';
import { hasOwn } from '#web/since-2021.ts';
import { errorWords } from '#web/strings/error-words.ts';
import { notifications as notificationWords } from '#web/strings/en/notifications.ts';
import { inEnglish } from '#web/strings/hub-text.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { notificationTexts } from '#words/en/notifications.ts';
import { noticeIn } from '#words/texts.ts';

const EARLIER = 30;

/** Shows what needs attention, and what was lately. Events keep it as it is at the hub. */
export function NotificationSheet({ onClose }: { readonly onClose: () => void }) {
  const { attention } = useHub();
  const list = attention.list.value;
  // A danger in short is not theirs to silence.
  const theirs = list.filter(({ to }) => to.length > 0);
  return (
    <Dialog title={notificationWords.title} onClose={onClose}>
      {(close) => (
        <div class="notifications">
          {list.length === 0 ? <p class="soft">{notificationWords.nothing}</p> : null}
          <ul class="notification-list">
            {withLikes(list).map((likes) => (
              <Lines key={likes[0].id} likes={likes} onLink={close} />
            ))}
          </ul>
          {theirs.length > 1 ? <AcknowledgeAll list={theirs} /> : null}
          <Earlier onLink={close} />
          <div class="dialog-buttons">
            <a class="button" href="/settings/notifications" onClick={close}>
              {notificationWords.settings}
            </a>
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

type Likes = readonly [Notification, ...(readonly Notification[])];

/** Brings equal kinds together, each where its first is. What is critical stands for itself. */
function withLikes(list: readonly Notification[]): readonly Likes[] {
  const groups = new Map<string, Likes>();
  for (const one of list) {
    const { id, built_in: kind, severity } = one;
    const isLike = severity !== 'critical' && kind !== null && hasOwn(notificationTexts, manyOf(kind));
    const key = isLike ? kind : id;
    const before = groups.get(key);
    groups.set(key, before === undefined ? [one] : [...before, one]);
  }
  return [...groups.values()];
}

/** The hub says several of a kind under this id. */
const manyOf = (kind: string): string => `${kind}_many`;

/** One line for several of a kind, with each of them inside. */
function Lines({ likes, onLink }: { readonly likes: Likes; readonly onLink: () => void }) {
  const [first] = likes;
  if (likes.length === 1) return <Line one={first} onLink={onLink} />;
  const wording = { id: manyOf(first.built_in ?? ''), with: { count: likes.length } };
  const { title } = noticeIn(notificationTexts, { title: '', text: '', wording }, pageWords.locale);
  return (
    <li class="notification" data-tone={first.severity}>
      <Icon name="warning" size={20} />
      <div class="notification-words">
        <p>
          <span class="unseen">{notificationWords.severity[first.severity]}: </span>
          <span class="notification-title">{title}</span>
        </p>
        <details>
          <summary>{notificationWords.likesShow}</summary>
          <ul class="notification-likes">
            {likes.map((one) => (
              <li key={one.id}>
                <DeviceLink of={one} words={placeOf(one)} onLink={onLink} />
              </li>
            ))}
          </ul>
        </details>
      </div>
      <div class="notification-buttons">
        <Acknowledge ids={likes.map(({ id }) => id)} label={notificationWords.acknowledge} of={title} />
      </div>
    </li>
  );
}

/** Where it is: the rest is said for all of them. */
function placeOf(one: Notification): string {
  const { device, integration } = one.reason?.with ?? {};
  return String(device ?? integration ?? saidBy(one).title);
}

type LinkProps = { readonly of: Notification; readonly words?: string; readonly onLink: () => void };

/** Leads to the device, where the page knows it. */
function DeviceLink({ of: { device }, words, onLink }: LinkProps) {
  const { home } = useHub();
  const one = device === null ? undefined : home.find(device)?.device.value;
  if (one === undefined) return words === undefined ? null : <bdi>{words}</bdi>;
  return (
    <a href={`/device/${encodeURIComponent(one.selector)}`} onClick={onLink}>
      <bdi>{words ?? one.name}</bdi>
    </a>
  );
}

type LineProps = { readonly one: Notification; readonly onLink: () => void };

function Line({ one, onLink }: LineProps) {
  const { home } = useHub();
  const { id, severity, updated_at: at, device, state, to } = one;
  const { title, text } = saidBy(one);
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
          {device === null || home.find(device) === undefined ? null : ' · '}
          <DeviceLink of={one} onLink={onLink} />
        </p>
      </div>
      {state === 'open' ? (
        <div class="notification-buttons">
          <Actions one={one} />
          {to.length === 0 ? null : <Acknowledge ids={[id]} label={notificationWords.acknowledge} of={title} />}
        </div>
      ) : null}
    </li>
  );
}

/** Says it in the language of the page. The failure that the hub tells has words of its own. */
function saidBy(one: Notification) {
  const said = noticeIn(notificationTexts, { ...inEnglish(one), wording: one.reason }, pageWords.locale);
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
