import { useEffect, useRef, useState } from 'preact/hooks';
import { HubProblem } from '#web/client/hub-problem.ts';
import { EmailField, TextField } from '#web/form/text-field.tsx';
import { type FieldFaults, missingFaults } from '#web/form/field-faults.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { usePageTitle } from '#web/parts/page-head.tsx';
import { problemWords } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { hubCommand } from '#web/state/account/account.ts';

/** The login page. */
export function LoginPage() {
  const { account } = useHub();
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const [missing, setMissing] = useState<FieldFaults>({});
  const waitS = useCountdown();
  const form = useRef<HTMLFormElement>(null);
  const hubName = account.hub.value?.name ?? pageWords.product;
  usePageTitle(pageWords.login.title(hubName));

  const logIn = async (): Promise<void> => {
    setIsBusy(true);
    setFault(null);
    try {
      await account.logIn({ email: email.trim(), password });
    } catch (cause) {
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      if (cause instanceof HubProblem && cause.code === 'TOO_MANY_REQUESTS') waitS.start(cause.retryAfterS ?? 1);
      else setFault(problemWords(cause));
      form.current?.querySelector<HTMLInputElement>('input[name=password]')?.select();
    } finally {
      setIsBusy(false);
    }
  };
  return (
    <main class="gate">
      <form
        ref={form}
        class="gate-card"
        method="post"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          const found = missingFaults({ email, password });
          setMissing(found ?? {});
          if (found !== undefined) {
            const first = found['email'] === undefined ? 'password' : 'email';
            form.current?.querySelector<HTMLInputElement>(`input[name=${first}]`)?.focus();
          } else if (!isBusy && waitS.left === 0) void logIn();
        }}
      >
        <span class="gate-mark">
          <Icon name="hearth" size={44} />
        </span>
        <h1>
          <bdi>{pageWords.login.title(hubName)}</bdi>
        </h1>
        {account.wasEnded.value ? <Notice text={pageWords.login.ended} /> : null}
        {fault === null && waitS.left === 0 ? null : (
          <Notice tone="danger" text={fault ?? pageWords.login.wait(waitS.left)} />
        )}
        <EmailField isOwn value={email} onValue={setEmail} error={missing['email']} />
        <TextField
          label={pageWords.field.password}
          type="password"
          autocomplete="current-password"
          value={password}
          onValue={setPassword}
          error={missing['password']}
          input={{ name: 'password' }}
        />
        <button type="submit" class="button button-main button-wide" aria-disabled={isBusy || waitS.left > 0}>
          {isBusy ? pageWords.login.busy : pageWords.login.submit}
        </button>
        <details class="help">
          <summary>{pageWords.login.forgot}</summary>
          <p>{pageWords.login.forgotText}</p>
          <code class="code">{pageWords.login.forgotCommand(hubCommand(), email.trim())}</code>
        </details>
      </form>
    </main>
  );
}

/** Counts the seconds of a wait down to 0. */
function useCountdown(): { readonly left: number; readonly start: (seconds: number) => void } {
  const [left, start] = useState(0);
  useEffect(() => {
    if (left === 0) return undefined;
    const timer = setTimeout(() => start(left - 1), 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return { left, start };
}
