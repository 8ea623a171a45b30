import { parseJson } from '#base/json.ts';
import type { HistoryFinding } from '#core/hour/history-check.ts';
import type { CommandCall } from '#cli/command.ts';
import { EXIT, type ExitCode } from '#cli/exit-code.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';
import { describeFinding } from './finding.ts';

/** Reads all of the history, prints each finding as it comes, and returns 69 if something is wrong. */
export async function checkHistory(call: CommandCall): Promise<ExitCode> {
  const { terminal } = call;
  let hasFailed = false;
  await withHubAdmin(call, async (admin) => {
    for await (const line of linesOf(await admin.checkHistory({ repairs: call.flag('repair') }))) {
      // Both ends are the same program. An empty line says that the check goes on.
      const finding = parseJson(line) as unknown as HistoryFinding | undefined;
      if (finding === undefined) continue;
      hasFailed ||= finding.level === 'fail';
      describeFinding(finding).forEach(terminal.print);
    }
  });
  return hasFailed ? EXIT.unavailable : EXIT.ok;
}

/** No finding is as long. */
const MAX_LINE = 1024 ** 2;

async function* linesOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of content) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split('\n');
    text = lines.pop() ?? '';
    if (text.length > MAX_LINE) throw new Error('the hub sends a line that no finding has');
    yield* lines;
  }
}
