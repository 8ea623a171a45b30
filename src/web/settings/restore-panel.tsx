import { useId, useRef, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { s } from '#web/strings/settings-strings.ts';
import { sizeWords } from './amounts.ts';
import { useRestore } from './use-restore.ts';

/** Puts a backup in the place of everything: says what that means, asks, and tells how it goes. */
export function RestorePanel() {
  const { account } = useHub();
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [file, setFile] = useState<File | null>(null);
  const [isAsking, setIsAsking] = useState(false);
  const { step, fault, restore } = useRestore();
  const isBusy = step === 'sending' || step === 'waiting';
  return (
    <section class="panel form" aria-busy={isBusy}>
      <h2 class="form-title">{s.backup.restoreTitle}</h2>
      <p class="form-text">{s.backup.restoreText}</p>
      {fault === undefined ? null : <Notice tone="danger" text={fault} />}
      <div class="field">
        <label class="field-label" for={id}>
          {s.backup.file}
        </label>
        <input
          ref={input}
          id={id}
          class="file-input"
          type="file"
          accept=".db,.sqlite,.sqlite3,application/vnd.sqlite3,application/octet-stream"
          disabled={isBusy}
          onChange={({ currentTarget }) => setFile(currentTarget.files?.[0] ?? null)}
        />
        {file === null ? null : <p class="field-hint">{sizeWords(file.size)}</p>}
      </div>
      <div role="status">
        {step === 'idle' ? null : step === 'done' ? (
          <Notice text={s.backup.restored} />
        ) : (
          <>
            <p class="soft">{step === 'sending' ? s.backup.sending : s.backup.waiting}</p>
            <div class="progress" />
          </>
        )}
      </div>
      <div class="form-buttons">
        {step === 'done' ? (
          // Whatever the page knew of the home is of before: it begins anew.
          <a class="button button-main" href="/" target="_self">
            {s.backup.goOn}
          </a>
        ) : (
          <button
            type="button"
            class="button button-danger"
            aria-disabled={isBusy || file === null}
            onClick={() => setIsAsking(file !== null && !isBusy)}
          >
            {s.backup.restore}
          </button>
        )}
      </div>
      {isAsking && file !== null ? (
        <ConfirmDialog
          title={s.backup.restoreAsk(account.hub.value?.name ?? '')}
          text={s.backup.restoreWarning}
          confirm={s.backup.restore}
          tone="danger"
          onConfirm={() => void restore(file)}
          onClose={() => setIsAsking(false)}
        />
      ) : null}
    </section>
  );
}
