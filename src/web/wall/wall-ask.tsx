import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { QrCode } from '#web/tokens/qr-code.tsx';
import type { Shelf } from '#web/state/account/token-store.ts';
import { wall as wallWords } from '#web/strings/en/home/wall.ts';
import { type Asking, startAsking } from './asking.ts';

const QR_SIZE = 264;

type Props = {
  readonly shelf: Shelf;
  readonly onToken: (token: string) => void;
  /** The way for those who type a token. */
  readonly children: ComponentChildren;
};

/** Six digits and a QR code, for a person with a telephone. Nothing is typed on this screen. */
export function WallAsk({ shelf, onToken, children }: Props) {
  const { account } = useHub();
  const [{ state, code }, setAsking] = useState<Asking>({ state: 'busy', code: null });
  const [turn, setTurn] = useState(0);
  const name = proposedName(navigator.userAgent);
  useEffect(() => startAsking({ shelf, name, onChange: setAsking, onToken }), [turn]);
  return (
    <main class="wall-ask">
      <div class="wall-ask-text">
        <span class="gate-mark">
          <Icon name="hearth" size={44} />
        </span>
        <h1>{wallWords.askTitle}</h1>
        {account.wasEnded.value ? <Notice tone="danger" text={wallWords.refused} /> : null}
        {state === 'refused' ? (
          <>
            <Notice tone="warn" text={wallWords.wasRefused} />
            <button type="button" class="button button-main" onClick={() => setTurn(turn + 1)}>
              {wallWords.askAgain}
            </button>
          </>
        ) : (
          <ol class="wall-steps">
            {wallWords.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
        )}
        <p class="soft">{wallWords.thisScreen(name)}</p>
        <p class="soft" role="status">
          {state === 'open' || state === 'refused' ? '' : wallWords.states[state]}
        </p>
        <details class="more">
          <summary>{wallWords.byToken}</summary>
          {children}
        </details>
      </div>
      {code === null ? null : (
        <div class="wall-code">
          <QrCode text={`${location.origin}/wall_allow?code=${code}`} label={wallWords.qr} size={QR_SIZE} />
          <p class="wall-digits" aria-label={Array.from(code).join(' ')}>
            {`${code.slice(0, 3)} ${code.slice(3)}`}
          </p>
        </div>
      )}
    </main>
  );
}

/** The browser names a few machines as people do. */
function proposedName(userAgent: string): string {
  return /iPad|Kindle/.exec(userAgent)?.[0] ?? wallWords.title;
}
