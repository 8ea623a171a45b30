import { useEffect, useRef, useState } from 'preact/hooks';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RowsSkeleton, Unread } from '#web/parts/reading-view.tsx';
import { useTask } from '#web/parts/use-task.ts';
import type { PageProps } from '#web/router.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { BridgePanel } from '#web/integrations/bridge/bridge-panel.tsx';
import { FoundOfKind, KindHelp } from './kind-list.tsx';
import { SetupBusy, SetupStepView, stepWords } from './setup-steps.tsx';
import { useKinds, useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { type SetupReading, useSetup, useStartSetup } from './use-setup.ts';
import { natureOf } from '#web/state/device/device-facts.ts';
import { NameAndRoom } from '#web/device/name-and-room.tsx';
import { useHub } from '#web/hub.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { troubles as troubleWords } from '#web/strings/en/troubles.ts';
import { enumWords } from '#web/strings/value-words.ts';
import { errorWords } from '#web/strings/error-words.ts';
import type { IntegrationShown, KindShown, SetupShown } from '#web/strings/kind-words.ts';

/** One set-up of an integration, step by step, to its new devices. */
export function SetupPage({ params }: PageProps) {
  const reading = useSetup(params['id'] ?? '');
  const { value: kinds } = useKinds();
  const { setup } = reading;
  const kind = kinds?.find(({ id }) => id === setup?.kind);
  return (
    <div class="page narrow">
      <PageHead
        title={kind === undefined ? settingsWords.setup.title : settingsWords.setup.of(kind.name)}
        back={{ href: '/add', label: pageWords.pairing.title }}
      />
      <p class="unseen" role="status">
        {announcement(setup, kind)}
      </p>
      <Body reading={reading} kind={kind} />
    </div>
  );
}

type BodyProps = { readonly reading: SetupReading; readonly kind: KindShown | undefined };

function Body({ reading, kind }: BodyProps) {
  const { setup, fault, again, answer, end } = reading;
  const ending = useTask(end);
  const form = setup?.status === 'running' && setup.step?.type === 'form' ? setup.step : undefined;
  // A thing that was found has brought its address along.
  const isSought = kind?.discovered === true && form?.fields?.['host'] !== undefined && !form.values?.['host'];
  const body = useFocusOnChange(placeOf(setup));
  return (
    <>
      <Unread fault={fault} again={again} />
      <div ref={body} tabIndex={-1} class="setup">
        {setup === undefined && fault === undefined ? <RowsSkeleton rows={2} /> : null}
        {setup === null ? <Gone /> : null}
        {setup?.status === 'running' ? <SetupStepView setup={setup} onAnswer={answer} /> : null}
        {setup?.status === 'failed' && !ending.isRunning ? <Failed setup={setup} /> : null}
        {setup?.status === 'done' ? <Done setup={setup} kind={kind} /> : null}
      </div>
      {form === undefined ? null : isSought ? <FoundOfKind kind={kind} /> : <KindHelp kind={kind} />}
      {ending.refusal === undefined ? null : <Notice tone="danger" text={ending.refusal} />}
      {setup?.status === 'running' ? (
        <button type="button" class="button button-plain" aria-disabled={ending.isRunning} onClick={ending.run}>
          {settingsWords.setup.end}
        </button>
      ) : null}
    </>
  );
}

/** Names the place that the person looks at; another one takes the focus. */
function placeOf(setup: SetupShown | null | undefined): string {
  if (setup === undefined || setup === null) return String(setup);
  const { status, step } = setup;
  return status === 'running' ? `${step?.type ?? 'busy'} ${step?.text ?? ''}` : status;
}

/** The button that had the focus is gone with its step: the next step takes it, unless a field of it already has. */
function useFocusOnChange(place: string) {
  const body = useRef<HTMLDivElement>(null);
  const last = useRef(place);
  useEffect(() => {
    const isFirst = last.current === 'undefined';
    if (last.current === place) return;
    last.current = place;
    const { activeElement } = document;
    if (!isFirst && (activeElement === document.body || activeElement === null)) {
      const target = body.current?.querySelector<HTMLElement>('input:not([type=checkbox]), select') ?? body.current;
      target?.focus({ preventScroll: true });
    }
  }, [place]);
  return body;
}

function announcement(setup: SetupShown | null | undefined, kind: KindShown | undefined): string {
  if (setup === undefined) return '';
  if (setup === null) return settingsWords.setup.gone;
  if (setup.status === 'done')
    return setup.renewed ? settingsWords.setup.renewed(kind?.name ?? '') : settingsWords.setup.done(kind?.name ?? '');
  // A failure is an alert already.
  return setup.status === 'failed' ? '' : stepWords(setup.step);
}

function Gone() {
  return (
    <section class="panel no-way">
      <Icon name="info" size={40} />
      <h2>{settingsWords.setup.gone}</h2>
      <p class="soft">{settingsWords.setup.goneText}</p>
      <a class="button button-main" href="/add">
        {pageWords.pairing.title}
      </a>
    </section>
  );
}

function Failed({ setup: { kind, error } }: { readonly setup: SetupShown }) {
  const { run, isRunning, refusal } = useStartSetup();
  const words = refusal ?? error?.message ?? pageWords.problem.unknown;
  return (
    <section class="panel setup-step">
      <h2 class="form-title">{settingsWords.setup.failed}</h2>
      <Notice tone="danger" text={words} />
      <div class="form-buttons">
        <a class="button" href="/add">
          {settingsWords.setup.back}
        </a>
        <button type="button" class="button button-main" aria-disabled={isRunning} onClick={() => run({ kind })}>
          {pageWords.retry}
        </button>
      </div>
    </section>
  );
}

type DoneProps = { readonly setup: SetupShown; readonly kind: KindShown | undefined };

function Done({ setup: { integration: ref, renewed }, kind }: DoneProps) {
  const { value: all, again } = useNamedIntegrations();
  const name = kind?.name ?? '';
  const id = ref?.id ?? '';
  const integration = all?.find((one) => one.id === id);
  // It offers what is here elsewhere, and brings no devices.
  const offers = Object.values(kind?.settings ?? {}).some(({ type }) => type === 'places');
  const problem = integration?.error ?? null;
  return (
    <>
      <section class="panel well">
        <Icon name="check" />
        <h2 class="well-title">{renewed ? settingsWords.setup.renewed(name) : settingsWords.setup.done(name)}</h2>
      </section>
      {problem === null ? null : <Notice tone="warn" text={troubleWords.why(errorWords(problem, kind?.id))} />}
      {integration !== undefined && offers ? <NewBridge of={integration} onChanged={again} /> : null}
      <div class="form-buttons">
        <a class="button" href={`/settings/integrations/${encodeURIComponent(id)}`}>
          {settingsWords.setup.settings}
        </a>
        <a class={offers ? 'button' : 'button button-main'} href="/">
          {settingsWords.setup.toHome}
        </a>
      </div>
      {offers ? null : <NewDevices integration={id} kind={kind} />}
    </>
  );
}

type NewBridgeProps = { readonly of: IntegrationShown; readonly onChanged: () => Promise<void> };

/** Leads on from a new bridge: another home has to be let in. */
function NewBridge({ of, onChanged }: NewBridgeProps) {
  if (of.status !== 'connected') return of.error === null ? <SetupBusy words={settingsWords.setup.busy} /> : null;
  return of.fabrics === undefined ? null : <BridgePanel of={of} opensAtOnce onChanged={onChanged} />;
}

/** More would make a long page; the home has them all. */
const MOST = 30;

type NewDevicesProps = { readonly integration: string; readonly kind: KindShown | undefined };

/** Shows what has come with a new integration: its devices as they appear, or what can be set up on top of it. */
function NewDevices({ integration: id, kind }: NewDevicesProps) {
  const { home } = useHub();
  const { value: kinds = [] } = useKinds();
  const [lastRoom, setLastRoom] = useState<string | null>(null);
  const devices = home.entries.value.filter(({ device }) => device.value.integration === id);
  const users = kinds.filter(({ settings }) => Object.values(settings).some((field) => field.kind === kind?.id));
  const shown = devices.slice(0, MOST);
  return (
    <>
      {users.length > 0 && kind !== undefined ? (
        <p>
          {settingsWords.setup.nextKind(users.map(({ name }) => name))} <a href="/add">{settingsWords.setting.toAdd}</a>
        </p>
      ) : null}
      {devices.length === 0 && users.length === 0 ? <p class="soft">{settingsWords.setup.noDevices}</p> : null}
      {devices.length === 0 ? null : <h2 class="rows-title">{settingsWords.integrations.devices(devices.length)}</h2>}
      <ul class="found">
        {shown.map((entry) => (
          <li key={entry.device.value.id} class="panel">
            <NewDevice entry={entry} lastRoom={lastRoom} onRoom={setLastRoom} />
          </li>
        ))}
      </ul>
      {devices.length > MOST ? <p class="soft">{settingsWords.setup.moreDevices(devices.length - MOST)}</p> : null}
    </>
  );
}

type DeviceProps = {
  readonly entry: DeviceEntry;
  readonly lastRoom: string | null;
  readonly onRoom: (id: string | null) => void;
};

function NewDevice({ entry, lastRoom, onRoom }: DeviceProps) {
  const [isOpen, setIsOpen] = useState(false);
  const device = entry.device.value;
  return (
    <>
      <div class="found-head">
        <Icon name={natureOf(device).icon} />
        <span class="row-text">
          <bdi class="row-title">{device.name}</bdi>
          <bdi class="row-note">
            {device.room?.name ?? pageWords.home.noRoom} · {pageWords.types[device.type] ?? enumWords(device.type)}
          </bdi>
        </span>
        {isOpen ? null : (
          <button
            type="button"
            class="button"
            aria-label={settingsWords.setup.editOne(device.name)}
            onClick={() => setIsOpen(true)}
          >
            {settingsWords.setup.edit}
          </button>
        )}
      </div>
      {isOpen ? (
        <NameAndRoom
          device={device}
          proposedRoom={lastRoom}
          onSaved={(room) => {
            setIsOpen(false);
            onRoom(room);
          }}
          onCancel={() => setIsOpen(false)}
        />
      ) : null}
    </>
  );
}
