import { createInterface } from 'node:readline';
import type { CommandCall } from '#cli/command.ts';
import { CliError, EXIT } from '#cli/exit-code.ts';

/** Returns only if the person said yes, here or by `--yes`. */
export async function confirm({ flag, terminal }: CommandCall, question: string): Promise<void> {
  if (flag('yes')) return;
  if (!terminal.input().isTTY)
    throw new CliError(EXIT.usage, 'there is no terminal to ask you: add --yes to say that you are sure');
  terminal.prompt(`${question} [y/N] `);
  const lines = createInterface({ input: terminal.input(), terminal: false });
  const answer = await new Promise<string>((resolve) => {
    lines.once('line', resolve);
    lines.once('close', () => resolve(''));
  });
  lines.close();
  if (!/^y(es)?$/i.test(answer.trim())) throw new CliError(EXIT.usage, 'nothing was done');
}
