import type { Command, CommandResult } from '#web/client/api.ts';
import type { HubClient } from '#web/client/hub-client.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { problemWords, resultWords } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import type { CommandEnds, Ended } from './command-ends.ts';
import type { Messages } from './messages.ts';

/**
 * A line about each command for several devices: how many confirmed it, which did not and why, and the way back. Its
 * undo takes the place of the line, and no other command does.
 */
export type CommandBar = ReturnType<typeof createCommandBar>;

type Deps = {
  readonly client: Pick<HubClient, 'give'>;
  readonly messages: Messages;
  readonly ends: CommandEnds;
  readonly nameOf: (selector: string) => string;
  readonly onNoAnswer: () => void;
};

const WAIT_S = 2;
const MOST_LINES = 4;

type Given = {
  readonly title: string;
  readonly path: string;
  readonly body?: object | undefined;
  /** Where a refusal is shown; a new line if absent. */
  readonly line?: string;
};

export function createCommandBar({ client, messages, ends, nameOf, onNoAnswer }: Deps) {
  const show = (title: string, command: Command): void => {
    const { id } = command;
    const canUndo = command.cause.command === null;
    let isUndone = false;
    const takeBack = (): void => {
      isUndone = true;
      void undo(id);
    };
    const write = (now: Ended, isOver: boolean): void => {
      if (isUndone) return;
      const { confirmed, of, notes } = outcomeOf(now, canUndo, nameOf);
      const rest = notes.length - MOST_LINES;
      const line = pageWords.bar.line(title, confirmed, of);
      messages.show(isOver ? line : pageWords.bar.soFar(line), isOver && confirmed < of ? 'danger' : 'plain', {
        key: lineOf(command.cause.command ?? id),
        details: isOver ? [...notes.slice(0, MOST_LINES), ...(rest > 0 ? [pageWords.bar.more(rest)] : [])] : [],
        action: canUndo && of > 0 ? { label: pageWords.bar.undo, run: takeBack } : null,
      });
    };
    let isOver = false;
    ends.await(command, (ended) => {
      isOver = true;
      write(ended, true);
    });
    if (!isOver) write(command, false);
  };
  const give = async ({ title, path, body, line }: Given): Promise<Command | undefined> => {
    try {
      const command = await client.give(path, body, WAIT_S);
      show(title, command);
      return command;
    } catch (cause) {
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      const isSilent = cause instanceof TypeError;
      messages.show(isSilent ? pageWords.command.noAnswer : problemWords(cause), 'danger', { key: line ?? null });
      if (isSilent) onNoAnswer();
      return undefined;
    }
  };
  const undo = (id: string): Promise<Command | undefined> =>
    give({ title: pageWords.bar.undone, path: `/command/${id}/undo`, line: lineOf(id) });
  return {
    /** Gives the command of a call, and shows its line. Resolves with the first answer, `undefined` after a refusal. */
    run: (title: string, path: string, body?: object): Promise<Command | undefined> => give({ title, path, body }),
    /** Shows the line of a command that was given elsewhere. */
    show,
    undo,
  };
}

/** The key of the line that a command and its undo share. */
function lineOf(command: string): string {
  return `command ${command}`;
}

type Outcome = { readonly confirmed: number; readonly of: number; readonly notes: readonly string[] };

/**
 * Counts devices: one has confirmed if all that was asked of it is confirmed. What an undo leaves as it is was not asked
 * of the device.
 */
function outcomeOf({ results }: Ended, isFirst: boolean, nameOf: (selector: string) => string): Outcome {
  const byDevice = new Map<string, CommandResult>();
  const isLeft = ({ status }: CommandResult): boolean => !isFirst && status === 'superseded';
  for (const result of results) {
    const worst = byDevice.get(result.device ?? '');
    const isWorse = worst === undefined || isLeft(worst) || (worst.status === 'confirmed' && !isLeft(result));
    if (isWorse) byDevice.set(result.device ?? '', result);
  }
  const all = [...byDevice];
  const asked = all.filter(([, result]) => !isLeft(result));
  return {
    confirmed: asked.filter(([, { status }]) => status === 'confirmed').length,
    of: asked.length,
    notes: all
      .filter(([, { status }]) => status !== 'confirmed')
      .map(([selector, result]) => {
        const { status } = result;
        return pageWords.bar.failure(nameOf(selector), resultWords(result) ?? pageWords.bar.ends[status] ?? status);
      }),
  };
}
