import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';

type Props = {
  readonly label: string;
  readonly value: string;
  /** It came in the place of what had the focus. */
  readonly hasFocus?: boolean;
};

/** A text with a button that copies it. `navigator.clipboard` is missing over plain http, `execCommand` is not. */
export function CopyField({ label, value, hasFocus = true }: Props) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  useEffect(() => (hasFocus ? input.current?.focus() : undefined), []);
  const copy = (): void => {
    input.current?.select();
    setOutcome(document.execCommand('copy') ? settingsWords.copied : settingsWords.copyByHand);
  };
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <div class="copy-box">
        <input
          ref={input}
          id={id}
          class="input copy-text"
          readOnly
          value={value}
          onFocus={() => input.current?.select()}
        />
        <button type="button" class="button" onClick={copy}>
          {settingsWords.copy}
        </button>
      </div>
      <p class="field-hint" role="status">
        {outcome}
      </p>
    </div>
  );
}
