import { useState } from 'preact/hooks';
import type { Exporter, ExporterCreate } from '#web/client/api.ts';
import { EXPORTER_TYPES, LIMITS } from '#web/client/vocabulary.ts';
import { MomentField } from '#web/form/moment-field.tsx';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { useField, useForm, type Field } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import type { PageProps } from '#web/router.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { nameOf } from './exporter-words.ts';
import { Choice } from '#web/form/choice.tsx';
import { NAME_INPUT, TextField } from '#web/form/text-field.tsx';
import { useBrokers } from '#web/readings/use-kinds.ts';
import { ALL_SERIES, SeriesFilterField } from './series-filter-field.tsx';

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
  const from = useField<string | null>(form, 'from', null);
  const [start, setStart] = useState('beginning');
  const isAll = start === 'beginning';
  return (
    <PanelForm
      form={form}
      title={settingsWords.exporters.replayTitle}
      text={settingsWords.exporters.replayText}
      submit={settingsWords.exporters.replay}
      isIdle={!isAll && from.value === null}
      onSubmit={async () => {
        await client.call('POST', `${path}/replay`, { from: isAll ? 'beginning' : from.value });
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
        <MomentField label={settingsWords.exporters.time} hint={settingsWords.exporters.timeHint} {...from} />
      )}
    </PanelForm>
  );
}

const STARTS = ['now', 'beginning'] as const;
const FIELDS = ['url', 'broker', 'name', 'credentials'];

type FormProps = {
  /** The one that is changed; `undefined` for a new one. */
  readonly exporter?: Exporter;
  readonly submit: string;
  /** Gets the settings as the API takes them. */
  readonly onSubmit: (settings: Omit<ExporterCreate, 'type' | 'from'>, start: Start) => Promise<void>;
};
/** Only a new exporter has these. */
type Start = { readonly type: ExporterCreate['type']; readonly from: (typeof STARTS)[number] };

/** Where a part of the history goes. */
function ExporterForm({ exporter, submit, onSubmit }: FormProps) {
  const [type, setType] = useState<Start['type']>(exporter?.type ?? 'line_protocol');
  const [isForgotten, setIsForgotten] = useState(false);
  const [filter, setFilter] = useState(exporter?.series ?? ALL_SERIES);
  const [from, setFrom] = useState<Start['from']>('beginning');
  const form = useForm(FIELDS);
  const broker = useField(form, 'broker', exporter?.broker ?? '');
  const url = useField(form, 'url', exporter?.url ?? '');
  const name = useField(form, 'name', exporter?.name ?? '');
  const user = useField(form, 'credentials', '');
  const [password, setPassword] = useState('');
  const hasBroker = type === 'mqtt' && broker.value !== '';
  const save = async (): Promise<void> => {
    const place = hasBroker ? { broker: broker.value } : { url: url.value.trim() };
    const settings = {
      ...place,
      name: name.value.trim() === '' ? null : name.value.trim(),
      series: filter,
      ...(hasBroker ? {} : isForgotten ? { credentials: null } : credentialsFrom(user.value.trim(), password, type)),
    };
    await onSubmit(settings, { type, from });
  };
  return (
    <PanelForm form={form} submit={submit} needed={hasBroker ? {} : { url: url.value }} onSubmit={save}>
      {exporter === undefined ? (
        <SelectField
          label={settingsWords.exporters.type}
          value={type}
          onValue={(chosen) => setType(EXPORTER_TYPES.find((one) => one === chosen) ?? type)}
          options={EXPORTER_TYPES.map((one) => [one, settingsWords.exporters.types[one]])}
        />
      ) : null}
      <Receiver {...{ type, broker, url }} />
      <TextField label={settingsWords.exporters.name} {...name} input={NAME_INPUT} />
      {hasBroker ? null : (
        <Credentials
          {...{ type, user, password, isForgotten }}
          isStored={exporter?.has_credentials === true}
          onPassword={setPassword}
          onForget={setIsForgotten}
        />
      )}
      <SeriesFilterField value={filter} onValue={setFilter} />
      {exporter === undefined ? (
        <SelectField
          label={settingsWords.exporters.from}
          value={from}
          onValue={(chosen) => setFrom(STARTS.find((one) => one === chosen) ?? from)}
          options={STARTS.map((one) => [one, settingsWords.exporters.starts[one]])}
        />
      ) : null}
    </PanelForm>
  );
}

type ReceiverProps = {
  readonly type: Start['type'];
  /** Id of an integration; '' for an address. */
  readonly broker: Field;
  readonly url: Field;
};

/** A broker that the hub is connected to, or an address. */
function Receiver({ type, broker, url }: ReceiverProps) {
  const brokers = useBrokers();
  const isKnown = broker.value === '' || brokers.some(({ id }) => id === broker.value);
  return (
    <>
      {type === 'mqtt' && (brokers.length > 0 || !isKnown) ? (
        <SelectField
          label={settingsWords.exporters.broker}
          {...broker}
          options={[
            ['', settingsWords.exporters.otherBroker],
            ...brokers.map(({ id, name }) => [id, name] as const),
            ...(isKnown ? [] : [[broker.value, broker.value] as const]),
          ]}
        />
      ) : null}
      {type === 'mqtt' && broker.value !== '' ? null : (
        <TextField
          label={settingsWords.exporters.url}
          {...url}
          hint={settingsWords.exporters.urlHints[type]}
          input={{
            maxLength: LIMITS.url,
            placeholder: settingsWords.exporters.urlExamples[type],
            autocapitalize: 'off',
            spellcheck: false,
            inputMode: 'url',
          }}
        />
      )}
    </>
  );
}

type CredentialsProps = {
  readonly type: Start['type'];
  readonly user: Field;
  readonly password: string;
  readonly isForgotten: boolean;
  readonly isStored: boolean;
  readonly onPassword: (password: string) => void;
  readonly onForget: (isForgotten: boolean) => void;
};

/** The hub shows nobody what it has: stored credentials are kept, replaced or removed. */
function Credentials(props: CredentialsProps) {
  const { type, user, password, isForgotten, isStored, onPassword, onForget } = props;
  return (
    <>
      {isStored ? (
        <Choice type="checkbox" label={settingsWords.exporters.forget} isChosen={isForgotten} onChoice={onForget} />
      ) : null}
      {isForgotten ? null : (
        <>
          <TextField
            label={settingsWords.exporters.user}
            {...user}
            hint={isStored ? settingsWords.exporters.keptHint : settingsWords.exporters.userHint}
            input={{ autocapitalize: 'off', spellcheck: false }}
          />
          <TextField
            label={type === 'mqtt' ? settingsWords.exporters.password : settingsWords.exporters.passwordOrToken}
            value={password}
            onValue={onPassword}
            type="password"
          />
        </>
      )}
    </>
  );
}

/** A secret without a user is a token, which a broker does not take. */
function credentialsFrom(user: string, secret: string, type: string): object {
  if (user !== '') return { credentials: { user, password: secret } };
  if (secret === '' || type === 'mqtt') return {};
  return { credentials: { token: secret } };
}
