import { useRef, useState } from 'preact/hooks';
import { HubProblem } from '#web/client/hub-problem.ts';
import { LIMITS } from '#web/client/vocabulary.ts';
import { useHub } from '#web/hub.ts';
import { problemText } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { TextField } from './text-field.tsx';

const { leastPassword: NEEDED } = LIMITS;

type Props = {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly error: string | undefined;
  readonly label?: string;
  /** The person whose password it is, if it is not one's own: the hub refuses passwords that contain their name. */
  readonly of?: { readonly name: string; readonly email: string };
};
/** The hub's answer about a password; `fault` is absent if the password is allowed. */
type Verdict = { readonly value: string; readonly fault?: string };

/** A field for a new password. It shows the length while one types; the hub decides whether the password is good. */
export function NewPasswordField({ value, onValue, error, label = pageWords.field.password, of }: Props) {
  const { account, client } = useHub();
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  // A refusal belongs to the password that was in the field when it came.
  const refused = useRef<Verdict>({ value: '' });
  if (refused.current.fault !== error) refused.current = { value, ...(error === undefined ? {} : { fault: error }) };
  const said = [refused.current, verdict].find((one) => one?.fault !== undefined && one.value === value)?.fault;

  const length = Array.from(value.normalize('NFC')).length;
  const isGood = verdict?.value === value && verdict.fault === undefined;
  const check = async (): Promise<void> => {
    // The check needs a login. During the setup the form itself reports a bad password.
    if (length < NEEDED || verdict?.value === value || account.phase.peek() !== 'signed_in') return;
    try {
      await client.call('POST', '/me/password/check', { password: value, ...nameOf(of) });
      setVerdict({ value });
    } catch (cause) {
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      if (cause instanceof HubProblem && cause.status === 422) setVerdict({ value, fault: problemText(cause) });
    }
  };
  const words = length === 0 ? pageWords.field.passwordHint : pageWords.field.passwordMeter(length, NEEDED);
  return (
    <TextField
      label={label}
      type="password"
      autocomplete="new-password"
      input={{ name: 'password' }}
      value={value}
      onValue={onValue}
      onBlur={() => void check()}
      error={said}
      hint={said === undefined ? (isGood ? pageWords.field.passwordGood(length) : words) : undefined}
    >
      {said === undefined ? (
        <div class="meter" aria-hidden="true">
          <div class="meter-fill" data-full={isGood} style={{ transform: `scaleX(${Math.min(1, length / NEEDED)})` }} />
        </div>
      ) : null}
    </TextField>
  );
}

/** Names are cut to what the API takes. */
function nameOf(of: Props['of']): { name?: string; email?: string } {
  if (of === undefined) return {};
  return { name: of.name.trim().slice(0, LIMITS.name), email: of.email.trim().slice(0, LIMITS.email) };
}
