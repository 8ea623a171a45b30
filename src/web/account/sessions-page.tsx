import type { Session } from '#web/client/api.ts';
import { Ago } from '#web/parts/ago.tsx';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { momentWords } from '#web/strings/measure-words.ts';

/** Where one's own account is logged in, and how to log out there. */
export function SessionsPage() {
  const reading = useReading<readonly Session[]>('/session');
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.session.title} back={{ href: '/settings', label: settingsWords.back }} />
      <ReadingView of={reading}>{(sessions) => <SessionList sessions={sessions} again={reading.again} />}</ReadingView>
    </div>
  );
}

type ListProps = { readonly sessions: readonly Session[]; readonly again: () => Promise<void> };

function SessionList({ sessions, again }: ListProps) {
  // The device in one's hand comes first.
  const sorted = [...sessions].sort((one, other) => Number(other.current) - Number(one.current));
  return (
    <>
      <ul class="rows">
        {sorted.map((session) => (
          <li key={session.id} class="row">
            <span class="row-text">
              <bdi class="row-title">{clientWords(session.client_name)}</bdi>
              <span class="row-note">
                {session.current ? (
                  <strong class="tag">{settingsWords.session.thisOne}</strong>
                ) : (
                  <LastUsed at={session.last_used_at} />
                )}
                {' · '}
                {settingsWords.session.since(momentWords(session.created_at))}
                {' · '}
                {session.address}
              </span>
            </span>
            {session.current ? null : (
              <RemoveButton
                path={`/session/${session.id}`}
                class="button"
                label={settingsWords.session.end}
                of={settingsWords.session.endOne(clientWords(session.client_name))}
                question={settingsWords.session.endOneTitle(clientWords(session.client_name))}
                text={settingsWords.session.endOneText}
                removed={settingsWords.session.ended(clientWords(session.client_name))}
                after={again}
              />
            )}
          </li>
        ))}
      </ul>
      {sessions.some(({ current }) => !current) ? (
        <RemoveButton
          path="/session"
          label={settingsWords.session.endOthers}
          question={settingsWords.session.endOthersTitle}
          text={settingsWords.session.endOthersText}
          removed={settingsWords.session.othersEnded}
          after={again}
        />
      ) : (
        <p class="soft">{settingsWords.session.onlyThis}</p>
      )}
    </>
  );
}

function LastUsed({ at }: { readonly at: string }) {
  return (
    <span>
      {settingsWords.session.lastUsedWord} <Ago at={at} />
    </span>
  );
}

const SYSTEMS = /iPhone|iPad|Android|Windows|Mac OS X|CrOS|Linux/;
const BROWSERS = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const;

/** A user agent string is long and mostly untrue: the names of the browser and the system are enough. */
function clientWords(name: string | null): string {
  if (name === null) return settingsWords.session.nameless;
  if (!name.startsWith('Mozilla/')) return name;
  const browser = BROWSERS.find(([pattern]) => pattern.test(name))?.[1];
  const system = SYSTEMS.exec(name)?.[0].replace('Mac OS X', 'Mac').replace('CrOS', 'Chromebook');
  return browser === undefined ? name : settingsWords.session.browserOn(browser, system ?? null);
}
