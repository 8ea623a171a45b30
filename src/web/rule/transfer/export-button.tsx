import { useState } from 'preact/hooks';
import { useHub } from '#web/hub.ts';
import { offerFile } from '#web/parts/offer-file.ts';
import type { JsonObject } from '#web/rule/sentence/json.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
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
  const { client, messages } = useHub();
  const [isBusy, setIsBusy] = useState(false);
  const save = async (): Promise<void> => {
    if (isBusy) return;
    setIsBusy(true);
    const words = await wordsIfRefused(async () => {
      const text = JSON.stringify(take(await client.call<JsonObject>('GET', path)), undefined, 2);
      offerFile(new Blob([`${text}\n`], { type: 'application/json' }), `${name}.json`);
    });
    setIsBusy(false);
    if (words !== undefined) messages.show(words, 'danger');
  };
  return (
    <button type="button" class="button" aria-disabled={isBusy} onClick={() => void save()}>
      {isBusy ? transferWords.exporting : label}
    </button>
  );
}
