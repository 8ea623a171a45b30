import { useState } from 'preact/hooks';
import type { Exporter } from '#web/client/api.ts';
import { MomentField } from '#web/form/moment-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import type { PageProps } from '#web/router.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { ExporterForm } from './exporter-form.tsx';
import { nameOf } from './exporter-words.ts';

/** Adds a receiver of the history. */
export function ExporterAddPage() {
  const { client, messages, router } = useHub();
  return (
    <div class="page narrow">
      <PageHead
        title={settingsWords.exporters.addTitle}
        back={{ href: '/settings/exporters', label: settingsWords.exporters.title }}
      />
      <ExporterForm
        submit={settingsWords.exporters.add}
        onSubmit={async (settings, start) => {
          const added = await client.call<Exporter>('POST', '/exporter', { ...settings, ...start });
          messages.show(settingsWords.exporters.added(nameOf(added)));
          router.go('/settings/exporters', 'replace');
        }}
      />
    </div>
  );
}

/** One receiver of the history: its settings, and sending it the history again. */
export function ExporterPage({ params }: PageProps) {
  const { client, messages, router } = useHub();
  const path = `/exporter/${encodeURIComponent(params['id'] ?? '')}`;
  const reading = useReading<Exporter>(path);
  return (
    <div class="page narrow">
      <PageHead
        title={reading.value === undefined ? settingsWords.exporters.editTitle : nameOf(reading.value)}
        back={{ href: '/settings/exporters', label: settingsWords.exporters.title }}
      />
      <ReadingView of={reading} rows={4}>
        {(exporter) => (
          <>
            <ExporterForm
              exporter={exporter}
              submit={settingsWords.save}
              onSubmit={async (settings) => {
                const changed = await client.call<Exporter>('PATCH', path, settings);
                messages.show(settingsWords.exporters.changed(nameOf(changed)));
                router.go('/settings/exporters', 'replace');
              }}
            />
            <Replay path={path} />
          </>
        )}
      </ReadingView>
    </div>
  );
}

/** For a database that lost what it had, or began too late. */
function Replay({ path }: { readonly path: string }) {
  const { client, messages } = useHub();
  const form = useForm(['from']);
  const [start, setStart] = useState('beginning');
  const [from, setFrom] = useState<string | null>(null);
  const isAll = start === 'beginning';
  return (
    <PanelForm
      form={form}
      title={settingsWords.exporters.replayTitle}
      text={settingsWords.exporters.replayText}
      submit={settingsWords.exporters.replay}
      isIdle={!isAll && from === null}
      onSubmit={async () => {
        await client.call('POST', `${path}/replay`, { from: isAll ? 'beginning' : from });
        messages.show(settingsWords.exporters.replayed);
      }}
    >
      <SelectField
        label={settingsWords.exporters.replayFrom}
        value={start}
        onValue={setStart}
        options={[
          ['beginning', settingsWords.exporters.starts.beginning],
          ['time', settingsWords.exporters.fromTime],
        ]}
      />
      {isAll ? null : (
        <MomentField
          label={settingsWords.exporters.time}
          hint={settingsWords.exporters.timeHint}
          value={from}
          onValue={setFrom}
          error={form.faults['from']}
        />
      )}
    </PanelForm>
  );
}
