import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { HubProblem } from '#web/client/hub-problem.ts';
import { type FieldFaults, fieldFaults, missingFaults } from '#web/strings/field-faults.ts';

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
