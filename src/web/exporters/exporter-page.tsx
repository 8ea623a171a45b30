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
import { s } from '#web/strings/settings-strings.ts';
import { ExporterForm } from './exporter-form.tsx';
import { nameOf } from './exporter-words.ts';

/** Adds a receiver of the history. */
export function ExporterAddPage() {
  const { client, messages, router } = useHub();
  return (
    <div class="page narrow">
      <PageHead title={s.exporters.addTitle} back={{ href: '/settings/exporters', label: s.exporters.title }} />
      <ExporterForm
        submit={s.exporters.add}
        onSubmit={async (settings, start) => {
          const added = await client.call<Exporter>('POST', '/exporter', { ...settings, ...start });
          messages.show(s.exporters.added(nameOf(added)));
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
        title={reading.value === undefined ? s.exporters.editTitle : nameOf(reading.value)}
        back={{ href: '/settings/exporters', label: s.exporters.title }}
      />
      <ReadingView of={reading} rows={4}>
        {(exporter) => (
          <>
            <ExporterForm
              exporter={exporter}
              submit={s.save}
              onSubmit={async (settings) => {
                const changed = await client.call<Exporter>('PATCH', path, settings);
                messages.show(s.exporters.changed(nameOf(changed)));
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
      title={s.exporters.replayTitle}
      text={s.exporters.replayText}
      submit={s.exporters.replay}
      isIdle={!isAll && from === null}
      onSubmit={async () => {
        await client.call('POST', `${path}/replay`, { from: isAll ? 'beginning' : from });
        messages.show(s.exporters.replayed);
      }}
    >
      <SelectField
        label={s.exporters.replayFrom}
        value={start}
        onValue={setStart}
        options={[
          ['beginning', s.exporters.starts.beginning],
          ['time', s.exporters.fromTime],
        ]}
      />
      {isAll ? null : (
        <MomentField
          label={s.exporters.time}
          hint={s.exporters.timeHint}
          value={from}
          onValue={setFrom}
          error={form.faults['from']}
        />
      )}
    </PanelForm>
  );
}
