import { Icon } from '#web/parts/icon.tsx';
import { LinkRow } from '#web/parts/link-row.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { useTask } from '#web/parts/use-task.ts';
import { isNotSetUp, useDiscoveries } from '#web/readings/use-integrations.ts';
import { useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { useStartSetup } from './use-setup.ts';
import type { IntegrationShown, KindShown } from '#web/strings/kind-words.ts';

/** The hub listens all the time: what has just been plugged in says so within seconds. */
const LOOK_MS = 3_000;

type ListProps = { readonly kinds: readonly KindShown[]; readonly integrations: readonly IntegrationShown[] };

/** Everything that can be set up. One that is there but was never used leads to its settings. */
export function KindList({ kinds, integrations }: ListProps) {
  const { run, isRunning, refusal } = useStartSetup();
  const able = kinds.filter((kind) => kind.can_set_up);
  // What the hub can find by itself is what most people have.
  const offered = [...able.filter((kind) => kind.discovered), ...able.filter((kind) => !kind.discovered)];
  if (offered.length === 0) return null;
  return (
    <section>
      <h2 class="rows-title">{settingsWords.kinds.title}</h2>
      {refusal === undefined ? null : <Notice tone="danger" text={refusal} />}
      <ul class="rows">
        {offered.map(({ id, name, about }) => {
          const unused = integrations.find((one) => one.kind === id && isNotSetUp(one));
          const words = (
            <>
              <Icon name="link" />
              <span class="row-text">
                <bdi class="row-title">{name}</bdi>
                <span class="row-note">{about}</span>
              </span>
              <Icon name="forward" size={18} />
            </>
          );
          return (
            <li key={id}>
              {unused === undefined ? (
                <button type="button" class="row" aria-disabled={isRunning} onClick={() => run({ kind: id })}>
                  {words}
                </button>
              ) : (
                <a class="row" href={`/settings/integrations/${encodeURIComponent(unused.id)}`}>
                  {words}
                </a>
              )}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

type HelpProps = {
  readonly kind: KindShown | undefined;
  /** Unfolded: nothing is there yet. */
  readonly isOpen?: boolean;
};

/** Explains what it takes to use a kind, for people who have nothing of it yet. */
export function KindHelp({ kind, isOpen = false }: HelpProps) {
  const { value: all = [] } = useNamedIntegrations();
  if (kind === undefined || kind.help.length === 0) return null;
  const through = new Set(Object.values(kind.settings).map((field) => field.kind));
  const brokers = all.filter((one) => through.has(one.kind));
  const addresses = brokers.flatMap(({ settings }) => settings?.['address']?.value ?? []);
  return (
    <details class="panel help" open={isOpen}>
      <summary>{settingsWords.kinds.help}</summary>
      <Steps of={kind.help} />
      {addresses.length > 0 ? (
        <p>
          {settingsWords.kinds.broker} <code class="code">{addresses.join(' ')}</code>
        </p>
      ) : null}
    </details>
  );
}

function Steps({ of }: { readonly of: readonly string[] }) {
  return (
    <ol class="steps">
      {of.map((step) => (
        <li key={step}>{step}</li>
      ))}
    </ol>
  );
}

/** Where the hub finds things of a kind by itself: leads to what it found, or says what to check. */
export function FoundOfKind({ kind }: { readonly kind: KindShown }) {
  const { value: all, again, fault } = useDiscoveries(false);
  const look = useTask(async () => {
    await again();
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }, again);
  const things = (all ?? []).filter((thing) => thing.kind === kind.id);
  if (all === undefined && fault === undefined) return null;
  if (things.length > 0) {
    return (
      <section>
        <h2 class="rows-title">{settingsWords.found.title}</h2>
        <ul class="rows">
          {things.map(({ id, name, address }) => (
            <LinkRow key={id} href="/add" icon="search" title={name} note={address} />
          ))}
        </ul>
      </section>
    );
  }
  return (
    <section class="panel setup-step">
      <h2 class="form-title">{settingsWords.kinds.nothing}</h2>
      <p>{settingsWords.kinds.check}</p>
      <Steps of={[...kind.help, settingsWords.kinds.sameNetwork]} />
      <div class="form-buttons">
        <button type="button" class="button" aria-disabled={look.isRunning} onClick={look.run}>
          {look.isRunning ? settingsWords.kinds.looking : settingsWords.kinds.look}
        </button>
      </div>
    </section>
  );
}
