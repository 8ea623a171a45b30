import type { FieldError, HubText } from '#web/client/api.ts';

/** The same with words in the place of texts of the hub. What is wrong with a field has words where it is shown. */
export type Worded<Value> = Value extends HubText
  ? string
  : Value extends FieldError
    ? Value
    : Value extends (...values: never[]) => unknown
      ? Value
      : Value extends object
        ? { readonly [Key in keyof Value]: Worded<Value[Key]> }
        : Value;

/**
 * Takes the English of the hub for words. It is for words functions alone, which have asked a table of the language
 * before, and for texts that a person, a device or another program wrote. `test/web/strings/hub-text.test.ts` lists who
 * calls it.
 */
export function inEnglish<Value>(said: Value): Worded<Value> {
  return said as Worded<Value>;
}
