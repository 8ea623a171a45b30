import { useEffect } from 'preact/hooks';
import type { Exporter, ExporterTest } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReport, useReportedTask } from '#web/parts/use-task.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { filterWords, nameOf, statusWords } from './exporter-words.ts';
import { errorWords } from '#web/strings/error-words.ts';

/** Where the history is sent, and how that goes. */
export function ExportersPage() {
  const { events } = useHub();
  const reading = useReading<readonly Exporter[]>('/exporter');
  const { again } = reading;
  useEffect(
    () =>
      events.listen(({ type }) => {
        if (type === 'exporter.changed' || type === 'exporter.gap') void again();
      }),
    [events, again],
  );
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.exporters.title} back={{ href: '/settings', label: settingsWords.back }}>
        <a class="button" href="/settings/exporters/add">
          <Icon name="plus" size={18} />
          {settingsWords.exporters.add}
        </a>
      </PageHead>
      <p class="soft">{settingsWords.exporters.intro}</p>
      <ReadingView of={reading} rows={1}>
        {(exporters) =>
          exporters.length === 0 ? (
            <p class="panel soft">{settingsWords.exporters.empty}</p>
          ) : (
            <ul class="rows">
              {exporters.map((exporter) => (
                <ExporterRow key={exporter.id} exporter={exporter} again={again} />
              ))}
            </ul>
          )
        }
      </ReadingView>
    </div>
  );
}

type RowProps = { readonly exporter: Exporter; readonly again: () => Promise<void> };

function ExporterRow({ exporter, again }: RowProps) {
  const { client, messages } = useHub();
  const report = useReport();
  const name = nameOf(exporter);
  const path = `/exporter/${exporter.id}`;
  const test = useReportedTask(async () => {
    const { error } = await client.call<ExporterTest>('POST', `${path}/test`);
    messages.show(error === null ? settingsWords.exporters.works : settingsWords.exporters.fails(errorWords(error)));
  }, again);
  // A second tap may come before the list is read again: both are sent.
  const turn = async (): Promise<void> => {
    await report(async () => {
      const { enabled } = await client.call<Exporter>('PATCH', path, { enabled: !exporter.enabled });
      messages.show(enabled ? settingsWords.exporters.turnedOn(name) : settingsWords.exporters.turnedOff(name));
    });
    await again();
  };
  return (
    <li class="row row-top">
      <span class="row-text">
        <bdi class="row-title">{name}</bdi>
        <span class="row-note">{settingsWords.exporters.types[exporter.type]}</span>
        {filterWords(exporter).map((words) => (
          <span key={words} class="row-note">
            {words}
          </span>
        ))}
        {statusWords(exporter).map((words) => (
          <span key={words} class="row-note">
            {words}
          </span>
        ))}
      </span>
      <span class="row-buttons">
        <a
          class="button"
          href={`/settings/exporters/${exporter.id}`}
          aria-label={settingsWords.exporters.editOne(name)}
        >
          {settingsWords.exporters.edit}
        </a>
        <button
          type="button"
          class="button"
          aria-label={
            exporter.enabled ? settingsWords.exporters.turnOffOne(name) : settingsWords.exporters.turnOnOne(name)
          }
          onClick={() => void turn()}
        >
          {exporter.enabled ? settingsWords.exporters.turnOff : settingsWords.exporters.turnOn}
        </button>
        <button type="button" class="button" aria-label={settingsWords.exporters.testOne(name)} onClick={test.run}>
          {settingsWords.exporters.test}
        </button>
        <RemoveButton
          path={path}
          label={settingsWords.exporters.remove}
          of={settingsWords.exporters.removeOne(name)}
          question={settingsWords.exporters.removeTitle(name)}
          text={settingsWords.exporters.removeText}
          removed={settingsWords.exporters.removed(name)}
          after={again}
        />
      </span>
    </li>
  );
}
