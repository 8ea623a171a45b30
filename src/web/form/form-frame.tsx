import type { ComponentChildren } from 'preact';
import type { Form } from './use-form.ts';

type Props = {
  readonly form: Pick<Form, 'element'>;
  readonly class: string;
  readonly onSubmit: () => void;
  readonly children: ComponentChildren;
};

/** A form that the page checks and sends. If the browser ever sent it, no password would stand in an address. */
export function FormFrame({ form, class: name, onSubmit, children }: Props) {
  return (
    <form
      ref={form.element}
      class={name}
      method="post"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
    >
      {children}
    </form>
  );
}
