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
import { metersOf } from './likely.ts';
import { type Part, PARTS } from './questions.tsx';
import { SaveBar, type SettingsProps, useDraft } from './saving.tsx';
import { SetUp, Summary } from './set-up.tsx';
import { draftOf, isEmpty } from './settings-draft.ts';
import { BatteryFields, GridFields, MeterFields, type PartProps } from './source-fields.tsx';
import { TariffFields } from './tariff-fields.tsx';
import { MomentField } from '#web/form/moment-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';

/** Asks a new home what measures its energy, and what it costs; later it shows the answers, each of which can be changed. */
export function EnergySettingsPage() {
  const { home, router } = useHub();
  const reading = useReading<EnergySettings>('/energy/settings');
  const query = new URLSearchParams(router.place.value.query);
  const part = PARTS.find((one) => one === query.get('part'));
  return (
    <div class="page narrow energy">
      {part === undefined ? (
        <PageHead title={energyWords.settings} back={{ href: '/history/energy', label: energyWords.title }} />
      ) : (
        <PageHead title={energyWords.set.parts[part]} back={{ href: ADDRESS, label: energyWords.settings }} />
      )}
      <ReadingView of={reading} rows={6}>
        {(settings) => {
          const props = { settings, again: reading.again };
          if (part !== undefined) return <PartForm key={part} part={part} {...props} />;
          const isNew = isEmpty(draftOf(settings)) && metersOf(home.entries.value).length > 0;
          return isNew ? <SetUp step={query.get('step')} {...props} /> : <Overview settings={settings} />;
        }}
      </ReadingView>
    </div>
  );
}

const ADDRESS = '/settings/energy';

function PartForm({ part, ...props }: SettingsProps & { readonly part: Part }) {
  const { parts, form, submit, conflict } = useDraft(props, { first: () => draftOf(props.settings), goTo: ADDRESS });
  return (
    <FormFrame form={form} class="energy-form" onSubmit={submit}>
      <Fields part={part} {...parts} />
      <SaveBar {...{ form, conflict }} />
    </FormFrame>
  );
}

/** All that can be said about one part. */
function Fields({ part, ...parts }: PartProps & { readonly part: Part }) {
  if (part === 'grid') return <GridFields {...parts} />;
  if (part === 'battery') return <BatteryFields {...parts} />;
  if (part === 'consumers') return <ConsumerFields {...parts} />;
  if (part === 'tariffs') return <TariffFields {...parts} />;
  return <MeterFields flow={part} {...parts} />;
}

function Overview({ settings }: Pick<SettingsProps, 'settings'>) {
  const { account, home } = useHub();
  const draft = draftOf(settings);
  return (
    <>
      {isEmpty(draft) && home.isLoaded.value ? (
        <Notice text={energyWords.nothingFits}>
          <a class="button notice-button" href="/add">
            {energyWords.addDevice}
          </a>
        </Notice>
      ) : null}
      <Summary parts={PARTS} draft={draft} hrefOf={(part) => `${ADDRESS}?part=${part}`} />
      {isEmpty(draft) ? null : <PastDays />}
      {account.can('system:manage') ? <DeleteEnergy consumers={settings.consumers} /> : null}
    </>
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
