import { useId } from 'preact/hooks';
import { Icon } from '#web/parts/icon.tsx';
import type { IconName } from '#web/icon-lines.ts';
import { arrange as arrangeWords } from '#web/strings/en/home/arrange.ts';

type Props = {
  readonly icons: readonly IconName[];
  readonly value: string | null;
  /** What is drawn without a choice. */
  readonly plain: IconName;
  readonly onValue: (icon: string | null) => void;
};

/** One of a few pictures, or that which the thing has without a choice. */
export function IconChoices({ icons, value, plain, onValue }: Props) {
  const id = useId();
  return (
    <div class="field" role="group" aria-labelledby={id}>
      <span class="field-label" id={id}>
        {arrangeWords.icon}
      </span>
      <div class="icon-choices">
        {[null, ...icons].map((icon) => (
          <button
            key={icon ?? ''}
            type="button"
            aria-pressed={icon === value}
            aria-label={icon === null ? arrangeWords.ofType : (arrangeWords.icons[icon] ?? icon)}
            onClick={() => onValue(icon)}
          >
            <Icon name={icon ?? plain} />
          </button>
        ))}
      </div>
    </div>
  );
}
