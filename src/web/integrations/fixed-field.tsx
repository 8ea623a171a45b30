import type { ComponentChildren } from 'preact';
import { s } from '#web/strings/settings-strings.ts';
import { t } from '#web/strings/strings.ts';

type Props = {
  readonly label: string;
  readonly value: string | null;
  /** What fixes it, in words; `null` where the field may be changed. */
  readonly by: string | null;
  readonly children: ComponentChildren;
};

/** The field, or where its value is fixed outside the page, that and by what. */
export function FixedField({ label, value, by, children }: Props) {
  if (by === null) return <>{children}</>;
  return (
    <dl class="field fixed">
      <dt class="field-label">{label}</dt>
      <dd class="fixed-value">
        <bdi>{value ?? t.none}</bdi>
      </dd>
      <dd class="field-hint">{s.integrations.fixedBy(by)}</dd>
    </dl>
  );
}
