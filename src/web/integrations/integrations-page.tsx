import { PageHead } from '#web/parts/page-head.tsx';
import { IntegrationList } from './integration-state.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useIntegrations } from './use-integrations.ts';
import { s } from '#web/strings/settings-strings.ts';

/** Where devices come from, and whether those ways work. */
export function IntegrationsPage() {
  const reading = useIntegrations();
  return (
    <div class="page narrow">
      <PageHead title={s.integrations.title} back={{ href: '/settings', label: s.back }} />
      <ReadingView of={reading} rows={2}>
        {(integrations) =>
          integrations.length === 0 ? <p class="soft">{s.integrations.empty}</p> : <IntegrationList of={integrations} />
        }
      </ReadingView>
    </div>
  );
}
