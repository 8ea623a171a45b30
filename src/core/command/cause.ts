/**
 * Why a command was given, or why a value changed. Each member is an id or `null`. In a command, `command` is the one
 * that it undoes; in a change, the one that the change answers.
 */
export type Cause = {
  readonly command: string | null;
  readonly scene: string | null;
  readonly automation: string | null;
  /** Of the automation. */
  readonly run: string | null;
  /** How many automations came one after the other before this. */
  readonly depth: number;
};

/** A person or a script gave the command itself. */
export const DIRECT: Cause = { command: null, scene: null, automation: null, run: null, depth: 0 };

/** The cause of what a command changes. */
export function causeBy({ id, cause }: { readonly id: string; readonly cause: Cause }): Cause {
  return { ...cause, command: id };
}
