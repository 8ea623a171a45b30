import { useState } from 'preact/hooks';
import type { EnergyRecalculated, EnergySettings, EnergyDeletion } from '#web/client/api.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { energy as energyWords } from '#web/strings/en/energy.ts';
import { ConsumerFields } from './consumer-fields.tsx';
import { bodyOf, draftFaults, draftOf, pointersOf, usedSeries } from './settings-draft.ts';
import { BatteryFields, GridFields, MeterFields } from './source-fields.tsx';
import { TariffFields } from './tariff-fields.tsx';
import { MomentField } from '#web/form/moment-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';

/** Asks what measures the energy of the home, and what it costs. */
export function EnergySettingsPage() {
  const reading = useReading<EnergySettings>('/energy/settings');
  return (
    <div class="page narrow energy">
      <PageHead title={energyWords.settings} back={{ href: '/history/energy', label: energyWords.title }} />
      <p class="soft">{energyWords.set.intro}</p>
      <ReadingView of={reading} rows={6}>
        {(settings) => <SettingsForm settings={settings} again={reading.again} />}
      </ReadingView>
    </div>
  );
}

type FormProps = { readonly settings: EnergySettings; readonly again: () => Promise<void> };

function SettingsForm({ settings, again }: FormProps) {
  const { account, client, messages, router } = useHub();
  // What comes from the hub later does not overwrite what a person enters.
  const [draft, setDraft] = useState(() => draftOf(settings));
  const form = useForm(pointersOf(draft));
  const context = { used: usedSeries(draft), faults: form.faults };
  const parts = { draft, onDraft: setDraft, context };
  const isOutdated = settings.revision !== draft.revision;
  const saveAt = async (revision: number): Promise<void> => {
    try {
      await client.putIf(revision, '/energy/settings', bodyOf(draft));
    } catch (cause) {
      if (!(cause instanceof HubProblem) || cause.code !== 'PRECONDITION_FAILED') throw cause;
      // A notice offers both ways on after a conflict.
      return again();
    }
    messages.show(energyWords.set.saved);
    router.go('/history/energy');
  };
  const submitAt = (revision: number): void => {
    const faults = draftFaults(draft);
    if (Object.keys(faults).length > 0) form.show(faults);
    else form.submit(() => saveAt(revision));
  };
  const count = Object.values(form.faults).filter((fault) => fault !== undefined).length;
  return (
    <>
      <FormFrame form={form} class="energy-form" onSubmit={() => submitAt(draft.revision)}>
        <GridFields {...parts} />
        <MeterFields {...parts} />
        <BatteryFields {...parts} />
        <ConsumerFields {...parts} />
        <TariffFields {...parts} />
        {count === 0 ? null : <Notice tone="danger" text={form.faults['all'] ?? energyWords.set.faults(count)} />}
        {isOutdated ? (
          <Conflict onTheirs={() => setDraft(draftOf(settings))} onMine={() => submitAt(settings.revision)} />
        ) : null}
        <div class="form-buttons save-bar">
          <button type="submit" class="button button-main" aria-disabled={form.isBusy}>
            {form.isBusy ? energyWords.set.saving : energyWords.set.save}
          </button>
        </div>
      </FormFrame>
      <PastDays />
      {account.can('system:manage') ? <DeleteEnergy consumers={settings.consumers} /> : null}
    </>
  );
}

type ConflictProps = { readonly onTheirs: () => void; readonly onMine: () => void };

/** Both ways on after somebody else was quicker. */
function Conflict({ onTheirs, onMine }: ConflictProps) {
  return (
    <Notice tone="warn" text={energyWords.set.conflict}>
      <div class="row-buttons notice-button">
        <button type="button" class="button" onClick={onTheirs}>
          {energyWords.set.showTheirs}
        </button>
        <button type="button" class="button" onClick={onMine}>
          {energyWords.set.saveMine}
        </button>
      </div>
    </Notice>
  );
}

const RECALCULATED_MS = 31 * 86_400_000;

/** Offers to settle past days again: they keep their costs unless a person wants it otherwise. */
function PastDays() {
  const { client, messages, questions, time } = useHub();
  const recalculate = useReportedTask(async () => {
    const [from, to] = [time.nowMs.value - RECALCULATED_MS, time.nowMs.value].map((ms) => new Date(ms).toISOString());
    const { hours } = await client.call<EnergyRecalculated>('POST', '/energy/recalculate', { from, to });
    messages.show(energyWords.set.recalculated(hours));
  });
  const { recalculateTitle: title, recalculateText: text, recalculate: confirm } = energyWords.set;
  return (
    <section class="panel form">
      <h2 class="form-title">{energyWords.set.past}</h2>
      <p class="form-text">{energyWords.set.pastText}</p>
      <div class="form-buttons">
        <button type="button" class="button" onClick={() => questions.ask({ title, text, confirm }, recalculate.run)}>
          {confirm}
        </button>
      </div>
    </section>
  );
}

type DeletionProps = { readonly consumers: EnergySettings['consumers'] };

/** Deletes what hours came to: all of it, or of one consumer. It asks the hub first how much that is. */
function DeleteEnergy({ consumers }: DeletionProps) {
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
