import { useState } from 'preact/hooks';
import type { Integration, SystemInfo } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { type FullHealth, troublesOf } from '#web/hub/health.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Loaded } from '#web/parts/loaded.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { isNotSetUp, useIntegrations } from '#web/readings/use-integrations.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import type { TroubleSheetProps } from './trouble-sheet.tsx';

/** There are seldom any, so their words are not part of the first load. */
const loadSheet = async () => (await import('./trouble-sheet.tsx')).TroubleSheet;
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
  return account.can('system:read') ? (
    <KeeperTroubles broken={broken} />
  ) : (
    <Pill broken={broken} ofHub={[]} unread={undefined} />
  );
}

/** Without those that have no devices and the same trouble as one that has: a broker and what speaks through it. */
function withoutEchoes(broken: readonly Integration[]): readonly Integration[] {
  const told = new Set(broken.filter(({ devices }) => devices > 0).map(({ error }) => error?.message));
  return broken.filter(({ devices, error }) => devices > 0 || !told.has(error?.message));
}

type PillProps = Omit<TroubleSheetProps, 'onClose'>;

/** In one place of the head, however many there are: they come at any time, and must not move what a finger is about to touch. */
function Pill({ broken, ofHub, unread }: PillProps) {
  const [isOpen, setIsOpen] = useState(false);
  const count = broken.length + ofHub.length + (unread === undefined ? 0 : 1);
  const words = homeWords.problems(count);
  return (
    <div role="status">
      {count === 0 ? null : (
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
      {isOpen && count > 0 ? (
        <Loaded load={loadSheet}>
          {(Sheet) => <Sheet broken={broken} ofHub={ofHub} unread={unread} onClose={() => setIsOpen(false)} />}
        </Loaded>
      ) : null}
    </div>
  );
}

function KeeperTroubles({ broken }: Pick<PillProps, 'broken'>) {
  const { live } = useHub();
  const health = useReading<FullHealth>('/health', { everyMs: AGAIN_MS });
  const system = useReading<SystemInfo>('/system/info', { everyMs: AGAIN_MS });
  // All at once: each later line would move the home again.
  if ([health, system].some(({ value, fault }) => value === undefined && fault === undefined)) return null;
  const ofHub = health.value === undefined ? [] : troublesOf(health.value, system.value);
  // Without a connection another notice says so.
  return <Pill broken={broken} ofHub={ofHub} unread={live.isConnected.value === true ? health.fault : undefined} />;
}
