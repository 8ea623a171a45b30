import { useId, useState } from 'preact/hooks';
import { FieldError } from '#web/form/text-field.tsx';
import type { Json } from '#web/rule/sentence/json.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';

type Props = {
  readonly label: string;
  readonly value: Json;
  readonly onValue: (value: Json) => void;
  readonly rows?: number;
};

/** JSON as text. What is no JSON stays in the field and changes nothing. */
export function JsonField({ label, value, onValue, rows = 6 }: Props) {
  const id = useId();
  const written = JSON.stringify(value, null, 2);
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: string } | null>(null);
  // What is typed counts until the value changes by something else.
  const text = typed !== null && typed.of === written ? typed.text : written;
  const fault = faultOf(text);
  return (
    <div class="field">
      <label class="field-label" for={id}>
        {label}
      </label>
      <textarea
        id={id}
        class="input rule-json"
        rows={rows}
        spellcheck={false}
        autocapitalize="off"
        value={text}
        aria-invalid={fault !== undefined}
        aria-describedby={fault === undefined ? undefined : `${id}-error`}
        onInput={({ currentTarget }) => {
          const next = currentTarget.value;
          if (faultOf(next) !== undefined) return setTyped({ text: next, of: written });
          const parsed = JSON.parse(next) as Json;
          setTyped({ text: next, of: JSON.stringify(parsed, null, 2) });
          return onValue(parsed);
        }}
      />
      <FieldError id={`${id}-error`} text={fault} />
    </div>
  );
}

function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return editorWords.badJson(cause.message);
  }
}
