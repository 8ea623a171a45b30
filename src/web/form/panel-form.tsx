import type { ComponentChildren } from 'preact';
import { FormFrame } from './form-frame.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { page as pageWords } from '#web/strings/en/page.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import type { Form } from './use-form.ts';

type Props = {
  readonly form: Form;
  readonly title?: string;
  readonly text?: string;
  readonly submit: string;
  readonly busy?: string;
  /** Nothing was changed or filled in so far. */
  readonly isIdle?: boolean;
  /** What has to be filled in, by field. */
  readonly needed?: Readonly<Record<string, string>>;
  readonly onSubmit: () => Promise<void>;
  readonly children: ComponentChildren;
};

/** A panel with fields that are sent together. */
export function PanelForm({
  form,
  title,
  text,
  submit,
  busy = settingsWords.saving,
  isIdle = false,
  needed,
  onSubmit,
  children,
}: Props) {
  const { isBusy, faults } = form;
  return (
    <FormFrame
      form={form}
      class="panel form"
      onSubmit={() => {
        if (!isIdle) form.submit(onSubmit, needed);
      }}
    >
      {title === undefined ? null : <h2 class="form-title">{title}</h2>}
      {text === undefined ? null : <p class="form-text">{text}</p>}
      {faults['all'] === undefined ? null : <Notice tone="danger" text={faults['all']} />}
      {children}
      <div class="form-buttons">
        <button type="submit" class="button button-main" aria-disabled={isBusy || isIdle}>
          {isBusy ? busy : submit}
        </button>
      </div>
    </FormFrame>
  );
}

type ButtonsProps = {
  readonly isBusy: boolean;
  readonly submit: string;
  readonly busy: string;
  readonly isIdle?: boolean;
  readonly onCancel?: (() => void) | undefined;
};

/** The foot of a form in a dialog. */
export function FormButtons({ isBusy, submit, busy, isIdle = false, onCancel }: ButtonsProps) {
  return (
    <div class="dialog-buttons">
      {onCancel === undefined ? null : (
        <button type="button" class="button" onClick={onCancel}>
          {pageWords.cancel}
        </button>
      )}
      <button type="submit" class="button button-main" aria-disabled={isBusy || isIdle}>
        {isBusy ? busy : submit}
      </button>
    </div>
  );
}
