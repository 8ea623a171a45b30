import type { CommandCall, Terminal } from '#cli/command.ts';
import { CliError, EXIT } from '#cli/exit-code.ts';
import { StringDecoder } from 'node:string_decoder';

const LIMIT = 4096;

/** Asks for a new password twice, without echo; with `--password-stdin` takes all of standard input. */
export async function readNewPassword({ flag, terminal }: CommandCall): Promise<string> {
  if (flag('password-stdin')) return await readWholeInput(terminal.input());
  if (!terminal.input().isTTY) {
    throw new CliError(EXIT.usage, 'there is no terminal to ask for the password: use --password-stdin');
  }
  const password = await ask(terminal, 'New password: ');
  if ((await ask(terminal, 'Again: ')) !== password) throw new CliError(EXIT.data, 'the two passwords differ');
  return password;
}

async function ask(terminal: Terminal, question: string): Promise<string> {
  // Echo is off before the question appears, so that a password pasted at once is not seen either.
  const answer = readHidden(terminal.input());
  terminal.prompt(question);
  try {
    return await answer;
  } finally {
    terminal.prompt('\n');
  }
}

/** A final line end is not part of the password: `echo` and editors add it. */
async function readWholeInput(input: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LIMIT) throw new CliError(EXIT.data, `the password is longer than ${LIMIT} bytes`);
    chunks.push(chunk);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch (cause) {
    throw new CliError(EXIT.data, 'the password is not UTF-8', cause);
  }
}

/** The part of a terminal that hidden input needs. */
export type HiddenInput = Pick<NodeJS.ReadStream, 'setRawMode' | 'on' | 'off' | 'resume' | 'pause' | 'unshift'>;

const [CTRL_C, CTRL_D, BACKSPACE, LINE_FEED, RETURN, CTRL_U, ESCAPE, DELETE] = [3, 4, 8, 10, 13, 21, 27, 127];

/**
 * Reads one line, typed or pasted, without echo. Leaves what follows the line end for the next read. Ctrl-C, and Ctrl-D
 * on an empty line, throw CliError 130. Restores the terminal in every case.
 */
export function readHidden(input: HiddenInput): Promise<string> {
  const decoder = new StringDecoder('utf8');
  const typed: string[] = [];
  let inEscape = false;
  return new Promise((resolve, reject) => {
    const finish = (settle: () => void): void => {
      input.off('data', onData).off('end', onEnd);
      input.setRawMode(false);
      input.pause();
      settle();
    };
    const cancel = (): void => finish(() => reject(new CliError(EXIT.interrupted, 'cancelled')));
    const onEnd = (): void => cancel();
    /** True when the line is complete. */
    const take = (character: string): boolean => {
      const code = character.codePointAt(0) ?? 0;
      if (inEscape) inEscape = !/[A-Za-z~]/.test(character);
      else if (code === LINE_FEED || code === RETURN) return true;
      else if (code === ESCAPE) inEscape = true;
      else if (code === BACKSPACE || code === DELETE) typed.pop();
      else if (code === CTRL_U) typed.length = 0;
      else if (code >= 32) typed.push(character);
      return false;
    };
    const onData = (chunk: Buffer): void => {
      const characters = Array.from(decoder.write(chunk));
      for (const [index, character] of characters.entries()) {
        const code = character.codePointAt(0);
        if (code === CTRL_C || (code === CTRL_D && typed.length === 0)) return cancel();
        if (!take(character)) continue;
        const rest = characters
          .slice(index + 1)
          .join('')
          .replace(/^\n/, '');
        return finish(() => {
          if (rest !== '') input.unshift(Buffer.from(rest));
          resolve(typed.join(''));
        });
      }
    };
    input.setRawMode(true);
    input.on('data', onData).on('end', onEnd);
    input.resume();
  });
}
