import { useEffect, useRef, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { useTask } from '#web/parts/use-task.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { troubles as troubleWords } from '#web/strings/en/troubles.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { errorWords } from '#web/strings/error-words.ts';
import type { IntegrationShown } from '#web/strings/kind-words.ts';

const OPEN_S = 120;

type Props = {
  readonly integration: IntegrationShown;
  /** What to do at the device, in words of the kind. */
  readonly hint: string | null;
  readonly closesMs: number | null;
};

/** Opens and closes pairing of one integration, and says how long it is open. */
export function PairingPanel({ integration, hint, closesMs }: Props) {
  const { account, client } = useHub();
  const { id, name, status } = integration;
  const isOpen = closesMs !== null;
  const path = `/integration/${encodeURIComponent(id)}/pairing`;

  const { run, isRunning, refusal } = useTask((method: 'POST' | 'DELETE') =>
    client.call(method, path, method === 'POST' ? { seconds: OPEN_S } : undefined),
  );
  useCloseOnLeave(isOpen, () => void wordsIfRefused(() => client.call('DELETE', path)));
  return (
    <section class="panel pairing">
      <h2 class="panel-title">
        <bdi>{name}</bdi>
      </h2>
      {status === 'connected' ? (
        <>
          <p>{hint ?? settingsWords.joining.how}</p>
          {refusal === undefined ? null : <Notice tone="danger" text={refusal} />}
          <div class="pairing-row">
            <button
              type="button"
              class={isOpen ? 'button' : 'button button-main'}
              aria-disabled={isRunning}
              onClick={() => run(isOpen ? 'DELETE' : 'POST')}
            >
              <Icon name={isOpen ? 'stop' : 'search'} size={20} />
              {isOpen ? pageWords.pairing.stop : pageWords.pairing.start}
            </button>
            {isOpen ? (
              <Countdown closesMs={closesMs} label={pageWords.pairing.timer} words={pageWords.pairing.left} />
            ) : null}
          </div>
        </>
      ) : (
        <Notice tone={status === 'error' ? 'warn' : 'plain'}>
          <p>{settingsWords.joining.states[status] ?? status}</p>
          {integration.error === null ? null : (
            <p>{troubleWords.why(errorWords(integration.error, integration.kind))}</p>
          )}
          {account.can('hub:manage') ? (
            <a href={`/settings/integrations/${encodeURIComponent(id)}`}>{settingsWords.joining.check}</a>
          ) : null}
        </Notice>
      )}
    </section>
  );
}

type CountdownProps = {
  readonly closesMs: number;
  readonly label: string;
  readonly words: (minutes: number, seconds: number) => string;
};

/** Minutes and seconds until pairing closes. */
export function Countdown({ closesMs, label, words }: CountdownProps) {
  const [nowMs, setNowMs] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.ceil((closesMs - nowMs) / 1000));
  return (
    <p class="countdown" role="timer" aria-label={label}>
      <span class="connection-dot pulse" />
      {words(Math.floor(seconds / 60), seconds % 60)}
    </p>
  );
}

/** Closes pairing when one leaves the page: the home must not stay open to other people's devices. */
function useCloseOnLeave(isOpen: boolean, close: () => void): void {
  const last = useRef({ isOpen, close });
  last.current = { isOpen, close };
  useEffect(
    () => () => {
      if (last.current.isOpen) last.current.close();
    },
    [],
  );
}
