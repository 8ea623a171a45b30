import { useState } from 'preact/hooks';
import type { Health, HistorySettings, HistoryDeletion, RecordedSeries, RecordedSeriesList } from '#web/client/api.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Facts } from '#web/parts/facts.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { sizeWords, momentWords } from '#web/strings/measure-words.ts';
import { RecordingRules } from './recording-rules.tsx';
import { MomentField } from '#web/form/moment-field.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { enumWords } from '#web/strings/value-words.ts';

const SETTINGS = '/history/settings';

/** How long the history is kept, what it takes, and what of it is deleted. */
export function HistorySettingsPage() {
  const { account } = useHub();
  const reading = useReading<HistorySettings>(SETTINGS);
  const health = useReading<Health>('/health');
  const written = health.value?.disk?.written_today_bytes ?? null;
  const free = health.value?.disk?.free_bytes ?? null;
  return (
    <div class="page narrow">
      <PageHead title={historyWords.keep.title} back={{ href: '/settings', label: settingsWords.back }} />
      <p class="soft">{historyWords.keep.intro}</p>
      <ReadingView of={reading} rows={4}>
        {(settings) => (
          <>
            <Facts
              title={historyWords.keep.disk}
              facts={[
                [historyWords.keep.used, sizeWords(settings.bytes)],
                [historyWords.keep.free, free === null ? null : sizeWords(free)],
                [historyWords.keep.written, written === null ? null : sizeWords(written)],
              ]}
            />
            <KeepForm
              key={`${settings.raw_days} ${settings.max_bytes ?? ''}`}
              settings={settings}
              onSaved={reading.again}
            />
            <RecordingRules rules={settings.per} onSaved={reading.again} />
          </>
        )}
      </ReadingView>
      {account.can('system:manage') ? <DeleteHistory onDeleted={reading.again} /> : null}
    </div>
  );
}

const MEGABYTE = 1_000_000;

type FormProps = { readonly settings: HistorySettings; readonly onSaved: () => Promise<void> };
type Change = { readonly raw_days: number | string; readonly max_bytes: number | string | null };

/** Asks the hub first what would go, so that nobody removes a year by a typing mistake. */
function KeepForm({ settings, onSaved }: FormProps) {
  const { client, messages, questions } = useHub();
  const form = useForm(['raw_days', 'max_bytes']);
  const days = useField(form, 'raw_days', String(settings.raw_days));
  const megabytes = useField(
    form,
    'max_bytes',
    settings.max_bytes === null ? '' : String(Math.round(settings.max_bytes / MEGABYTE)),
  );
  const change: Change = {
    raw_days: numberOr(days.value),
    max_bytes: megabytes.value.trim() === '' ? null : timesMegabyte(numberOr(megabytes.value)),
  };
  const save = async (wanted: Change): Promise<void> => {
    await client.call('PATCH', SETTINGS, wanted);
    messages.show(historyWords.keep.saved);
    await onSaved();
  };
  const saveAnyway = useReportedTask(save);
  const look = async (): Promise<void> => {
    const { removes } = await client.call<HistorySettings>('PATCH', `${SETTINGS}?dry_run=true`, change);
    if (removes.months.length === 0) return save(change);
    const text = historyWords.keep.removeText(removes.months.length, sizeWords(removes.bytes));
    return questions.ask(
      { title: historyWords.keep.removeTitle, text, confirm: historyWords.keep.remove, tone: 'danger' },
      () => saveAnyway.run(change),
    );
  };
  return (
    <PanelForm
      form={form}
      title={historyWords.keep.howLong}
      submit={settingsWords.save}
      needed={{ raw_days: days.value }}
      onSubmit={look}
    >
      <TextField
        label={historyWords.keep.days}
        hint={historyWords.keep.daysHint}
        {...days}
        input={{ inputMode: 'numeric', maxLength: 6 }}
      />
      <TextField
        label={historyWords.keep.size}
        hint={historyWords.keep.sizeHint}
        {...megabytes}
        input={{ inputMode: 'numeric', maxLength: 9 }}
      />
    </PanelForm>
  );
}

/** Reads a number. Any other text goes to the hub as it is, whose refusal is shown at the field. */
function numberOr(text: string): number | string {
  const number = Number(text.trim());
  return Number.isFinite(number) ? number : text;
}

