import { useState } from 'preact/hooks';
import type { Device } from '#web/client/api.ts';
import { Choice } from '#web/form/choice.tsx';
import { useHub } from '#web/hub.ts';
import { isSensitiveByItself } from '#web/state/account/rights.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** Marks what only the household knows: a garage door on a plain plug, the plug of a fridge. */
export function DeviceMarks({ device }: { readonly device: Device }) {
  const { account, client, messages } = useHub();
  const [isBusy, setIsBusy] = useState(false);
  const isAlways = isSensitiveByItself(device);
  // The hub asks for more to take the mark away than to set it.
  const isFixed = isAlways || (device.sensitive && !account.can('hub:manage'));
  const mark = async (change: { readonly sensitive: boolean } | { readonly all_off: boolean }): Promise<void> => {
    setIsBusy(true);
    const words = await wordsIfRefused(() => client.call('PATCH', `/device/${device.id}`, change));
    setIsBusy(false);
    if (words !== undefined) messages.show(words, 'danger');
  };
  if (!device.features.some(({ writable }) => writable)) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{pageWords.marks.title}</h2>
      <Choice
        type="checkbox"
        label={pageWords.marks.sensitive}
        note={isAlways ? pageWords.marks.always : pageWords.marks.sensitiveNote}
        isChosen={device.sensitive}
        isDisabled={isFixed || isBusy}
        onChoice={(sensitive) => void mark({ sensitive })}
      />
      {device.features.some(({ capability, writable }) => capability === 'on' && writable) ? (
        <Choice
          type="checkbox"
          label={pageWords.marks.leftOn}
          note={pageWords.marks.leftOnNote}
          isChosen={!device.all_off}
          isDisabled={isBusy}
          onChoice={(isLeftOn) => void mark({ all_off: !isLeftOn })}
        />
      ) : null}
    </section>
  );
}
