import { ifThere, isText, listOf, oneOf, recordOf } from '#core/records/record-check.ts';
import type { Issuer } from './issuer.ts';

/**
 * Why a command was given, or why a value changed. Each member is an id or `null`. In a command, `command` is the one
 * that it undoes; in a change, the one that the change answers.
 */
export type Cause = {
  readonly command: string | null;
  readonly scene: string | null;
  readonly automation: string | null;
  readonly run: string | null;
  /** How many automations came one after the other before this. */
  readonly depth: number;
  /** Who led to it, of those whose rights are asked beside those of a signer. Absent: nobody. */
  readonly callers?: readonly CauseCaller[];
};

/**
 * An API token moves nothing sensitive without the right, be it by what it changes. A person (`user`) is asked only for
 * what they started by its name, at each of its steps: what they change by hand acts as the signers of automations wrote it.
 */
export type CauseCaller = { readonly type: 'api_token' | 'user'; readonly id: string };

/** The callers of a stored cause; most causes have none. */
export const areCallers = ifThere(listOf(recordOf<CauseCaller>({ type: oneOf(['api_token', 'user']), id: isText })));

/** A person or a script gave the command itself. */
export const DIRECT: Cause = { command: null, scene: null, automation: null, run: null, depth: 0 };

/** The cause of what a command changes. */
export function causeBy({ id, cause }: { readonly id: string; readonly cause: Cause }): Cause {
  return { ...cause, command: id };
}

/** The same cause, with these callers too: none is left out, because any of them may lack a right. */
export function ledBy(cause: Cause, callers: readonly CauseCaller[] = []): Cause {
  const known = cause.callers ?? [];
  const news = callers.filter((one) => !known.some(({ type, id }) => type === one.type && id === one.id));
  return news.length === 0 ? cause : { ...cause, callers: [...known, ...news] };
}

/**
 * The cause of a command, or of a change of what people set, where the hub accepts it. All that follows from it
 * follows from the API tokens in it.
 */
export function acceptedCause(issuer: Issuer | null, cause: Cause): Cause {
  const tokens = (cause.callers ?? []).filter(({ type }) => type === 'api_token');
  const { callers: _, ...plain } = cause;
  return ledBy(plain, [...tokens, ...tokenOf(issuer)]);
}

/** The same for a change that may come of nothing but a hand, or of a script: `null` where nothing can be said of it. */
export function changeCause(issuer: Issuer | null, cause: Cause | null): Cause | null {
  const accepted = acceptedCause(issuer, cause ?? DIRECT);
  return cause === null && accepted.callers === undefined ? null : accepted;
}

function tokenOf(issuer: Issuer | null): readonly CauseCaller[] {
  const id = issuer?.type === 'api_token' ? issuer.id : issuer?.token;
  return id === undefined ? [] : [{ type: 'api_token', id }];
}
