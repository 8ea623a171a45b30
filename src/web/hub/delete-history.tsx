import { useState } from 'preact/hooks';
import type { HistoryDeletion, RecordedSeries } from '#web/client/api.ts';
import { MomentField } from '#web/form/moment-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { history as historyWords } from '#web/strings/en/history.ts';
import { momentWords } from '#web/strings/measure-words.ts';
import { enumWords } from '#web/strings/value-words.ts';

const { columns, keep } = historyWords;

/** Deletes the history of the home, a device or a feature, of all times or of one. It asks the hub first what that is. */
export function DeleteHistory({ onDeleted }: { readonly onDeleted: () => Promise<void> }) {
  const { client, home, messages, questions, time } = useHub();
  const form = useForm([]);
  const { value: present = [] } = useReading<readonly RecordedSeries[]>('/history/series');
  const { value: removed = [], again: readRemoved } =
    useReading<readonly RecordedSeries[]>('/history/series?removed=true');
  const [device, setDevice] = useState('');
  const [feature, setFeature] = useState('');
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const devices = home.entries.value.map((entry) => entry.device.value);
  const chosen = devices.find(({ id }) => id === device);
  const keys = [...present, ...removed].filter((one) => one.device?.id === device).map(({ key }) => key);
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
