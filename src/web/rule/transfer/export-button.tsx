import { useHub } from '#web/hub.ts';
import { offerFile } from '#web/parts/offer-file.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { ruleTransfer as transferWords } from '#web/strings/en/rule/transfer.ts';

type Props = {
  /** What the hub answers with the content of the file. */
  readonly path: string;
  /** The name of the file, without its ending. */
  readonly name: string;
  readonly label: string;
  /** What of the answer goes into the file. */
  readonly take?: (json: JsonObject) => JsonObject;
};

/** Saves automations or a template as a file, as the hub exports them. */
export function ExportButton({ path, name, label, take = (json) => json }: Props) {
  const { client } = useHub();
  const save = useReportedTask(async () => {
    const text = JSON.stringify(take(await client.call<JsonObject>('GET', path)), undefined, 2);
    offerFile(new Blob([`${text}\n`], { type: 'application/json' }), `${name}.json`);
  });
  return (
    <button type="button" class="button" aria-disabled={save.isRunning} onClick={save.run}>
      {save.isRunning ? transferWords.exporting : label}
    </button>
  );
}
