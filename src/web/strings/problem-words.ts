import type { FieldError, HubText } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { hub } from '#web/strings/en/hub/hub.ts';
import { ended } from '#web/strings/language/grammar.ts';
import { inEnglish } from './hub-text.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** A refusal of the hub, or its silence, in words for people. `device` is the name of the device it is about. */
export function problemWords(cause: HubProblem | TypeError, device = ''): string {
  if (!(cause instanceof HubProblem)) return pageWords.problem.network;
  if (cause.words !== undefined) return cause.words;
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

type Result = { readonly reason?: HubText | null; readonly code?: string | null };

/** Why a part of a command did not end well; `undefined` where its status says it all. */
export function resultWords(
  { reason, code }: Result,
  { problem }: Pick<typeof hub, 'problem'> = hub,
): string | undefined {
  if (code === undefined || code === null) return undefined;
  return problem(code) ?? inEnglish(reason) ?? undefined;
}

/** Whether the device was so already, and got no command. */
export function isUnchanged({ reason }: Result): boolean {
  return inEnglish(reason) === 'unchanged';
}

/** By its code; in English, and for what has no words here, in the hub's own, which are written for people. */
export function problemText({ code, text, reason, words }: HubProblem): string {
  return words ?? hub.problem(code, reason) ?? inEnglish(text) ?? pageWords.problem.unknown;
}

/** Says what is wrong with a field, without the field. */
export function fieldText({ code, message, reason }: Omit<FieldError, 'pointer'>): string {
  return hub.fault(code, reason) ?? inEnglish(message);
}

function sentenceOf(cause: HubProblem): string {
  const [first] = cause.errors;
  return first === undefined ? problemText(cause) : `${problemText(cause)} ${ended(fieldText(first))}`;
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
