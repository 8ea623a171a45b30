import { FILLED, type IconName, LINES } from '#web/icon-lines.ts';

type Props = {
  readonly name: IconName;
  readonly size?: number;
  /** Is drawn instead: an icon that the first page does not load. */
  readonly line?: string | undefined;
};

/** Hidden from screen readers: the words are beside it, or on the control that it is in. */
export function Icon({ name, size = 22, line = LINES[name] }: Props) {
  const filled = FILLED[name];
  return (
    <svg
      class="icon"
      style={{ '--size': size }}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={line} />
      {filled === undefined ? null : <path class="icon-glow" d={filled} stroke="none" />}
    </svg>
  );
}
