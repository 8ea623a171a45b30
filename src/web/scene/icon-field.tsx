import { useId } from 'preact/hooks';
import { house as houseWords } from '#web/strings/en/house.ts';
import { SCENE_ICONS, SceneIcon } from './scene-icon.tsx';

type Props = { readonly value: string | null; readonly onValue: (icon: string | null) => void };

/** One of a few icons, or none. An icon that somebody gave by the API stays until another one is chosen. */
export function IconField({ value, onValue }: Props) {
  const id = useId();
  return (
    <div class="field" role="group" aria-labelledby={id}>
      <span class="field-label" id={id}>
        {houseWords.icon}
      </span>
      <div class="icon-choices">
        {[null, ...SCENE_ICONS].map((icon) => (
          <button
            key={icon ?? ''}
            type="button"
            aria-pressed={icon === value}
            aria-label={icon === null ? houseWords.noIcon : (houseWords.icons[icon] ?? icon)}
            onClick={() => onValue(icon)}
          >
            <SceneIcon name={icon} size={22} />
          </button>
        ))}
      </div>
    </div>
  );
}
