import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { HubProblem } from '#web/client/hub-problem.ts';
import { problemWords } from '#web/strings/problem-words.ts';
import { t } from '#web/strings/strings.ts';

export type Form = {
  readonly element: RefObject<HTMLFormElement | null>;
  readonly isBusy: boolean;
  readonly faults: FieldFaults;
  /**
   * Runs the task, and shows what the hub refused of it, where all that is needed is filled in. Does nothing while one
   * runs.
   */
  readonly submit: (task: () => Promise<void>, needed?: Readonly<Record<string, string>>) => void;
};

/** A form whose fields have the names that the API gives them. */
export function useForm(fields: readonly string[], fieldOfCode: Readonly<Record<string, string>> = {}): Form {
  const element = useRef<HTMLFormElement>(null);
  const [isBusy, setIsBusy] = useState(false);
  const [faults, setFaults] = useState<FieldFaults>({});
  const show = (found: FieldFaults): void => {
    setFaults(found);
    // Once they are drawn: whoever cannot see the page is brought to the first field that is wrong.
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

/** By field; `all` for what belongs to none of them. */
export type FieldFaults = Readonly<Record<string, string | undefined>>;

/** Each fault at its field, where the form has that. `fieldOfCode` says where those belong that name no field. */
export function fieldFaults(
  cause: HubProblem | TypeError,
  fields: readonly string[],
  fieldOfCode: Readonly<Record<string, string>> = {},
): FieldFaults {
  if (!(cause instanceof HubProblem)) return { all: problemWords(cause) };
  const own = fieldOfCode[cause.code];
  if (own !== undefined) return { [own]: cause.message };
  const found = cause.errors.map(({ pointer, message }) => [pointer.split('/')[1] ?? '', sentence(message)] as const);
  const known = found.filter(([name]) => fields.includes(name));
  return known.length > 0 ? Object.fromEntries(known) : { all: problemWords(cause) };
}

/** What has to be filled in and is not; nothing where all is. */
export function missingFaults(needed: Readonly<Record<string, string>>): FieldFaults | undefined {
  const missing = Object.keys(needed).filter((name) => needed[name]?.trim() === '');
  return missing.length === 0 ? undefined : Object.fromEntries(missing.map((name) => [name, t.field.required]));
}

function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}
