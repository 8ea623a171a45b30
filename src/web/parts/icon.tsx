import { FILLED, type IconName, LINES } from '#web/icon-lines.ts';

/** Hidden from screen readers: the words are beside it, or on the control that it is in. */
export function Icon({ name, size = 22 }: { readonly name: IconName; readonly size?: number }) {
  const filled = FILLED[name];
  return (
    <svg
      class="icon"
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.75"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={LINES[name]} />
      {filled === undefined ? null : <path class="icon-glow" d={filled} stroke="none" />}
    </svg>
  );
}
