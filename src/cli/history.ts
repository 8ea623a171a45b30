import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable } from 'node:stream';
import { HubError } from '#base/hub-error.ts';
import { EXPORT_FORMATS } from '#core/past/archive/archive-export.ts';
import { ARCHIVE_FORMATS, type ArchiveFormat } from '#core/past/archive/sample-text.ts';
import { findFileUser, runOnFileAs } from '#cli/input/named-file.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';
import type { CommandCall } from './command.ts';
import { CliError, EXIT, type ExitCode } from './exit-code.ts';

/** Writes samples to standard output. */
export async function exportHistory(call: CommandCall): Promise<ExitCode> {
  const { value, terminal } = call;
  const query = {
    format: chosen(call, EXPORT_FORMATS),
    from: value('from'),
    to: value('to'),
    series: value('series')?.split(','),
  };
  await withHubAdmin(call, async (admin) => {
    const decoder = new TextDecoder();
    for await (const chunk of await admin.exportHistory(query)) terminal.write(decoder.decode(chunk, { stream: true }));
  });
  return EXIT.ok;
}

/** Reads samples from a file or standard input. */
export async function importHistory(call: CommandCall): Promise<ExitCode> {
  const [given] = call.arguments;
  const format = chosen(call, ARCHIVE_FORMATS);
  if (given === undefined) return await importFrom(call, format, call.terminal.input());
  const file = resolve(given);
  const user = await findFileUser(call, file);
  if (user !== undefined) {
    const flags = ['dry-run', 'skip-unknown'].filter(call.flag).map((name) => `--${name}`);
    return await runOnFileAs(user, call, ['history', 'import', '--format', format, ...flags, file]);
  }
  const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK).catch((cause: unknown) => {
    throw new CliError(EXIT.noInput, `${given} cannot be read`, cause);
  });
  try {
    if (!(await handle.stat()).isFile()) throw new CliError(EXIT.noInput, `${given} is not a file`);
    return await importFrom(call, format, handle.createReadStream({ autoClose: false }));
  } finally {
    await handle.close();
  }
}

function chosen<Format extends string>({ value }: CommandCall, formats: readonly [Format, ...Format[]]): Format {
  const [first] = formats;
  const given = value('format') ?? first;
  const format = formats.find((known) => known === given);
  if (format !== undefined) return format;
  throw new CliError(EXIT.usage, `--format must be one of ${formats.join(', ')}`);
}

async function importFrom(
  call: CommandCall,
  format: ArchiveFormat,
  content: AsyncIterable<Uint8Array>,
): Promise<ExitCode> {
  const how = { format, isDryRun: call.flag('dry-run'), skipUnknown: call.flag('skip-unknown') };
  const sum = { lines: 0, added: 0, duplicates: 0, skipped: 0 };
  await withHubAdmin(call, async (admin) => {
    for await (const { bytes, firstLine } of partsOf(content, format)) {
      const { lines, added, duplicates, skipped } = await admin
        .importHistory(Readable.from(bytes) as AsyncIterable<Uint8Array>, how)
        .catch((cause: unknown) => Promise.reject(withLines(cause, firstLine)));
      sum.lines += lines;
      sum.added += added;
      sum.duplicates += duplicates;
      sum.skipped += skipped;
    }
  });
  const { lines, added, duplicates, skipped } = sum;
  const verb = how.isDryRun ? 'would be added' : 'added';
  call.terminal.print(
    `${lines} samples read: ${added} ${verb}, ${duplicates} were there, ${skipped} of unknown series`,
  );
  return EXIT.ok;
}

/** Each part is imported whole or not at all; the hub keeps one in memory. */
const PART_BYTES = 4 * 1024 * 1024;
/** No line of an archive is as long. */
const MAX_RECORD_BYTES = 1024 * 1024;
const [QUOTE, LINE_FEED] = [34, 10];

type Part = {
  readonly bytes: readonly Uint8Array[];
  /** Number of its first line in the whole, less one. */
  readonly firstLine: number;
};

/** Cuts between two records, and gives each part the header of CSV. */
async function* partsOf(content: AsyncIterable<Uint8Array>, format: ArchiveFormat): AsyncGenerator<Part, void> {
  let bytes: Uint8Array[] = [];
  let size = 0;
  let [line, firstLine] = [0, 0];
  let isQuoted = false;
  let header: Uint8Array | undefined = format === 'csv' ? undefined : Buffer.alloc(0);
  const headerOf = (chunk: Uint8Array, end: number): Uint8Array => Buffer.concat([...bytes, chunk.subarray(0, end)]);
  for await (const chunk of content) {
    let start = 0;
    for (const [index, byte] of chunk.entries()) {
      if (byte === QUOTE && format === 'csv') isQuoted = !isQuoted;
      if (byte !== LINE_FEED) continue;
      line += 1;
      if (isQuoted) continue;
      header ??= headerOf(chunk, index + 1);
      if (size + index + 1 - start < PART_BYTES) continue;
      yield { bytes: [...bytes, chunk.subarray(start, index + 1)], firstLine };
      // The line of the header counts in each part.
      firstLine = line - (header.length > 0 ? 1 : 0);
      bytes = header.length > 0 ? [header] : [];
      size = 0;
      start = index + 1;
    }
    bytes.push(chunk.subarray(start));
    size += chunk.length - start;
    if (size > PART_BYTES + MAX_RECORD_BYTES)
      throw new CliError(EXIT.data, `line ${line + 1} is too long, or a quote in it has no end`);
  }
  yield { bytes, firstLine };
}

/** The hub counts the lines of a part. */
function withLines(cause: unknown, firstLine: number): unknown {
  if (!(cause instanceof HubError) || cause.code !== 'INVALID_IMPORT') return cause;
  const shown = (cause.options.errors ?? []).map(({ message }) =>
    message.replace(/^line (\d+)/, (_, line: string) => `line ${Number(line) + firstLine}`),
  );
  const before =
    firstLine === 0 ? '' : ` What was before line ${firstLine + 1} is imported, and it can be given again.`;
  return new CliError(EXIT.data, [cause.message + before, ...shown].join('\n'), cause);
}
