import { useEffect, useRef, useState } from 'preact/hooks';
import type { Upcoming } from '#web/client/api.ts';
import { HomeBlocks } from '#web/home/home-page.tsx';
import { StatusLine } from '#web/home/status-line.tsx';
import { useHub } from '#web/hub.ts';
import { CriticalBanner } from '#web/notifications/critical-banner.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { RoomDevices } from '#web/room/list/room-devices.tsx';
import { SceneChips } from '#web/scene/scene-chips.tsx';
import { useScenes } from '#web/readings/use-scenes.ts';
import { useLasting } from '#web/state/live.ts';
import type { Shelf } from '#web/state/account/token-store.ts';
import { wall as wallWords } from '#web/strings/en/home/wall.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { timeWords } from '#web/strings/formats.ts';
import { isNight, keepNightRule, type NightRule, readNightRule } from './night.ts';
import { WallSettings } from './wall-settings.tsx';

/** Nobody stands before the screen any more. */
const LEFT_MS = 60_000;
const SUN_EVERY_MS = 3_600_000;
const LOST_MS = 3_000;

type Props = { readonly shelf: Shelf; readonly onForget: () => void };

/** The home on a screen: the time, what is wrong, the scenes and the rooms; one room at a time; dark at night. */
export function WallHome({ shelf, onForget }: Props) {
  const { home, own, attention } = useHub();
  const [rule, setRule] = useState(() => readNightRule(shelf));
  const [room, setRoom] = useState<string | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const isUsed = useHands(() => setRoom(null));
  const isDanger = attention.list.value.some(({ severity }) => severity === 'critical');
  const isDark = useNight(rule) && !isUsed && !isDanger;
  useNewVersion();
  /** A link leads to a room on this screen, or nowhere: the other pages need a login. */
  const follow = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (link === null) return;
    event.preventDefault();
    const [, found] = /^\/room\/([^?]+)$/.exec(link.getAttribute('href') ?? '') ?? [];
    if (found !== undefined) setRoom(found);
  };
  return (
    <div class="wall" onClickCapture={follow}>
      <main>
        <WallHead onSettings={() => setIsOpen(true)} />
        <CriticalBanner />
        {home.isLoaded.value && own.view.value !== null ? (
          <>
            <div class="wall-line">
              <StatusLine />
              <WallScenes />
            </div>
            {room === null ? <HomeBlocks /> : <WallRoom selector={room} onBack={() => setRoom(null)} />}
          </>
        ) : (
          <p class="soft">{pageWords.loading}</p>
        )}
      </main>
      {isOpen ? (
        <WallSettings
          rule={rule}
          onRule={(next) => {
            setRule(next);
            keepNightRule(shelf, next);
          }}
          onForget={onForget}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
      {isDark ? <button type="button" class="wall-dark" aria-label={wallWords.wake} /> : null}
    </div>
  );
}

/** Whether somebody has touched the screen within the last minute. */
function useHands(onLeft: () => void): boolean {
  const [isUsed, setIsUsed] = useState(false);
  const left = useRef(onLeft);
  left.current = onLeft;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const touch = (): void => {
      setIsUsed(true);
      clearTimeout(timer);
      timer = setTimeout(() => {
        setIsUsed(false);
        left.current();
      }, LEFT_MS);
    };
    const kinds = ['click', 'keydown'] as const;
    for (const kind of kinds) addEventListener(kind, touch);
    return () => {
      clearTimeout(timer);
      for (const kind of kinds) removeEventListener(kind, touch);
    };
  }, []);
  return isUsed;
}

/** Follows the rule, and shows the dark theme while it is night. */
function useNight(rule: NightRule): boolean {
  const { appearance, time } = useHub();
  const { value } = useReading<Upcoming>('/calendar_day', { everyMs: SUN_EVERY_MS });
  const isDark = isNight(rule, new Date(time.nowMs.value), value?.sun ?? null);
  useEffect(() => {
    appearance.lend(isDark ? 'dark' : null);
    return () => appearance.lend(null);
  }, [appearance, isDark]);
  return isDark;
}

/** The hub may be another version after a restart, and this page would stay the old one for weeks. */
function useNewVersion(): void {
  const { account, live } = useHub();
  const first = useRef<string | undefined>(undefined);
  const version = account.hub.value?.version;
  const isConnected = live.isConnected.value;
  useEffect(() => {
    if (isConnected === true) void account.look();
  }, [account, isConnected]);
  useEffect(() => {
    first.current ??= version;
    if (version !== undefined && version !== first.current) location.reload();
  }, [version]);
}

function WallHead({ onSettings }: { readonly onSettings: () => void }) {
  const { time, live, account } = useHub();
  const now = new Date(time.nowMs.value);
  const isLost = useLasting(live.isConnected.value !== true, LOST_MS);
  return (
    <header class="wall-head">
      <h1 class="unseen">{account.hub.value?.name ?? wallWords.title}</h1>
      <time class="wall-clock">{timeWords(now, 'clock')}</time>
      <span class="wall-day">{timeWords(now, 'wholeDay')}</span>
      <span role="status">
        {isLost ? (
          <span class="connection-pill">
            <span class="connection-dot pulse" />
            {pageWords.hub.away(time.lastHeard())}
          </span>
        ) : null}
      </span>
      <button
        type="button"
        class="button button-plain button-icon"
        aria-label={wallWords.settings}
        onClick={onSettings}
      >
        <Icon name="settings" />
      </button>
    </header>
  );
}

function WallScenes() {
  const scenes = useScenes().value.value ?? [];
  if (scenes.length === 0) return null;
  return (
    <div class="chips" role="group" aria-label={homeWords.scene.scenes}>
      <SceneChips scenes={scenes} />
    </div>
  );
}

function WallRoom({ selector, onBack }: { readonly selector: string; readonly onBack: () => void }) {
  const { home, own } = useHub();
  const hidden = own.view.value?.hidden ?? [];
  const room = home.rooms.value.find((one) => one.selector === selector);
  const entries = home.entries.value.filter(({ id, device }) => {
    return device.peek().room?.selector === selector && !hidden.includes(id);
  });
  return (
    <section class="home-block">
      <div class="wall-room">
        <button type="button" class="button button-plain button-icon" aria-label={wallWords.back} onClick={onBack}>
          <Icon name="back" />
        </button>
        <h2>
          <bdi>{room?.name ?? pageWords.room.notFound}</bdi>
        </h2>
      </div>
      <RoomDevices entries={entries} room={room?.name} />
    </section>
  );
}
