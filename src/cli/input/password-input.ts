import type { CommandCall, Terminal } from '#cli/command.ts';
import { CliError, EXIT } from '#cli/exit-code.ts';
import { readHidden } from './hidden-input.ts';

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
