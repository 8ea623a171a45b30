import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

type Props = {
  readonly tone?: 'plain' | 'warn' | 'danger';
  readonly text?: string;
  readonly children?: ComponentChildren;
};

/** A notice within the page. Screen readers announce one with the tone `danger`. */
export function Notice({ tone = 'plain', text, children }: Props) {
  return (
    <div class="notice" data-tone={tone} role={tone === 'danger' ? 'alert' : undefined}>
      <Icon name={tone === 'plain' ? 'info' : 'warning'} size={20} />
      <div>
        {text === undefined ? null : <p>{text}</p>}
        {children}
      </div>
    </div>
  );
}
