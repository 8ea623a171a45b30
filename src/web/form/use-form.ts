import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { FieldError } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { problemWords } from '#web/strings/problem-words.ts';
import { t } from '#web/strings/strings.ts';

export type Form = {
  readonly element: RefObject<HTMLFormElement | null>;
  readonly isBusy: boolean;
  readonly faults: FieldFaults;
  /**
   * Runs the task if every needed field is filled in, and shows what the hub refuses. Does nothing while a task
   * runs.
   */
  readonly submit: (task: () => Promise<void>, needed?: Readonly<Record<string, string>>) => void;
};

/** A form whose fields are named as in the API. */
export function useForm(fields: readonly string[], fieldOfCode: Readonly<Record<string, string>> = {}): Form {
  const element = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [faults, setFaults] = useState<FieldFaults>({});
  const show = (found: FieldFaults): void => {
    setFaults(found);
    // After drawing: the first wrong field takes the focus, also for people who cannot see the page.
    requestAnimationFrame(() => element.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus());
  };
  const run = async (task: () => Promise<void>): Promise<void> => {
    setIsBusy(true);
    setFaults({});
    try {
      await task();
    } catch (cause) {
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      show(fieldFaults(cause, fields, fieldOfCode));
    } finally {
      setIsBusy(false);
    }
  };
  return {
    element,
    isBusy,
    faults,
    submit: (task, needed = {}) => {
      if (isBusy) return;
      const missing = missingFaults(needed);
      if (missing === undefined) void run(task);
      else show(missing);
    },
  };
}

/** By field; `all` for faults that belong to no field. */
export type FieldFaults = Readonly<Record<string, string | undefined>>;

/** Puts each fault at its field, if the form has it. `fieldOfCode` gives the field of problems that name none. */
export function fieldFaults(
  cause: HubProblem | TypeError,
  fields: readonly string[],
  fieldOfCode: Readonly<Record<string, string>> = {},
): FieldFaults {
  if (!(cause instanceof HubProblem)) return { all: problemWords(cause) };
  const own = fieldOfCode[cause.code];
  if (own !== undefined) return { [own]: cause.message };
  const found = cause.errors.map((error) => [fieldOf(error, fields), fieldWords(error)] as const);
  const known = found.filter(([name]) => name !== undefined);
  return known.length > 0 ? Object.fromEntries(known) : { all: problemWords(cause) };
}

/** A fault for each needed field that is empty; `undefined` if none is. */
export function missingFaults(needed: Readonly<Record<string, string>>): FieldFaults | undefined {
  const missing = Object.keys(needed).filter((name) => needed[name]?.trim() === '');
  return missing.length === 0 ? undefined : Object.fromEntries(missing.map((name) => [name, t.field.required]));
}

/** The field of the form that the pointer leads to: `/name`, or below `/settings`. */
function fieldOf({ pointer }: FieldError, fields: readonly string[]): string | undefined {
  const [, first = '', second = ''] = pointer.split('/');
  return [first === 'settings' ? second : first].find((name) => fields.includes(name));
}

/** What is wrong with a field, as a sentence. */
export function fieldWords({ code, message: text }: Pick<FieldError, 'code' | 'message'>): string {
  if (code === 'REQUIRED' && text === 'is required') return t.field.required;
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
