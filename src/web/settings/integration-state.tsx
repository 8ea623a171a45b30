import { Ago } from '#web/parts/ago.tsx';
import { s } from '#web/strings/settings-strings.ts';
import type { Integration } from './integration.ts';

/** How it is and since when, in words; a dot for those who see it. */
export function IntegrationState({ of: { status, since } }: { readonly of: Integration }) {
  return (
    <span class="state-words">
      <span class="state-dot" data-state={status} />
      <span>
        {s.integrations.states[status] ?? status} · <Ago at={since} />
      </span>
    </span>
  );
}
