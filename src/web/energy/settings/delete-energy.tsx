import { useState } from 'preact/hooks';
import type { EnergyDeletion, EnergySettings } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { MomentField } from '#web/form/moment-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';

type Props = { readonly consumers: EnergySettings['consumers'] };

/** Deletes what hours came to: all of it, or of one consumer. It asks the hub first how much that is. */
export function DeleteEnergy({ consumers }: Props) {
  const { client, home, messages, questions, time } = useHub();
  const form = useForm([]);
  const [consumer, setConsumer] = useState('');
  const [from, setFrom] = useState<string | null>(null);
  const [to, setTo] = useState<string | null>(null);
  const options: readonly (readonly [string, string])[] = [
    ['', energyWords.set.everything],
    ...consumers.map(({ series, name }): readonly [string, string] => [
      series,
      name ?? home.find(series.slice(0, series.indexOf('/')))?.device.value.name ?? series,
    ]),
  ];
  const look = async (): Promise<void> => {
    const query = new URLSearchParams({
      ...(consumer === '' ? {} : { consumer }),
      ...(from === null ? {} : { from }),
      // An end of its own, so that the question and its answer are about the same hours.
      to: to ?? new Date(time.nowMs.peek()).toISOString(),
    }).toString();
    const hours = await client.call<EnergyDeletion>('DELETE', `/energy?${query}&dry_run=true`).then(
      (answer) => answer.hours,
      (cause: unknown) => {
        // A consumer that is new has no hours yet.
        if (cause instanceof HubProblem && cause.code === 'NOT_FOUND') return 0;
        throw cause;
      },
    );
    const what = options.find(([series]) => series === consumer)?.[1] ?? consumer;
    if (hours === 0) return messages.show(energyWords.set.nothing);
    const text = energyWords.set.deleteWarning(what, hours);
    questions.ask(
      { title: energyWords.set.deleteQuestion, text, confirm: energyWords.set.delete, tone: 'danger' },
      () => remove.run(query),
    );
  };
  const remove = useReportedTask(async (query: string) => {
    const { hours } = await client.call<EnergyDeletion>('DELETE', `/energy?${query}`);
    messages.show(energyWords.set.deleted(hours));
  });
  return (
    <PanelForm
      form={form}
      title={energyWords.set.deleteTitle}
      text={energyWords.set.deleteText}
      submit={energyWords.set.look}
      onSubmit={look}
    >
      <SelectField label={energyWords.set.deleteWhat} value={consumer} onValue={setConsumer} options={options} />
      <MomentField
        label={energyWords.set.deleteFrom}
        hint={energyWords.set.fromHint}
        value={from}
        onValue={setFrom}
        error={undefined}
      />
      <MomentField
        label={energyWords.set.deleteTo}
        hint={energyWords.set.toHint}
        value={to}
        onValue={setTo}
        error={undefined}
      />
    </PanelForm>
  );
}
