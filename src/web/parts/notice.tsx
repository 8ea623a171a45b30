import type { ComponentChildren } from 'preact';
import { Icon } from './icon.tsx';

type Props = {
  readonly tone?: 'plain' | 'warn' | 'danger';
  readonly text?: string;
  readonly children?: ComponentChildren;
};

/** Something to know that stands in the page. What went wrong is told to screen readers as well when it comes. */
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
