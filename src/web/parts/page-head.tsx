import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { page as pageWords } from '#web/strings/en/page.ts';
import { Icon } from './icon.tsx';

type Props = {
  readonly title: string;
  /** Where the back arrow leads; absent on top pages. */
  readonly back?: { readonly href: string; readonly label: string };
  readonly children?: ComponentChildren;
};

/** The heading of a page. It takes the focus after a link was followed. */
export function PageHead({ title, back, children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  usePageTitle(title);
  useEffect(() => {
    if (document.activeElement === document.body || document.activeElement === null) {
      heading.current?.focus({ preventScroll: true });
    }
  }, []);
  return (
    <div class="page-head">
      {back === undefined ? null : (
        <a class="button button-plain button-icon" href={back.href} aria-label={back.label}>
          <Icon name="back" />
        </a>
      )}
      <h1 ref={heading} tabIndex={-1} class="page-title">
        <bdi>{title}</bdi>
      </h1>
      {children}
    </div>
  );
}

export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title === '' ? pageWords.product : `${title} · ${pageWords.product}`;
  }, [title]);
}
