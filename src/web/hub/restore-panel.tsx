import { useId, useState } from 'preact/hooks';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { sizeWords } from '#web/strings/measure-words.ts';
import type { Restore } from './use-restore.ts';

/** Asks before a backup replaces everything. `what` says which backup it is and what is in it. */
export function RestoreDialog({ what, onConfirm, onClose }: DialogProps) {
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
export function RestoreState({ of: { step, fault } }: { readonly of: Restore }) {
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
export function RestoreFile({ of: { step, restore } }: { readonly of: Restore }) {
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
