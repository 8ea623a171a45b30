import { useState } from 'preact/hooks';
import type { Session } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Ago } from '#web/parts/ago.tsx';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { momentWords } from '#web/strings/measure-words.ts';

/** Where one's own account is logged in, and how to log out there. */
export function SessionsPage() {
  const { client, messages } = useHub();
  const reading = useReading<readonly Session[]>('/session');
  const [ending, setEnding] = useState<Session | 'others' | null>(null);
  const end = async (what: Session | 'others'): Promise<void> => {
    const path = what === 'others' ? '/session' : `/session/${what.id}`;
    const words = await wordsIfRefused(() => client.call('DELETE', path));
    const done =
      what === 'others'
        ? settingsWords.session.othersEnded
        : settingsWords.session.ended(clientWords(what.client_name));
    messages.show(words ?? done, words === undefined ? 'plain' : 'danger');
    await reading.again();
  };
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.session.title} back={{ href: '/settings', label: settingsWords.back }} />
      <ReadingView of={reading}>{(sessions) => <SessionList sessions={sessions} onEnd={setEnding} />}</ReadingView>
      {ending === null ? null : <EndDialog what={ending} onConfirm={end} onClose={() => setEnding(null)} />}
    </div>
  );
}

type ListProps = {
  readonly sessions: readonly Session[];
  readonly onEnd: (what: Session | 'others') => void;
};

function SessionList({ sessions, onEnd }: ListProps) {
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
              <button
                type="button"
                class="button"
                aria-label={settingsWords.session.endOne(clientWords(session.client_name))}
                onClick={() => onEnd(session)}
              >
                {settingsWords.session.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      {sessions.some(({ current }) => !current) ? (
        <button type="button" class="button button-danger" onClick={() => onEnd('others')}>
          {settingsWords.session.endOthers}
        </button>
      ) : (
        <p class="soft">{settingsWords.session.onlyThis}</p>
      )}
    </>
  );
}

type EndProps = {
  readonly what: Session | 'others';
  readonly onConfirm: (what: Session | 'others') => Promise<void>;
  readonly onClose: () => void;
};

function EndDialog({ what, onConfirm, onClose }: EndProps) {
  const isOthers = what === 'others';
  return (
    <ConfirmDialog
      title={
        isOthers
          ? settingsWords.session.endOthersTitle
          : settingsWords.session.endOneTitle(clientWords(what.client_name))
      }
      text={isOthers ? settingsWords.session.endOthersText : settingsWords.session.endOneText}
      confirm={isOthers ? settingsWords.session.endOthers : settingsWords.session.end}
      tone="danger"
      onConfirm={() => void onConfirm(what)}
      onClose={onClose}
    />
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
