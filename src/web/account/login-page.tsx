import { useEffect, useState } from 'preact/hooks';
import { HubProblem } from '#web/client/hub-problem.ts';
import { EmailField, TextField } from '#web/form/text-field.tsx';
import { FormFrame } from '#web/form/form-frame.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { usePageTitle } from '#web/parts/page-head.tsx';
import { page as pageWords } from '#web/strings/en/page.ts';
import { hubCommand } from '#web/state/account/account.ts';

/** The login page. */
export function LoginPage() {
  const { account } = useHub();
  const waitS = useCountdown();
  const form = useForm([]);
  const email = useField(form, 'email', '');
  const password = useField(form, 'password', '');
  const hubName = account.hub.value?.name ?? pageWords.product;
  usePageTitle(pageWords.login.title(hubName));

  const logIn = async (): Promise<void> => {
    try {
      await account.logIn({ email: email.value.trim(), password: password.value });
    } catch (cause) {
      form.element.current?.querySelector<HTMLInputElement>('input[name=password]')?.select();
      if (!(cause instanceof HubProblem) || cause.code !== 'TOO_MANY_REQUESTS') throw cause;
      waitS.start(cause.retryAfterS ?? 1);
    }
  };
  const { isBusy, faults } = form;
  return (
    <main class="gate">
      <FormFrame
        form={form}
        class="gate-card"
        onSubmit={() => {
          if (waitS.left === 0) form.submit(logIn, { email: email.value, password: password.value });
        }}
      >
        <span class="gate-mark">
          <Icon name="hearth" size={44} />
        </span>
        <h1>
          <bdi>{pageWords.login.title(hubName)}</bdi>
        </h1>
        {account.wasEnded.value ? <Notice text={pageWords.login.ended} /> : null}
        {faults['all'] === undefined && waitS.left === 0 ? null : (
          <Notice tone="danger" text={faults['all'] ?? pageWords.login.wait(waitS.left)} />
        )}
        <EmailField isOwn {...email} />
        <TextField
          label={pageWords.field.password}
          type="password"
          autocomplete="current-password"
          {...password}
          input={{ name: 'password' }}
        />
        <button type="submit" class="button button-main button-wide" aria-disabled={isBusy || waitS.left > 0}>
          {isBusy ? pageWords.login.busy : pageWords.login.submit}
        </button>
        <details class="help">
          <summary>{pageWords.login.forgot}</summary>
          <p>{pageWords.login.forgotText}</p>
          <code class="code">{pageWords.login.forgotCommand(hubCommand(), email.value.trim())}</code>
        </details>
      </FormFrame>
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
