import type { ComponentChildren } from 'preact';
import { page as pageWords } from '#web/strings/en/page.ts';
import { Notice } from './notice.tsx';
import type { Reading } from './use-reading.ts';

type Props<Value> = {
  readonly of: Reading<Value>;
  /** How many rows the place is that is kept free for it. */
  readonly rows?: number;
  readonly children: (value: Value) => ComponentChildren;
};

/** Shows a reading, or its place while it is not there, or what went wrong. */
export function ReadingView<Value>({ of, rows = 3, children }: Props<Value>) {
  const { value, fault, again } = of;
  return (
    <>
      <Unread fault={fault} again={again} />
      {value === undefined ? null : children(value)}
      {value === undefined && fault === undefined ? <RowsSkeleton rows={rows} /> : null}
    </>
  );
}

type UnreadProps = { readonly fault: string | undefined; readonly again: () => unknown };

/** Says what went wrong, and offers another try. */
export function Unread({ fault, again }: UnreadProps) {
  if (fault === undefined) return null;
  return (
    <Notice tone="danger" text={fault}>
      <button type="button" class="button notice-button" onClick={() => void again()}>
        {pageWords.retry}
      </button>
    </Notice>
  );
}

export function RowsSkeleton({ rows }: { readonly rows: number }) {
  return (
    <div class="rows rows-skeleton" aria-busy="true">
      <span class="unseen">{pageWords.loading}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="row" aria-hidden="true" />
      ))}
    </div>
  );
}
