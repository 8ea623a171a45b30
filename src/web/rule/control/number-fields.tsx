import { useState } from 'preact/hooks';
import { numberFrom } from '#web/form/number-from.ts';
import { SelectField } from '#web/form/select-field.tsx';
import { TextField } from '#web/form/text-field.tsx';
import type { Json } from '#web/rule/sentence/json.ts';
import { lastOf } from '#web/since-2021.ts';
import { ruleEditor as editorWords } from '#web/strings/en/rule/editor.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

type NumberProps = {
  readonly label: string;
  readonly value: Json | undefined;
  readonly unit: string | null;
  readonly onValue: (value: Json) => void;
  readonly onEmpty?: () => void;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
};

/** A number with the unit of what it is about. What is no number goes to the hub, which says what is wrong with it. */
export function NumberField({ label, value, unit, onValue, onEmpty, hint, error }: NumberProps) {
  const [text, setText] = useState(typeof value === 'number' || typeof value === 'string' ? String(value) : '');
  const sign = unit === null ? '' : (pageWords.units[unit] ?? unit);
  return (
    <TextField
      label={sign === '' ? label : editorWords.inUnit(label, sign)}
      value={text}
      input={{ inputMode: 'decimal' }}
      hint={hint}
      error={error}
      onValue={(next) => {
        setText(next);
        const number = numberFrom(next);
        if (number !== null) onValue(number);
        else onEmpty?.();
      }}
    />
  );
}

const UNITS_S = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
type Unit = keyof typeof UNITS_S;
const UNITS = Object.keys(UNITS_S) as readonly Unit[];

type LengthProps = Pick<NumberProps, 'label' | 'value' | 'onValue'> & {
  readonly unit: 'seconds' | 'ms' | 'offset';
  readonly min: number;
};

/** A length of time in the unit that people would say, and for moments of the sun whether it is before or after. */
export function LengthField({ label, unit, value, onValue }: LengthProps) {
  const given = typeof value === 'number' ? value : 0;
  const seconds = Math.abs(unit === 'ms' ? given / 1000 : given);
  const [own, setOwn] = useState<Unit>(
    () => lastOf(UNITS.filter((one) => seconds >= UNITS_S[one] && seconds % UNITS_S[one] === 0)) ?? 'seconds',
  );
  const [text, setText] = useState(String(seconds / UNITS_S[own]));
  // Zero on the way to `0.5` has no sign to tell it by.
  const [isBefore, setIsBefore] = useState(given < 0);
  const give = (amount: string, in_: Unit, before: boolean): void => {
    const number = numberFrom(amount);
    if (typeof number !== 'number') return;
    const length = number * UNITS_S[in_] * (unit === 'ms' ? 1000 : 1);
    onValue(before ? 0 - length : length);
  };
  return (
    <div class="rule-length">
      <TextField
        label={label}
        value={text}
        input={{ inputMode: 'decimal' }}
        onValue={(next) => {
          setText(next);
          give(next, own, isBefore);
        }}
      />
      <SelectField
        label={editorWords.unit}
        value={own}
        options={UNITS.map((one) => [one, editorWords.units[one]])}
        onValue={(next) => {
          setOwn(next as Unit);
          give(text, next as Unit, isBefore);
        }}
      />
      {unit === 'offset' ? (
        <SelectField
          label={editorWords.direction}
          value={isBefore ? 'before' : 'after'}
          options={[
            ['before', editorWords.before],
            ['after', editorWords.after],
          ]}
          onValue={(next) => {
            setIsBefore(next === 'before');
            give(text, own, next === 'before');
          }}
        />
      ) : null}
    </div>
  );
}
