import type { CommandResult } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { hub } from '#web/strings/en/hub/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** A refusal of the hub, or its silence, in words for people. `device` is the name of the device it is about. */
export function problemWords(cause: HubProblem | TypeError, device = ''): string {
  if (!(cause instanceof HubProblem)) return pageWords.problem.network;
  switch (cause.code) {
    case 'DEVICE_OFFLINE':
      return pageWords.command.offline(device);
    case 'INTEGRATION_DOWN':
      return pageWords.command.down(device);
    case 'FORBIDDEN':
      return pageWords.problem.forbidden;
    case 'NOT_FOUND':
      return device === '' ? sentenceOf(cause) : pageWords.command.gone(device);
    case 'OVERLOADED':
      return pageWords.problem.busy;
    case 'RESTARTING':
      return pageWords.problem.restarting;
    case 'TOO_MANY_REQUESTS':
      return pageWords.login.wait(cause.retryAfterS ?? 1);
    case 'UNKNOWN':
      return pageWords.problem.unknown;
    default:
      return sentenceOf(cause);
  }
}

/** Why a part of a command did not end well; `undefined` if the hub does not say. */
export function resultWords(
  { reason, code }: Pick<CommandResult, 'reason' | 'code'>,
  { problem }: Pick<typeof hub, 'problem'> = hub,
): string | undefined {
  return code === undefined ? reason : (problem(code) ?? reason);
}

/** By its code; in English, and for what has no words here, in the hub's own, which are written for people. */
function sentenceOf({ code, message, reason, errors: [first] }: HubProblem): string {
  const known = hub.problem(code, reason);
  if (first === undefined) return known ?? message;
  const fault = hub.fault(first.code, first.reason);
  return known === undefined || fault === undefined ? `${message} ${first.message}.` : `${known} ${fault}`;
}

/** Runs a task that the hub may refuse. Returns the words for a refusal, `undefined` for success. */
export async function wordsIfRefused(task: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await task();
    return undefined;
  } catch (cause) {
    if (cause instanceof HubProblem || cause instanceof TypeError) return problemWords(cause);
    throw cause;
  }
}
