import { HubProblem } from '#web/client/hub-problem.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { NewPasswordField } from '#web/form/new-password-field.tsx';
import { EmailField, NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { usePageTitle } from '#web/parts/page-head.tsx';
import { page as pageWords } from '#web/strings/en/page.ts';
import { FirstSteps } from './first-steps.tsx';
import { hubCommand } from '#web/state/account/account.ts';

const FIELDS = ['claim_code', 'name', 'email', 'password'];

/** The first step of a new hub: the person with the claim code becomes the owner. */
export function SetupPage() {
  const { account, router } = useHub();
  const form = useForm(FIELDS, { INVALID_CLAIM_CODE: 'claim_code' });
  const claimCode = useField(form, 'claim_code', '');
  const name = useField(form, 'name', '');
  const email = useField(form, 'email', '');
  const password = useField(form, 'password', '');
  const { isBusy, faults } = form;
  usePageTitle(pageWords.setup.title);

  const setUp = async (): Promise<void> => {
    const owner = {
      claimCode: claimCode.value,
      email: email.value.trim(),
      password: password.value,
      ...(name.value.trim() === '' ? {} : { name: name.value.trim() }),
    };
    try {
      await account.setUp(owner, () => router.go('/welcome', 'replace'));
    } catch (cause) {
      // Another person claimed the hub first: this one has to log in.
      if (cause instanceof HubProblem && cause.code === 'ALREADY_CLAIMED') await account.look();
      throw cause;
    }
  };
  return (
    <main class="gate">
      <FormFrame
        form={form}
        class="gate-card"
        onSubmit={() =>
          form.submit(setUp, { claim_code: claimCode.value, email: email.value, password: password.value })
        }
      >
        <span class="gate-mark">
          <Icon name="hearth" size={44} />
        </span>
        <FirstSteps present="you" />
        <h1>{pageWords.setup.title}</h1>
        <p class="soft">{pageWords.setup.intro}</p>
        {faults['all'] === undefined ? null : <Notice tone="danger" text={faults['all']} />}
        <TextField
          label={pageWords.setup.claimCode}
          {...claimCode}
          onValue={(text) => claimCode.onValue(spelledCode(text))}
          hint={
            <>
              {pageWords.setup.claimCodeHint} <code class="code">{pageWords.setup.claimCommand(hubCommand())}</code>
            </>
          }
          autocomplete="one-time-code"
          input={{ placeholder: 'XXXX-XXXX', autocapitalize: 'characters', spellcheck: false }}
        />
        <TextField
          label={pageWords.setup.name}
          hint={pageWords.setup.nameHint}
          {...name}
          autocomplete="name"
          input={NAME_INPUT}
        />
        <EmailField isOwn {...email} />
        <NewPasswordField {...password} />
        <button type="submit" class="button button-main button-wide" aria-disabled={isBusy}>
          {isBusy ? pageWords.setup.busy : pageWords.setup.submit}
        </button>
      </FormFrame>
    </main>
  );
}

/** Written as the hub shows it: capitals with a hyphen in the middle. */
function spelledCode(text: string): string {
  const letters = text
    .toUpperCase()
    .replace(/[^0-9A-Z]/g, '')
    .slice(0, 8);
  return letters.length > 4 ? `${letters.slice(0, 4)}-${letters.slice(4)}` : letters;
}