function timesMegabyte(count: number | string): number | string {
  return typeof count === 'number' ? Math.round(count * MEGABYTE) : count;
}

const { columns, keep } = historyWords;

/** Deletes the history of the home, a device or a feature, of all times or of one. It asks the hub first what that is. */
function DeleteHistory({ onDeleted }: { readonly onDeleted: () => Promise<void> }) {
  const { client, home, messages, questions, time } = useHub();
  const form = useForm([]);
  const { value: present } = useReading<RecordedSeriesList>('/history/series');
  const { value: past, again: readRemoved } = useReading<RecordedSeriesList>('/history/series?removed=true');
  const removed = past?.series ?? [];
  const [device, setDevice] = useState('');
  const [feature, setFeature] = useState('');
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const devices = home.entries.value.map((entry) => entry.device.value);
  const chosen = devices.find(({ id }) => id === device);
  const keys = [...(present?.series ?? []), ...removed]
    .filter((one) => one.device?.id === device)
    .map(({ key }) => key);
  const gone = goneDevices(removed).filter(([id]) => devices.every((one) => one.id !== id));
  const subjectName = chosen?.name ?? gone.find(([id]) => id === device)?.[1] ?? '';
  const featureName = (key: string): string => chosen?.features.find((one) => one.key === key)?.name ?? enumWords(key);
  const look = async (): Promise<void> => {
    const params = new URLSearchParams({
      ...(device === '' ? {} : { series: feature === '' ? device : `${device}/${feature}` }),
      ...(from === null ? {} : { from }),
      ...(to === null ? {} : { to }),
      // The hub wants a word for everything: all until now.
      ...(device === '' && from === null && to === null ? { to: new Date(time.nowMs.peek()).toISOString() } : {}),
    });
    const query = params.toString();
    const { series } = await client.call<HistoryDeletion>('DELETE', `/history?${query}&dry_run=true`);
    const subject =
      device === ''
        ? keep.everything
        : feature === ''
          ? subjectName
          : historyWords.pick.series(subjectName, featureName(feature));
    const times = keep.times(from === null ? null : momentWords(from), to === null ? null : momentWords(to));
    if (series === 0) return messages.show(keep.nothing);
    const text = keep.deleteWarning(keep.what(subject, times), series);
    questions.ask({ title: keep.deleteQuestion, text, confirm: keep.delete, tone: 'danger' }, () => remove.run(query));
  };
  const remove = useReportedTask(
    async (query: string) => {
      await client.call('DELETE', `/history?${query}`);
      messages.show(keep.deleted);
    },
    () => Promise.all([onDeleted(), readRemoved()]),
  );
  return (
    <PanelForm form={form} title={keep.deleteTitle} text={keep.deleteText} submit={keep.look} onSubmit={look}>
      <SelectField
        label={historyWords.log.device}
        value={device}
        onValue={(id) => {
          setDevice(id);
          setFeature('');
        }}
        options={[['', keep.everything], ...devices.map(({ id, name }) => [id, name] as const), ...gone]}
      />
      {device === '' ? null : (
        <SelectField
          label={keep.feature}
          value={feature}
          onValue={setFeature}
          options={[['', keep.allFeatures], ...keys.map((key) => [key, featureName(key)] as const)]}
        />
      )}
      <MomentField label={columns.from} hint={keep.fromHint} value={from} onValue={setFrom} error={undefined} />
      <MomentField label={columns.to} hint={keep.toHint} value={to} onValue={setTo} error={undefined} />
    </PanelForm>
  );
}

/** Devices that are not there any more, by what is kept of them: nobody knows their names. */
function goneDevices(removed: readonly RecordedSeries[]): readonly (readonly [id: string, words: string])[] {
  const series = new Map<string, RecordedSeries[]>();
  for (const one of removed) {
    if (one.device !== null) series.set(one.device.id, [...(series.get(one.device.id) ?? []), one]);
  }
  return [...series].map(([id, all]) => {
    const last = all.reduce((latest, one) => (one.last > latest ? one.last : latest), '');
    return [id, keep.gone(all.map(({ key }) => enumWords(key)).join(', '), momentWords(last))] as const;
  });
}
