import { useState } from 'preact/hooks';
import { problemFrom } from '#web/client/hub-problem.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { momentWords, sizeWords } from '#web/settings/amounts.ts';
import { ReadingView } from '#web/settings/reading-view.tsx';
import { RestorePanel } from '#web/settings/restore-panel.tsx';
import { useReading } from '#web/settings/use-reading.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { s } from '#web/strings/settings-strings.ts';

type Backup = { readonly id: string; readonly kind: string; readonly created_at: string; readonly size: number };

/** Copies of everything that the hub knows: made, taken along, and put back. */
export function BackupPage() {
  const { client, messages } = useHub();
  const reading = useReading<readonly Backup[]>('/backup');
  const [busyWith, setBusyWith] = useState<string | null>(null);
  const run = async (what: string, task: () => Promise<unknown>): Promise<void> => {
    if (busyWith !== null) return;
    setBusyWith(what);
    const words = await wordsIfRefused(task);
    setBusyWith(null);
    if (words !== undefined) messages.show(words, 'danger');
  };
  const make = async (): Promise<void> => {
    await client.call('POST', '/backup');
    messages.show(s.backup.made);
    await reading.again();
  };
  const download = async ({ id }: Backup): Promise<void> => {
    // The token belongs into the header: a link to the file would have it in the address.
    const answer = await client.send(`/api/v1/backup/${encodeURIComponent(id)}/content`);
    if (!answer.ok) throw await problemFrom(answer);
    saveFile(await answer.blob(), `hearthd-${id}.db`);
  };
  return (
    <div class="page narrow">
      <PageHead title={s.backup.title} back={{ href: '/settings', label: s.back }}>
        <button type="button" class="button" aria-disabled={busyWith !== null} onClick={() => void run('make', make)}>
          {busyWith === 'make' ? s.backup.making : s.backup.make}
        </button>
      </PageHead>
      <p class="soft">{s.backup.intro}</p>
      <ReadingView of={reading}>
        {(backups) =>
          backups.length === 0 ? (
            <p class="panel soft">{s.backup.empty}</p>
          ) : (
            <ul class="rows">
              {backups.map((backup) => (
                <BackupRow
                  key={backup.id}
                  backup={backup}
                  isBusy={busyWith === backup.id}
                  onDownload={() => void run(backup.id, () => download(backup))}
                />
              ))}
            </ul>
          )
        }
      </ReadingView>
      <RestorePanel />
    </div>
  );
}

type RowProps = { readonly backup: Backup; readonly isBusy: boolean; readonly onDownload: () => void };

function BackupRow({ backup: { kind, created_at: at, size }, isBusy, onDownload }: RowProps) {
  const when = momentWords(at);
  return (
    <li class="row">
      <span class="row-text">
        <time class="row-title" dateTime={at}>
          {when}
        </time>
        <span class="row-note">
          {s.backup.kinds[kind] ?? kind} · {sizeWords(size)}
        </span>
      </span>
      <button
        type="button"
        class="button"
        aria-disabled={isBusy}
        aria-label={s.backup.downloadOf(when)}
        onClick={onDownload}
      >
        {isBusy ? s.backup.downloading : s.backup.download}
      </button>
    </li>
  );
}

const RELEASE_MS = 60_000;

function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Safari reads it after the click: it may go once the saving has surely begun.
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS);
}
