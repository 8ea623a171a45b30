import type { IntegrationFound } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { Unread } from '#web/parts/reading-view.tsx';
import type { Reading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { FoundList } from '#web/integrations/pairing/found-list.tsx';
import { KindList } from './kind-list.tsx';
import { PairingPanel } from '#web/integrations/pairing/pairing-panel.tsx';
import { usePairing, type CodeProgress } from '#web/integrations/pairing/pairing-state.ts';
import { isNotSetUp, useDiscoveries } from '#web/readings/use-integrations.ts';
import { useKinds, useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { type StartSetup, useStartSetup } from './use-setup.ts';
import { useState } from 'preact/hooks';
import type { IntegrationShown, KindShown } from '#web/strings/kind-words.ts';

/** Brings devices into the home: what the hub has found, devices that join, and everything that can be set up. */
export function AddPage() {
  const { account } = useHub();
  return (
    <div class="page narrow">
      <PageHead title={pageWords.pairing.title} back={{ href: '/', label: pageWords.device.toHome }} />
      {account.can('hub:manage') ? <Ways /> : <Pairing kinds={[]} isWelcome={false} />}
    </div>
  );
}

/** For people who may also set up integrations. */
function Ways() {
  const { value: kinds = [], fault, again } = useKinds();
  const { value: integrations = [] } = useNamedIntegrations();
  const shown = useDiscoveries(false);
  return (
    <>
      <FoundThings kinds={kinds} shown={shown} />
      <Pairing kinds={kinds} isWelcome={shown.value?.length === 0} />
      <Unread fault={fault} again={again} />
      <KindList kinds={kinds} integrations={integrations} />
    </>
  );
}

type PairingProps = {
  readonly kinds: readonly KindShown[];
  /** Nothing was found either: say how devices come into a home that has none. */
  readonly isWelcome: boolean;
};

function Pairing({ kinds, isWelcome }: PairingProps) {
  const { value: all, fault, again } = useNamedIntegrations();
  const pairing = usePairing((all ?? []).filter(({ can_pair }) => can_pair).map(({ id }) => id));
  if (fault !== undefined && all === undefined) return <Unread fault={fault} again={again} />;
  if (all === undefined) return <div class="panel panel-waiting" aria-busy="true" />;
  const pairable = all.filter((one) => one.can_pair && one.status !== 'off' && !isNotSetUp(one));
  return (
    <>
      {pairable.map((integration) => {
        const hint = kinds.find(({ id }) => id === integration.kind)?.pairing_hint ?? null;
        return integration.pairs_by_code && integration.status === 'connected' ? (
          <CodePanel
            key={integration.id}
            integration={integration}
            hint={hint}
            progress={pairing.value.codes.get(integration.id) ?? null}
          />
        ) : (
          <PairingPanel
            key={integration.id}
            integration={integration}
            hint={hint}
            closesMs={pairing.value.closesMs.get(integration.id) ?? null}
          />
        );
      })}
      <FoundList devices={pairing.value.devices} />
      {!isWelcome || all.some((one) => !isNotSetUp(one) && one.status !== 'off') ? null : (
        <section class="panel no-way">
          <Icon name="link" size={40} />
          <h2>{settingsWords.found.noneTitle}</h2>
          <p class="soft">{settingsWords.found.noneText}</p>
        </section>
      )}
    </>
  );
}

type FoundProps = {
  readonly kinds: readonly KindShown[];
  readonly shown: Reading<readonly IntegrationFound[]>;
};

/** Lists the things that announce themselves in the network. Their names were given by strangers. */
export function FoundThings({ kinds, shown }: FoundProps) {
  const ignored = useDiscoveries(true);
  const both = (): Promise<unknown> => Promise.all([shown.again(), ignored.again()]);
  const setup = useStartSetup();
  const things = shown.value ?? [];
  const hidden = ignored.value ?? [];
  const fault = setup.refusal ?? shown.fault;
  const nameOf = (id: string): string => kinds.find((kind) => kind.id === id)?.name ?? id;
  if (things.length === 0 && hidden.length === 0 && fault === undefined) return null;
  return (
    <section class="found-things">
      <p class="unseen" role="status">
        {things.length === 0 ? '' : settingsWords.found.count(things.length)}
      </p>
      {fault === undefined ? null : <Notice tone="danger" text={fault} />}
      {things.length === 0 ? null : (
        <>
          <h2 class="rows-title">{settingsWords.found.title}</h2>
          <ul class="rows">
            {things.map((thing) => (
              <FoundRow key={thing.id} thing={thing} kind={nameOf(thing.kind)} setup={setup} onChanged={both} />
            ))}
          </ul>
        </>
      )}
      {hidden.length === 0 ? null : (
        <details class="more">
          <summary>{settingsWords.found.ignored(hidden.length)}</summary>
          <ul class="rows">
            {hidden.map((thing) => (
              <FoundRow key={thing.id} thing={thing} kind={nameOf(thing.kind)} setup={setup} onChanged={both} />
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

type RowProps = {
  readonly thing: IntegrationFound;
  readonly kind: string;
  readonly setup: StartSetup;
  readonly onChanged: () => Promise<unknown>;
};

function FoundRow({ thing: { id, name, address, ignored }, kind, setup, onChanged }: RowProps) {
  const { client } = useHub();
  const call = ignored ? 'restore' : 'ignore';
  const change = useReportedTask(() => client.call('POST', `/integration_found/${id}/${call}`), onChanged);
  return (
    <li class="row found-row">
      <Icon name="search" />
      <span class="row-text">
        <bdi class="row-title">{name}</bdi>
        <span class="row-note">
          {kind} · <bdi>{address}</bdi>
        </span>
      </span>
      <span class="row-buttons">
        <button
          type="button"
          class="button button-plain"
          aria-label={ignored ? settingsWords.found.restoreOne(name) : settingsWords.found.ignoreOne(name)}
          onClick={change.run}
        >
          {ignored ? settingsWords.found.restore : settingsWords.found.ignore}
        </button>
        <button
          type="button"
          class={ignored ? 'button' : 'button button-main'}
          aria-label={settingsWords.found.setUpOne(name)}
          aria-disabled={setup.isRunning}
          onClick={() => setup.run({ found: id })}
        >
          {settingsWords.found.setUp}
        </button>
      </span>
    </li>
  );
}

type CodeProps = {
  readonly integration: Pick<IntegrationShown, 'id' | 'name'>;
  readonly hint: string | null;
  readonly progress: CodeProgress | null;
};

/** Takes a device in by the code that is printed on it, and says how far that is. */
function CodePanel({ integration: { id, name }, hint, progress }: CodeProps) {
  const { client } = useHub();
  const [code, setCode] = useState('');
  const path = `/integration/${encodeURIComponent(id)}/pairing`;
  const [refusal, setRefusal] = useState<string>();
  const isJoining = progress !== null && progress.fault === null;

  // The steps of the device may be shown before the hub has answered: it can be stopped from then on.
  const ask = async (method: 'POST' | 'DELETE'): Promise<void> => {
    const words = await wordsIfRefused(() => client.call(method, path, method === 'POST' ? { code } : undefined));
    setRefusal(words);
    if (words === undefined && method === 'POST') setCode('');
  };
  const failed =
    refusal ?? (progress?.fault === undefined || progress.fault === null ? undefined : wordsOf(progress.fault));
  return (
    <section class="panel pairing">
      <h2 class="panel-title">
        <bdi>{name}</bdi>
      </h2>
      <p>{hint ?? settingsWords.joining.how}</p>
      {failed === undefined || isJoining ? null : <Notice tone="danger" text={failed} />}
      {isJoining ? (
        <div class="pairing-row">
          <p class="countdown" role="status">
            <span class="connection-dot pulse" />
            {pageWords.pairing.code.steps[progress.step] ?? pageWords.pairing.code.steps['searching']}
          </p>
          <button type="button" class="button" onClick={() => void ask('DELETE')}>
            <Icon name="stop" size={20} />
            {pageWords.pairing.stop}
          </button>
        </div>
      ) : (
        <form
          class="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (code.trim() !== '') void ask('POST');
          }}
        >
          <label class="field">
            <span>{pageWords.pairing.code.label}</span>
            <input
              type="text"
              value={code}
              maxLength={256}
              autocomplete="off"
              autocapitalize="characters"
              spellcheck={false}
              placeholder="3497-011-2332"
              onInput={({ currentTarget }) => setCode(currentTarget.value)}
            />
          </label>
          <button type="submit" class="button button-main">
            {pageWords.pairing.code.add}
          </button>
        </form>
      )}
    </section>
  );
}

/** In the language of the page; of a cause that it does not know, in the words of the hub. */
function wordsOf({ code, message }: NonNullable<CodeProgress['fault']>): string {
  return pageWords.pairing.code.faults[code] ?? message;
}
