import type { IconName } from '#web/icon-lines.ts';
import { Icon } from './icon.tsx';

type Props = {
  readonly href: string;
  readonly icon: IconName;
  readonly title: string;
  readonly note?: string | undefined;
  readonly onClick?: () => void;
};

/** A line of a list of rows that leads to a page. */
export function LinkRow({ href, icon, title, note, onClick }: Props) {
  return (
    <li>
      <a class="row" href={href} onClick={onClick}>
        <Icon name={icon} />
        <span class="row-text">
          <bdi class="row-title">{title}</bdi>
          {note === undefined ? null : <bdi class="row-note">{note}</bdi>}
        </span>
        <Icon name="forward" size={18} />
      </a>
    </li>
  );
}
