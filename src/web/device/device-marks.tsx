import { useState } from 'preact/hooks';
import type { Device } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { useHub } from '#web/hub.ts';
import { isSensitiveByItself } from '#web/state/rights.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { t } from '#web/strings/strings.ts';

/** Marks what only the household knows to be sensitive, such as a garage door on a plain plug. */
export function SensitiveMark({ device }: { readonly device: Device }) {
  const { account, client, messages } = useHub();
  const [isBusy, setIsBusy] = useState(false);
  const isAlways = isSensitiveByItself(device);
  // The hub asks for more to take the mark away than to set it.
  const isFixed = isAlways || (device.sensitive && !account.can('hub:manage'));
  const mark = async (sensitive: boolean): Promise<void> => {
    setIsBusy(true);
    const words = await wordsIfRefused(() => client.call('PATCH', `/device/${device.id}`, { sensitive }));
    setIsBusy(false);
    if (words !== undefined) messages.show(words, 'danger');
  };
  if (!device.features.some(({ writable }) => writable)) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{t.sensitive.title}</h2>
      <Choice
        type="checkbox"
        label={t.sensitive.mark}
        note={isAlways ? t.sensitive.always : t.sensitive.note}
        isChosen={device.sensitive}
        isDisabled={isFixed || isBusy}
        onChoice={(isChosen) => void mark(isChosen)}
      />
    </section>
  );
}
