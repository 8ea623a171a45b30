import { useEffect, useState } from 'preact/hooks';
import type { Exporter, ExporterTest } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { ConfirmDialog } from '#web/parts/confirm-dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { filterWords, nameOf, statusWords } from './exporter-words.ts';
import { errorWords } from '#web/strings/error-words.ts';

/** Where the history is sent, and how that goes. */
export function ExportersPage() {
  const { client, events, messages } = useHub();
  const reading = useReading<readonly Exporter[]>('/exporter');
  const { again } = reading;
  const [removing, setRemoving] = useState<Exporter | null>(null);
  useEffect(
    () =>
      events.listen(({ type }) => {
        if (type === 'exporter.changed' || type === 'exporter.gap') void again();
      }),
    [events, again],
  );
  const act = async (action: () => Promise<string>): Promise<void> => {
    let said = '';
    const refused = await wordsIfRefused(async () => {
      said = await action();
    });
    messages.show(refused ?? said, refused === undefined ? 'plain' : 'danger');
    await again();
  };
  const remove = (exporter: Exporter): Promise<void> =>
    act(async () => {
      await client.call('DELETE', `/exporter/${exporter.id}`);
      return settingsWords.exporters.removed(nameOf(exporter));
    });
  const test = (exporter: Exporter): Promise<void> =>
    act(async () => {
      const { error } = await client.call<ExporterTest>('POST', `/exporter/${exporter.id}/test`);
      return error === null ? settingsWords.exporters.works : settingsWords.exporters.fails(errorWords(error));
    });
  const turn = (exporter: Exporter): Promise<void> =>
    act(async () => {
      const { enabled } = await client.call<Exporter>('PATCH', `/exporter/${exporter.id}`, {
        enabled: !exporter.enabled,
      });
      return enabled
        ? settingsWords.exporters.turnedOn(nameOf(exporter))
        : settingsWords.exporters.turnedOff(nameOf(exporter));
    });
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
                <ExporterRow key={exporter.id} exporter={exporter} onTest={test} onTurn={turn} onRemove={setRemoving} />
              ))}
            </ul>
          )
        }
      </ReadingView>
      {removing === null ? null : (
        <ConfirmDialog
          title={settingsWords.exporters.removeTitle(nameOf(removing))}
          text={settingsWords.exporters.removeText}
          confirm={settingsWords.exporters.remove}
          tone="danger"
          onConfirm={() => void remove(removing)}
          onClose={() => setRemoving(null)}
        />
      )}
    </div>
  );
}

type RowProps = {
  readonly exporter: Exporter;
  readonly onTest: (exporter: Exporter) => Promise<void>;
  readonly onTurn: (exporter: Exporter) => Promise<void>;
  readonly onRemove: (exporter: Exporter) => void;
};

function ExporterRow({ exporter, onTest, onTurn, onRemove }: RowProps) {
  const name = nameOf(exporter);
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
          onClick={() => void onTurn(exporter)}
        >
          {exporter.enabled ? settingsWords.exporters.turnOff : settingsWords.exporters.turnOn}
        </button>
        <button
          type="button"
          class="button"
          aria-label={settingsWords.exporters.testOne(name)}
          onClick={() => void onTest(exporter)}
        >
          {settingsWords.exporters.test}
        </button>
        <button
          type="button"
          class="button button-danger"
          aria-label={settingsWords.exporters.removeOne(name)}
          onClick={() => onRemove(exporter)}
        >
          {settingsWords.exporters.remove}
        </button>
      </span>
    </li>
  );
}
