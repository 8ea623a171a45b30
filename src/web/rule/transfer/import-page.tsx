import { useId, useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import { BundleImport } from './bundle-import.tsx';
import { TemplateImport } from './template-import.tsx';
import { readTransferFile, type TransferFile } from './transfer-file.ts';

/** Takes automations or a template from a file, after it was shown what is in it. */
export function ImportPage() {
  const { account } = useHub();
  const id = useId();
  const [read, setRead] = useState<{ readonly file: TransferFile; readonly number: number }>();
  const choose = async (file: File | undefined): Promise<void> => {
    const found = file === undefined ? undefined : await readTransferFile(file);
    setRead((before) => found && { file: found, number: (before?.number ?? 0) + 1 });
  };
  const file = read?.file;
  return (
    <div class="page narrow">
      <PageHead title={transferWords.title} back={{ href: '/rule', label: rulePageWords.all }} />
      <p class="soft">{transferWords.text}</p>
      <div class="field">
        <label class="field-label" for={id}>
          {transferWords.file}
        </label>
        <input
          id={id}
          class="file-input"
          type="file"
          accept=".json,application/json"
          onChange={({ currentTarget }) => void choose(currentTarget.files?.[0])}
        />
      </div>
      {file?.kind === 'fault' ? <Notice tone="danger" text={transferWords.fileFaults[file.fault]} /> : null}
      {file?.kind === 'bundle' ? <BundleImport key={read?.number} body={file.body} /> : null}
      {file?.kind === 'template' && account.can('automation:manage') ? (
        <TemplateImport key={read?.number} body={file.body} />
      ) : null}
    </div>
  );
}
