import type { ComponentChildren } from 'preact';
import { useHub } from '#web/hub.ts';
import { placeOf } from '#web/router.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { Notice } from './notice.tsx';
import type { Reading } from './use-reading.ts';

type Props<Value> = {
  readonly of: Reading<Value>;
  /** How many rows the place is that is kept free for it. */
  readonly rows?: number;
  readonly children: (value: Value) => ComponentChildren;
};

/** Shows a reading, or its place while it is not there, or what went wrong. What is gone has a way back, not another try. */
export function ReadingView<Value>({ of, rows = 3, children }: Props<Value>) {
  const { value, fault, isGone = false, again } = of;
  return (
    <>
      {isGone ? <Missing text={fault ?? ''} /> : <Unread fault={fault} again={again} />}
      {value === undefined ? null : children(value)}
      {value === undefined && fault === undefined ? <RowsSkeleton rows={rows} /> : null}
    </>
  );
}

function Missing({ text }: { readonly text: string }) {
  const { router } = useHub();
  return (
    <Notice tone="danger" text={text}>
      <a class="button notice-button" href={pageAbove(router.place.value.path)}>
        {pageWords.back}
      </a>
    </Notice>
  );
}

/** The nearest page that the address is below: `/rule_template` for `/rule_template/gone`. */
function pageAbove(path: string): string {
  const above = path.slice(0, path.lastIndexOf('/'));
  return above === '' ? '/' : placeOf(above).name === null ? pageAbove(above) : above;
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
