import { HubProblem } from '#web/client/hub-problem.ts';
import { t } from './strings.ts';

/** A refusal of the hub, or its silence, in words for people. `device` is the name of the device it is about. */
export function problemWords(cause: HubProblem | TypeError, device = ''): string {
  if (!(cause instanceof HubProblem)) return t.problem.network;
  switch (cause.code) {
    case 'DEVICE_OFFLINE':
      return t.command.offline(device);
    case 'INTEGRATION_DOWN':
      return t.command.down(device);
    case 'FORBIDDEN':
      return t.problem.forbidden;
    case 'NOT_FOUND':
      return device === '' ? cause.message : t.command.gone(device);
    case 'OVERLOADED':
      return t.problem.busy;
    case 'RESTARTING':
      return t.problem.restarting;
    case 'TOO_MANY_REQUESTS':
      return t.login.wait(cause.retryAfterS ?? 1);
    case 'UNKNOWN':
      return t.problem.unknown;
    default:
      // The hub's own sentences are written for people.
      return cause.errors[0] === undefined ? cause.message : `${cause.message} ${cause.errors[0].message}.`;
  }
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
