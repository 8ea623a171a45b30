import type { Feature } from '#web/client/api.ts';
import { Icon } from '#web/parts/icon.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { useControl } from './use-feature.ts';

type Props = { readonly entry: DeviceEntry; readonly feature: Feature; readonly name: string };
const BUTTONS = [
  ['open', 'up', 'openIt'],
  ['stop', 'stop', 'stopIt'],
  ['close', 'down', 'closeIt'],
] as const;

/** Up, stop, down. */
export function CoverButtons({ entry, feature, name }: Props) {
  const { isDisabled, set } = useControl(entry, feature);
  const options = feature.options ?? [];
  return (
    <div class="choices" role="group" aria-label={name}>
      {BUTTONS.filter(([word]) => options.length === 0 || options.includes(word)).map(([word, icon, label]) => (
        <button
          key={word}
          type="button"
          aria-label={pageWords.control[label]}
          disabled={isDisabled}
          onClick={() => set(word)}
        >
          <Icon name={icon} size={20} />
        </button>
      ))}
    </div>
  );
}
