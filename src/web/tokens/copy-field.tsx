import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { s } from '#web/strings/settings-strings.ts';

/** A text to take along. `navigator.clipboard` is not there on a page that came over plain http: the old way is. */
export function CopyField({ label, value }: { readonly label: string; readonly value: string }) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [outcome, setOutcome] = useState('');
  // What there was before is gone with the focus: it goes on here.
  useEffect(() => input.current?.focus(), []);
  const copy = (): void => {
    input.current?.select();
    setOutcome(document.execCommand('copy') ? s.copied : s.copyByHand);
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
          {s.copy}
        </button>
      </div>
      <p class="field-hint" role="status">
        {outcome}
      </p>
    </div>
  );
}
