import type { RefObject } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { HubProblem } from '#web/client/hub-problem.ts';
import { createTask, type RunningTask } from '#web/state/task.ts';
import { type FieldFaults, fieldFaults, missingFaults } from './field-faults.ts';

export type Form = {
  readonly element: RefObject<HTMLFormElement | null>;
  readonly isBusy: boolean;
  readonly faults: FieldFaults;
  /**
   * Runs the task if every needed field is filled in, and shows what the hub refuses. Does nothing while a task
   * runs.
   */
  readonly submit: (task: () => Promise<void>, needed?: Readonly<Record<string, string>>) => void;
  /** Shows what is wrong before anything is sent. */
  readonly show: (faults: FieldFaults) => void;
};

/** A field of a form takes the value that was entered, and what is wrong with it. */
export type Field<Value = string> = {
  readonly value: Value;
  readonly onValue: (value: Value) => void;
  readonly error: string | undefined;
};

/** Does nothing where no field is marked as wrong. */
export function focusFirstWrong(form: HTMLFormElement | null): void {
  form?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
}

/** A form whose fields are named as in the API. */
export function useForm(fields: readonly string[], fieldOfCode: Readonly<Record<string, string>> = {}): Form {
  const element = useRef<HTMLFormElement>(null);
  const { isRunning, run } = (useRef<RunningTask>(null).current ??= createTask());
  const [faults, setFaults] = useState<FieldFaults>({});
  // With its words, the first wrong field takes the focus, also for people who cannot see the page.
  useLayoutEffect(() => {
    if (Object.keys(faults).length > 0) focusFirstWrong(element.current);
  }, [faults]);
  const runAndShow = (task: () => Promise<void>): Promise<void> =>
    run(async () => {
      setFaults({});
      try {
        await task();
      } catch (cause) {
        if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
        setFaults(fieldFaults(cause, fields, fieldOfCode));
      }
    });
  return {
    element,
    isBusy: isRunning.value,
    faults,
    show: setFaults,
    submit: (task, needed = {}) => {
      if (isRunning.peek()) return;
      const missing = missingFaults(needed);
      if (missing === undefined) void runAndShow(task);
      else setFaults(missing);
    },
  };
}

/** One field of a form, under its name in the API. */
export function useField<Value>({ faults }: Pick<Form, 'faults'>, name: string, first: Value): Field<Value> {
  const [value, onValue] = useState(first);
  return { value, onValue, error: faults[name] };
}
