import { useEffect, useState, useId } from 'preact/hooks';
import type { Backup, BackupDetail } from '#web/client/api.ts';
import { problemFrom } from '#web/client/hub-problem.ts';
import type { Init } from '#web/client/sign-in.ts';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';
import { offerFile } from '#web/parts/offer-file.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { momentWords, sizeWords } from '#web/strings/measure-words.ts';
import { useRestore, type Restore } from './use-restore.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';

/** A whole database, over a bad network or from a worn memory card. */
const FILE_MS = 300_000;

/** Makes, downloads and restores backups. */
export function BackupPage() {
  const { client, messages } = useHub();
  const reading = useReading<readonly Backup[]>('/backup');
  const restoring = useRestore();
  const [last, setLast] = useState('');
  const [asked, setAsked] = useState<BackupDetail | null>(null);
  const { again } = reading;
  useEffect(() => {
    // The restore has made a backup of the state before.
    if (restoring.step === 'done') void again();
  }, [restoring.step, again]);
  const { run, isRunning } = useReportedTask(async (what: string, action: () => Promise<unknown>) => {
    if (restoring.step !== 'idle') return;
    setLast(what);
    await action();
  });
  const busyWith = isRunning ? last : null;
  const send = (path: string, init: Init = {}): Promise<Blob> =>
    within(FILE_MS, async (signal) => {
      const answer = await client.send(`/api/v1/backup${path}`, { ...init, signal });
      if (!answer.ok) throw await problemFrom(answer);
      return await answer.blob();
    });
  const make = async (): Promise<void> => {
    await send('', { method: 'POST' });
    messages.show(settingsWords.backup.made);
    await reading.again();
  };
  const download = async ({ id }: Backup): Promise<void> => {
    // A plain link cannot send the token in a header.
    offerFile(await send(`/${encodeURIComponent(id)}/content`), `hearthd-${id}.db`);
  };
  const look = async ({ id }: Backup): Promise<void> => {
    setAsked(await client.call<BackupDetail>('GET', `/backup/${encodeURIComponent(id)}`));
  };
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.backup.title} back={{ href: '/settings', label: settingsWords.back }}>
        <button type="button" class="button" aria-disabled={busyWith !== null} onClick={() => run('make', make)}>
          {busyWith === 'make' ? settingsWords.backup.making : settingsWords.backup.make}
        </button>
      </PageHead>
      <p class="soft">{settingsWords.backup.intro}</p>
      <RestoreState of={restoring} />
      <ReadingView of={reading}>
        {(backups) =>
          backups.length === 0 ? (
            <p class="panel soft">{settingsWords.backup.empty}</p>
          ) : (
            <ul class="rows">
              {backups.map((backup) => (
                <BackupRow
                  key={backup.id}
                  backup={backup}
                  busyWith={busyWith}
                  onDownload={() => run(`download ${backup.id}`, () => download(backup))}
                  onRestore={() => run(`look ${backup.id}`, () => look(backup))}
                />
              ))}
            </ul>
          )
        }
      </ReadingView>
      <RestoreFile of={restoring} />
      {asked === null ? null : (
        <RestoreDialog
          what={contentWords(asked)}
          onConfirm={() => void restoring.restore({ id: asked.id })}
          onClose={() => setAsked(null)}
        />
      )}
    </div>
  );
}

function contentWords({ created_at: at, content }: BackupDetail): string {
  const { people, rooms, devices, hub_version: version } = content;
  return settingsWords.backup.content({ when: momentWords(at), people, rooms, devices, version });
}

type RowProps = {
  readonly backup: Backup;
  readonly busyWith: string | null;
  readonly onDownload: () => void;
  readonly onRestore: () => void;
};

function BackupRow({ backup: { id, kind, created_at: at, size }, busyWith, onDownload, onRestore }: RowProps) {
  const when = momentWords(at);
  const isBusy = busyWith !== null;
  return (
    <li class="row backup-row">
      <span class="row-text">
        <time class="row-title" dateTime={at}>
          {when}
        </time>
        <span class="row-note">
          {settingsWords.backup.kinds[kind] ?? kind} · {sizeWords(size)}
        </span>
      </span>
      <span class="row-buttons">
        <button
          type="button"
          class="button"
          aria-disabled={isBusy}
          aria-label={settingsWords.backup.restoreOf(when)}
          onClick={onRestore}
        >
          {busyWith === `look ${id}` ? settingsWords.backup.reading : settingsWords.backup.restoreOne}
        </button>
        <button
          type="button"
          class="button"
          aria-disabled={isBusy}
          aria-label={settingsWords.backup.downloadOf(when)}
          onClick={onDownload}
        >
          {busyWith === `download ${id}` ? settingsWords.backup.downloading : settingsWords.backup.download}
        </button>
      </span>
    </li>
  );
}

/** Asks before a backup replaces everything. `what` says which backup it is and what is in it. */
function RestoreDialog({ what, onConfirm, onClose }: DialogProps) {
  return (
    <ConfirmDialog
      title={settingsWords.backup.restoreAsk}
      confirm={settingsWords.backup.restore}
      tone="danger"
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        <strong>
          <bdi>{what}</bdi>
        </strong>
      </p>
      <ul class="points">
        {settingsWords.backup.restoreWarnings.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}

type DialogProps = { readonly what: string; readonly onConfirm: () => void; readonly onClose: () => void };

/** The progress and the end of a restore. The region exists before, so that screen readers announce what comes in. */
function RestoreState({ of: { step, fault } }: { readonly of: Restore }) {
  return (
    <>
      {fault === undefined ? null : <Notice tone="danger" text={fault} />}
      <div class="restore-state" role="status">
        {step === 'idle' ? null : step === 'done' ? (
          <Notice text={settingsWords.backup.restored} />
        ) : (
          <>
            <p class="soft">{step === 'sending' ? settingsWords.backup.sending : settingsWords.backup.waiting}</p>
            <div class="progress" />
          </>
        )}
      </div>
      {step === 'done' ? (
        // A full load: everything that the page knows is from before the restore.
        <a class="button button-main" href="/" target="_self">
          {settingsWords.backup.goOn}
        </a>
      ) : null}
    </>
  );
}

/** Restores a backup that was kept elsewhere. */
function RestoreFile({ of: { step, restore } }: { readonly of: Restore }) {
  const id = useId();
  const [file, setFile] = useState<File | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const isIdle = step === 'idle' && file !== null;
  return (
    <section class="panel form">
      <h2 class="form-title">{settingsWords.backup.fromFile}</h2>
      <p class="form-text">{settingsWords.backup.fromFileText}</p>
      <div class="field">
        <label class="field-label" for={id}>
          {settingsWords.backup.file}
        </label>
        <input
          id={id}
          class="file-input"
          type="file"
          accept=".db,.sqlite,.sqlite3,application/vnd.sqlite3,application/octet-stream"
          disabled={step !== 'idle'}
          onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
        />
        {file === null ? null : <p class="field-hint">{sizeWords(file.size)}</p>}
      </div>
      <div class="form-buttons">
        <button
          type="button"
          class="button button-danger"
          aria-disabled={!isIdle}
          onClick={() => isIdle && setIsAsking(true)}
        >
          {settingsWords.backup.restore}
        </button>
      </div>
      {isAsking && file !== null ? (
        <RestoreDialog
          what={settingsWords.backup.ofFile(file.name, sizeWords(file.size))}
          onConfirm={() => void restore({ file })}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </section>
  );
}
