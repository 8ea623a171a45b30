import { useEffect, useState } from 'preact/hooks';
import type { AutomationTemplate } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { listed } from '#web/strings/en/grammar.ts';
import { ruleKinds as kindWords } from '#web/strings/en/rule/kinds.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';
import { FileFaults, faultIfRefused, type FileFault } from './file-faults.tsx';

const PATH = '/automation_template';

/** A template from a file: what it is for and may do, before it is kept. */
export function TemplateImport({ body }: { readonly body: JsonObject }) {
  const { client, messages, router } = useHub();
  const [found, setFound] = useState<AutomationTemplate>();
  const [fault, setFault] = useState<FileFault>();
  const [isBusy, setIsBusy] = useState(false);
  useEffect(() => {
    void faultIfRefused(async () =>
      setFound(await client.call<AutomationTemplate>('POST', `${PATH}?dry_run=true`, body)),
    ).then(setFault);
  }, [client, body]);
  const take = async (): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    const refused = await faultIfRefused(async () => {
      const { id, name } = await client.call<AutomationTemplate>('POST', PATH, body);
      messages.show(transferWords.templateTaken(name));
      router.go(`/rule_template/${encodeURIComponent(id)}`);
    });
    setFault(refused);
    setIsBusy(false);
  };
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
        <button type="button" class="button button-main" aria-disabled={isBusy} onClick={() => void take()}>
          {isBusy ? transferWords.taking : transferWords.takeTemplate}
        </button>
      </div>
    </section>
  );
}
