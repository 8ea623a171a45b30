import type { ComponentChildren, InputHTMLAttributes } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { LIMITS } from '#web/client/vocabulary.ts';
import { Icon } from '#web/parts/icon.tsx';
import { page as pageWords } from '#web/strings/en/page.ts';

type Props = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly onBlur?: () => void;
  readonly hint?: ComponentChildren;
  readonly error?: string | undefined;
  readonly type?: 'text' | 'email' | 'password' | 'time' | 'date';
  readonly autocomplete?: 'username' | 'current-password' | 'new-password' | 'one-time-code' | 'name' | 'off';
  readonly input?: {
    readonly name?: string;
    readonly maxLength?: number;
    readonly placeholder?: string;
    readonly autocapitalize?: 'off' | 'characters';
    readonly spellcheck?: boolean;
    readonly inputMode?: 'email' | 'numeric' | 'decimal' | 'url';
  };
  readonly children?: ComponentChildren;
  /** Takes the focus when it appears, because a choice of the person asked for it. */
  readonly takesFocus?: boolean;
};

/** The hub takes names up to this length. */
export const NAME_INPUT = { maxLength: LIMITS.name };

/** One line of text with its label, hint and error; a password can be shown. */
export function TextField({
  label,
  value,
  onValue,
  onBlur,
  hint,
  error,
  type = 'text',
  autocomplete,
  input,
  children,
  takesFocus = false,
}: Props) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) field.current?.focus();
  }, [takesFocus]);
  const [isShown, setIsShown] = useState(false);
  const isPassword = type === 'password';
  const described = [hint === undefined ? '' : `${id}-hint`, error === undefined ? '' : `${id}-error`].join(' ').trim();
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <div class="field-box">
        <input
          {...input}
          ref={field}
          id={id}
          class={isPassword ? 'input input-with-button' : 'input'}
          {...({ type: isPassword && isShown ? 'text' : type } as InputHTMLAttributes)}
          value={value}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
          onBlur={onBlur}
          autocomplete={autocomplete ?? 'off'}
          aria-invalid={error !== undefined}
          aria-describedby={described === '' ? undefined : described}
        />
        {isPassword ? (
          <button
            type="button"
            class="button button-plain button-icon"
            aria-label={isShown ? pageWords.field.hidePassword : pageWords.field.showPassword}
            onClick={() => setIsShown(!isShown)}
          >
            <Icon name={isShown ? 'eyeOff' : 'eye'} />
          </button>
        ) : null}
      </div>
      {children}
      {hint === undefined ? null : (
        <p class="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <FieldError id={`${id}-error`} text={error} />
    </div>
  );
}

/** A screen reader announces it when it appears. */
export function FieldError({ id, text }: { readonly id?: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <p class="field-error" id={id} role="alert">
      <Icon name="warning" size={16} />
      <span>{text}</span>
    </p>
  );
}

type EmailProps = Pick<Props, 'value' | 'onValue' | 'error'> & {
  /** For the person at the page: the browser fills it in and remembers it. */
  readonly isOwn?: boolean;
};

/** A telephone shows the keyboard for addresses and corrects nothing. */
export function EmailField({ isOwn = false, ...field }: EmailProps) {
  return (
    <TextField
      {...field}
      label={pageWords.field.email}
      type="email"
      {...(isOwn ? { autocomplete: 'username' as const } : {})}
      input={{
        ...(isOwn ? { name: 'email' } : {}),
        autocapitalize: 'off',
        spellcheck: false,
        inputMode: 'email',
      }}
    />
  );
}
