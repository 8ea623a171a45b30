import { useId, useState, useEffect } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { useTask } from '#web/parts/use-task.ts';
import { rulePages as rulePageWords } from '#web/strings/en/rule/pages.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import type { AutomationTemplate } from '#web/client/api.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { listed } from '#web/strings/en/grammar.ts';
import { ruleKinds as kindWords } from '#web/strings/en/rule/kinds.ts';
import { BundleImport } from './bundle-import.tsx';
import { readTransferFile, type TransferFile } from './transfer-file.ts';
import { FileFaults, faultIfRefused, type FileFault } from './file-faults.tsx';

const TEMPLATES = '/automation_template';

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

/** A template from a file: what it is for and may do, before it is kept. */
function TemplateImport({ body }: { readonly body: JsonObject }) {
  const { client, messages, router } = useHub();
  const [found, setFound] = useState<AutomationTemplate>();
  const [fault, setFault] = useState<FileFault>();
  useEffect(() => {
    void faultIfRefused(async () =>
      setFound(await client.call<AutomationTemplate>('POST', `${TEMPLATES}?dry_run=true`, body)),
    ).then(setFault);
  }, [client, body]);
  const take = useTask(async () => {
    const refused = await faultIfRefused(async () => {
      const { id, name } = await client.call<AutomationTemplate>('POST', TEMPLATES, body);
      messages.show(transferWords.templateTaken(name));
      router.go(`/rule_template/${encodeURIComponent(id)}`);
    });
    setFault(refused);
  });
  if (found === undefined) return fault === undefined ? null : <FileFaults fault={fault} />;
  const steps = found.step_kinds.map((kind) => kindWords.step[kind]?.[0] ?? kind);
  return (
    <section class="panel form" aria-label={found.name}>
      <h2 class="form-title">
        <bdi>{found.name}</bdi>
      </h2>
      <p>
        <bdi>{found.description}</bdi>
      </p>
      <p>{transferWords.templateDoes(listed(steps))}</p>
      <p>{transferWords.templateAsks(listed(Object.values(found.inputs).map(({ label }) => label)))}</p>
      {fault === undefined ? null : <FileFaults fault={fault} />}
      <div class="form-buttons">
        <button type="button" class="button button-main" aria-disabled={take.isRunning} onClick={take.run}>
          {take.isRunning ? transferWords.taking : transferWords.takeTemplate}
        </button>
      </div>
    </section>
  );
}
