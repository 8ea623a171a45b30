import { computed } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import type { SystemInfo, Integration } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { type FullHealth, type Trouble, troublesOf } from '#web/hub/health.ts';
import { isNotSetUp, useIntegrations } from '#web/readings/use-integrations.ts';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { troubles as troubleWords } from '#web/strings/en/troubles.ts';
import { errorWords } from '#web/strings/error-words.ts';

const AGAIN_MS = 60_000;

/**
 * Shows what is wrong with the whole home: broken integrations for everyone, troubles of the hub for admins and owners.
 */
export function HomeTroubles() {
  const { account } = useHub();
  const integrations = useIntegrations();
  const broken = withoutEchoes((integrations.value ?? []).filter((one) => one.error !== null && !isNotSetUp(one)));
  const isAnswered = integrations.value !== undefined || integrations.fault !== undefined;
  if (!isAnswered || account.me.value === null) return null;
  return account.can('system:read') ? <KeeperTroubles broken={broken} /> : <Lines broken={broken} ofHub={[]} />;
}

/** Without those that have no devices and the same trouble as one that has: a broker and what speaks through it. */
function withoutEchoes(broken: readonly Integration[]): readonly Integration[] {
  const told = new Set(broken.filter(({ devices }) => devices > 0).map(({ error }) => error?.message));
  return broken.filter(({ devices, error }) => devices > 0 || !told.has(error?.message));
}

type LinesProps = { readonly broken: readonly Integration[]; readonly ofHub: readonly Trouble[] };

/** In one place of the head, however many there are: they come at any time, and must not move what a finger is about to touch. */
function Lines({ broken, ofHub }: LinesProps) {
  const [isOpen, setIsOpen] = useState(false);
  const words = troubleWords.count(broken.length + ofHub.length);
  const isNone = broken.length === 0 && ofHub.length === 0;
  return (
    <div role="status">
      {isNone ? null : (
        <button
          type="button"
          class="pill"
          data-tone="warn"
          aria-label={words}
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
        >
          <Icon name="warning" size={18} />
          <span>{words}</span>
        </button>
      )}
      {isOpen && !isNone ? (
        <Dialog title={words} onClose={() => setIsOpen(false)}>
          {() => (
            <>
              {broken.map((integration) => (
                <BrokenIntegration key={integration.id} of={integration} />
              ))}
              {ofHub.map(({ id, text }) => (
                <p key={id}>
                  <strong>{text}</strong> <a href="/settings/health">{troubleWords.whatToDo}</a>
                </p>
              ))}
            </>
          )}
        </Dialog>
      ) : null}
    </div>
  );
}

function BrokenIntegration({ of }: { readonly of: Integration }) {
  const { account, home, time } = useHub();
  const { id, kind, name, status, since, error } = of;
  const lost = useMemo(
    () => computed(() => home.entries.value.filter(({ lostBy }) => lostBy.value === id).length),
    [home, id],
  ).value;
  const words = error === null ? '' : errorWords(error, kind);
  return (
    <p>
      {status === 'connected' ? null : <strong>{troubleWords.notConnected(name, time.momentOf(since), lost)} </strong>}
      {status === 'connected' ? troubleWords.of(name, words) : troubleWords.why(words)}{' '}
      {account.can('hub:manage') ? (
        <a href={`/settings/integrations/${encodeURIComponent(id)}`}>{troubleWords.checkConnection}</a>
      ) : null}
    </p>
  );
}

function KeeperTroubles({ broken }: Pick<LinesProps, 'broken'>) {
  const { live } = useHub();
  const health = useReading<FullHealth>('/health', { everyMs: AGAIN_MS });
  const system = useReading<SystemInfo>('/system/info', { everyMs: AGAIN_MS });
  // All at once: each later line would move the home again.
  if ([health, system].some(({ value, fault }) => value === undefined && fault === undefined)) return null;
  const known = health.value === undefined ? [] : troublesOf(health.value, system.value);
  // Without a connection another notice says so.
  const unreadWords = live.isConnected.value === true ? health.fault : undefined;
  const unread = unreadWords === undefined ? [] : [{ id: 'unread', text: unreadWords, todo: '' }];
  return <Lines broken={broken} ofHub={[...unread, ...known]} />;
}
