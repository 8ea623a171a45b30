import { useEffect, useRef } from 'preact/hooks';
import type { IntegrationKind, IntegrationSetup } from '#web/client/api.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { RowsSkeleton } from '#web/parts/reading-view.tsx';
import type { PageProps } from '#web/router.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { KindHelp } from './kind-list.tsx';
import { NewDevices } from './new-devices.tsx';
import { SetupStepView, stepWords } from './setup-steps.tsx';
import { useKinds } from '#web/readings/use-integrations.ts';
import { type SetupReading, useSetup, useStartSetup } from './use-setup.ts';

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

type BodyProps = { readonly reading: SetupReading; readonly kind: IntegrationKind | undefined };

function Body({ reading, kind }: BodyProps) {
  const { setup, fault, again, answer } = reading;
  const body = useFocusOnChange(placeOf(setup));
  return (
    <>
      {fault === undefined ? null : (
        <Notice tone="danger" text={fault}>
          <button type="button" class="button notice-button" onClick={() => void again()}>
            {pageWords.retry}
          </button>
        </Notice>
      )}
      <div ref={body} tabIndex={-1} class="setup">
        {setup === undefined && fault === undefined ? <RowsSkeleton rows={2} /> : null}
        {setup === null ? <Gone /> : null}
        {setup?.status === 'running' ? <SetupStepView step={setup.step} onAnswer={answer} /> : null}
        {setup?.status === 'failed' ? <Failed setup={setup} /> : null}
        {setup?.status === 'done' ? <Done setup={setup} kind={kind} /> : null}
      </div>
      {setup?.status === 'running' && setup.step?.type === 'form' ? <KindHelp kind={kind} /> : null}
    </>
  );
}

/** What the person looks at; another one takes the focus. */
function placeOf(setup: IntegrationSetup | null | undefined): string {
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

function announcement(setup: IntegrationSetup | null | undefined, kind: IntegrationKind | undefined): string {
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

function Failed({ setup: { kind, error } }: { readonly setup: IntegrationSetup }) {
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

type DoneProps = { readonly setup: IntegrationSetup; readonly kind: IntegrationKind | undefined };

function Done({ setup: { integration, renewed }, kind }: DoneProps) {
  const name = kind?.name ?? '';
  const id = integration?.id ?? '';
  return (
    <>
      <section class="panel well">
        <Icon name="check" />
        <h2 class="well-title">{renewed ? settingsWords.setup.renewed(name) : settingsWords.setup.done(name)}</h2>
      </section>
      <div class="form-buttons">
        <a class="button" href={`/settings/integrations/${encodeURIComponent(id)}`}>
          {settingsWords.setup.settings}
        </a>
        <a class="button button-main" href="/">
          {settingsWords.setup.toHome}
        </a>
      </div>
      <NewDevices integration={id} kind={kind} />
    </>
  );
}
