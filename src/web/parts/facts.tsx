import type { ComponentChildren } from 'preact';

type Props = {
  readonly title?: string;
  /** A fact whose value is `null` is left out. */
  readonly facts: readonly (readonly [name: string, value: ComponentChildren])[];
};

/** A panel with one line for each fact: its name and its value. */
export function Facts({ title, facts }: Props) {
  return (
    <section class="panel">
      {title === undefined ? null : <h2 class="panel-title">{title}</h2>}
      <dl class="facts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
        )}
      </dl>
    </section>
  );
}
