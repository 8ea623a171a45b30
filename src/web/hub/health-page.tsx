import type { SystemInfo } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { IntegrationList } from '#web/integrations/integrations-page.tsx';
import { useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { Ago } from '#web/parts/ago.tsx';
import { Facts } from '#web/parts/facts.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView } from '#web/parts/reading-view.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { durationWords, momentWords, sizeWords } from '#web/strings/measure-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { troubles as troubleWords } from '#web/strings/en/troubles.ts';
import { type FullHealth, troublesOf } from './health.ts';
import type { IntegrationShown } from '#web/strings/kind-words.ts';

const AGAIN_MS = 15_000;

/**
 * Shows what is wrong, the integrations, and facts about the hub and its computer. Reads them again while the page is
 * visible.
 */
export function HealthPage() {
  const health = useReading<FullHealth>('/health', { everyMs: AGAIN_MS });
  const system = useReading<SystemInfo>('/system/info', { everyMs: AGAIN_MS });
  const integrations = useNamedIntegrations();
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.health.title} back={{ href: '/settings', label: settingsWords.back }} />
      <ReadingView of={health} rows={1}>
        {(value) => <Troubles health={value} system={system.value} again={health.again} />}
      </ReadingView>
      <ReadingView of={integrations} rows={2}>
        {(list) => <Connections list={list} />}
      </ReadingView>
      {health.value === undefined ? null : (
        <ReadingView of={system} rows={6}>
          {(info) => (
            <>
              {health.value === undefined ? null : <HubFacts health={health.value} info={info} />}
              <Machine info={info} />
            </>
          )}
        </ReadingView>
      )}
    </div>
  );
}

type FactsProps = { readonly health: FullHealth; readonly info: SystemInfo };

type TroublesProps = {
  readonly health: FullHealth;
  readonly system: SystemInfo | undefined;
  readonly again: () => Promise<void>;
};

function Troubles({ health, system, again }: TroublesProps) {
  const troubles = troublesOf(health, system);
  return (
    <div class="troubles">
      {troubles.map((id) => {
        const [text, todo] = troubleWords.ofHub[id] ?? [id, ''];
        return (
          <Notice key={id} tone="warn">
            <p>
              <strong>{text}</strong>
            </p>
            <p>{todo}</p>
            {id === 'automations' ? <ResumeButton onDone={again} /> : null}
          </Notice>
        );
      })}
      {troubles.length > 0 ? null : (
        <p class="panel well">
          <Icon name="check" />
          {settingsWords.health.well}
        </p>
      )}
    </div>
  );
}

function ResumeButton({ onDone }: { readonly onDone: () => Promise<void> }) {
  const { account, client } = useHub();
  const resume = useReportedTask(() => client.call('POST', '/automation/resume_all'), onDone);
  if (!account.can('hub:manage')) return null;
  return (
    <button type="button" class="button" onClick={resume.run}>
      {troubleWords.resume}
    </button>
  );
}

function Connections({ list }: { readonly list: readonly IntegrationShown[] }) {
  return (
    <section>
      <h2 class="rows-title">{settingsWords.integrations.title}</h2>
      <IntegrationList of={list} />
    </section>
  );
}

function HubFacts({ health, info }: FactsProps) {
  const { database, history, last_backup: lastBackup, disk, clock, addresses, event_clients: clients } = health;
  const { free_bytes: free, total_bytes: total } = info.disk;
  const written = disk.written_today_bytes;
  return (
    <Facts
      title={settingsWords.health.hub}
      facts={[
        [settingsWords.health.version, info.version],
        [settingsWords.health.uptime, durationWords(info.uptime_seconds)],
        [settingsWords.health.database, settingsWords.health.databases[database.status] ?? database.status],
        [
          settingsWords.health.lastBackup,
          lastBackup === null ? pageWords.device.never : <Ago key="backup" at={lastBackup} />,
        ],
        [
          settingsWords.health.history,
          history.bytes === 0 && history.waiting_samples > 0
            ? settingsWords.health.historyWaits(history.waiting_samples)
            : sizeWords(history.bytes),
        ],
        [settingsWords.health.written, written === null ? pageWords.none : sizeWords(written)],
        [
          settingsWords.health.disk,
          free === null || total === null
            ? pageWords.none
            : settingsWords.health.free(sizeWords(free), sizeWords(total)),
        ],
        [settingsWords.health.memory, sizeWords(info.memory_bytes)],
        [settingsWords.health.clients, String(clients)],
        [
          settingsWords.health.clock,
          <span key="clock">
            {momentWords(clock.now)}
            <br />
            {clock.synced ? settingsWords.health.clockSynced : settingsWords.health.clockUnsynced}
          </span>,
        ],
        [
          settingsWords.health.addresses,
          addresses.map((address) => (
            <span key={address} class="fact-line">
              {address}
            </span>
          )),
        ],
      ]}
    />
  );
}

function Machine({ info: { machine } }: { readonly info: SystemInfo }) {
  return (
    <Facts
      title={settingsWords.health.machine}
      facts={[
        [settingsWords.health.hostname, machine.hostname],
        [pageWords.device.model, machine.model],
        [settingsWords.health.system, machine.operating_system],
        [settingsWords.health.kernel, `${machine.kernel} (${machine.architecture})`],
        [settingsWords.health.node, machine.node],
        [settingsWords.health.processors, String(machine.processors)],
        [settingsWords.health.machineMemory, sizeWords(machine.memory_bytes)],
        [settingsWords.health.machineUptime, durationWords(machine.uptime_seconds)],
      ]}
    />
  );
}
