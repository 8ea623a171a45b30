import { useSignal } from '@preact/signals';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Ago } from '#web/parts/ago.tsx';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { t } from '#web/strings/strings.ts';

type Session = {
  readonly id: string;
  readonly client_name: string | null;
  readonly address: string;
  readonly last_used_at: string;
  readonly current: boolean;
};

/** Where the own account is logged in, and how to end that. */
export function SessionsPage() {
  const { client, messages } = useHub();
  const sessions = useSignal<readonly Session[] | null>(null);
  const [fault, setFault] = useState<string | undefined>();
  const [isEnding, setIsEnding] = useState(false);

  const read = useCallback(async () => {
    setFault(await wordsIfRefused(async () => (sessions.value = await client.call('GET', '/session'))));
  }, [client, sessions]);
  const end = async (path: string, done: string): Promise<void> => {
    const words = await wordsIfRefused(() => client.call('DELETE', path));
    messages.show(words ?? done, words === undefined ? 'plain' : 'danger');
    await read();
  };
  useEffect(() => void read(), [read]);
  const others = (sessions.value ?? []).filter(({ current }) => !current);
  return (
    <div class="page narrow">
      <PageHead title={t.session.title} back={{ href: '/settings', label: t.settings.title }} />
      {fault === undefined ? null : <Notice tone="danger" text={fault} />}
      <ul class="rows" aria-busy={sessions.value === null}>
        {(sessions.value ?? []).map((session) => (
          <li key={session.id} class="row">
            <span class="row-text">
              <bdi class="row-title">{clientWords(session.client_name)}</bdi>
              <span class="row-note">
                {session.current ? (
                  <strong class="tag">{t.session.thisOne}</strong>
                ) : (
                  <LastUsed at={session.last_used_at} />
                )}
                {' · '}
                {session.address}
              </span>
            </span>
            {session.current ? null : (
              <button
                type="button"
                class="button"
                aria-label={t.session.endOne(clientWords(session.client_name))}
                onClick={() => void end(`/session/${session.id}`, t.session.ended)}
              >
                {t.session.end}
              </button>
            )}
          </li>
        ))}
      </ul>
      {others.length === 0 ? null : (
        <button type="button" class="button button-danger" onClick={() => setIsEnding(true)}>
          {t.session.endOthers}
        </button>
      )}
      {isEnding ? (
        <ConfirmDialog
          title={t.session.endOthersTitle}
          text={t.session.endOthersText}
          confirm={t.session.endOthers}
          tone="danger"
          onConfirm={() => void end('/session', t.session.othersEnded)}
          onClose={() => setIsEnding(false)}
        />
      ) : null}
    </div>
  );
}

function LastUsed({ at }: { readonly at: string }) {
  return (
    <span>
      {t.session.lastUsedWord} <Ago at={at} />
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

/** What a browser says of itself is long and mostly untrue; its name and its system are enough. */
function clientWords(name: string | null): string {
  if (name === null) return t.session.nameless;
  if (!name.startsWith('Mozilla/')) return name;
  const browser = BROWSERS.find(([pattern]) => pattern.test(name))?.[1];
  const system = SYSTEMS.exec(name)?.[0].replace('Mac OS X', 'Mac').replace('CrOS', 'Chromebook');
  return browser === undefined ? name : t.session.browserOn(browser, system ?? null);
}
