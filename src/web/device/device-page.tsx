import type { ComponentChildren } from 'preact';
import { useState, useEffect } from 'preact/hooks';
import type { Device, Feature, AutomationListed } from '#web/client/api.ts';
import { GroupPanel } from '#web/group/group-panel.tsx';
import { useHub } from '#web/hub.ts';
import { Since } from '#web/parts/ago.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Loaded, loadStyle } from '#web/parts/loaded.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import type { PageProps } from '#web/router.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { toggled } from '#web/state/home-view.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { iconOf } from '#web/state/device/device-facts.ts';
import { LogPanel, SinceWhen } from '#web/device/log/log-panel.tsx';
import { mainFeatures, namedByKind, thermostatOf } from '#web/state/device/main-features.ts';
import { useDeviceLog } from '#web/device/log/use-device-log.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import style from '#web/history/history.loaded.css';
import { chartOf, CHARTS_AT_FIRST, chartsOf } from '#web/history/stretches.ts';
import { DeviceDetails } from './device-details.tsx';
import { Danger, Features } from './features.tsx';
import { NameAndRoom } from './name-and-room.tsx';
import { adviceFor, whyUnavailable } from './reason-words.ts';
import { ThermostatPanel } from './thermostat-panel.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { sceneName, useScenes } from '#web/readings/use-scenes.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';

const toHome = () => ({ href: '/room', label: pageWords.device.toHome });

/** To the devices beside it. */
const backFrom = ({ room }: Device) =>
  room === null ? toHome() : { href: `/room/${room.selector}`, label: room.name };
const TIMES_EVERY_MS = 60_000;

/** One device: everything that it does, measures and is. */
export function DevicePage({ params }: PageProps) {
  const { account, home } = useHub();
  // What a person may see is shown at once: the history between the others would move them.
  if (!home.isLoaded.value || account.me.value === null) return <div class="page narrow" aria-busy="true" />;
  // Follows a renaming or removal by another client.
  void home.entries.value;
  const entry = home.find(params['selector'] ?? '');
  if (entry !== undefined) return <OneDevice entry={entry} />;
  return (
    <div class="page narrow">
      <PageHead title={pageWords.device.notFoundTitle} back={toHome()} />
      <p class="soft">{pageWords.device.notFoundText}</p>
    </div>
  );
}

function OneDevice({ entry }: { readonly entry: DeviceEntry }) {
  const { account } = useHub();
  useFreshTimes(entry);
  const device = entry.device.value;
  const fault = entry.fault.value;
  const canManage = account.can('device:manage');
  const refusal = refusalOf(account, device);
  const canLook = account.can('history:read');
  const log = useDeviceLog(entry, canLook);
  const thermostat = thermostatOf(device);
  const shown = mainFeatures(device)
    .filter((feature) => thermostat?.parts.includes(feature) !== true)
    .map((feature) => namedByKind(feature, device));
  return (
    <div class="page device-page">
      <Head device={device} canEdit={canManage}>
        <SinceWhen entry={entry} log={log} />
      </Head>
      <Availability device={device} />
      <Danger device={device} />
      {refusal === undefined ? null : <Notice text={refusal} />}
      {fault === null ? null : <Notice tone="danger" text={fault} />}
      <div class="device-columns">
        <div class="device-column">
          {thermostat === undefined ? null : <ThermostatPanel entry={entry} of={thermostat} />}
          <Features
            title={pageWords.device.controls}
            entry={entry}
            features={shown.filter(({ writable }) => writable)}
          />
          <Features
            title={pageWords.device.readings}
            entry={entry}
            features={shown.filter(({ writable }) => !writable)}
          />
          {device.integration === 'group' ? <GroupPanel device={device} /> : null}
        </div>
        <div class="device-column">
          {canLook ? <DeviceHistory device={device} /> : null}
          <UsedIn device={device} />
          {canLook ? <LogPanel entry={entry} log={log} /> : null}
        </div>
      </div>
      <DeviceDetails entry={entry} />
    </div>
  );
}

type HeadProps = { readonly device: Device; readonly canEdit: boolean; readonly children: ComponentChildren };

function Head({ device, canEdit, children }: HeadProps) {
  const [isEditing, setIsEditing] = useState(false);
  const { state, since } = device.availability;
  return (
    <>
      <PageHead title={device.name} back={backFrom(device)}>
        <Star device={device} />
        {canEdit ? (
          <button
            type="button"
            class="button button-plain button-icon"
            aria-label={pageWords.edit.open}
            onClick={() => setIsEditing(true)}
          >
            <Icon name="edit" />
          </button>
        ) : null}
      </PageHead>
      <p class="device-sub">
        <Icon name={iconOf(device)} size={18} />
        {device.room === null ? pageWords.home.noRoom : <bdi>{device.room.name}</bdi>}
        <span class="device-state" data-state={state}>
          {pageWords.device.states[state] ?? state}
          {state === 'online' ? null : [' ', <Since key="since" at={since} />]}
        </span>
        {children}
      </p>
      {isEditing ? (
        <Dialog title={pageWords.edit.title} onClose={() => setIsEditing(false)}>
          {(close) => <NameAndRoom device={device} onSaved={close} onCancel={close} hasIcon />}
        </Dialog>
      ) : null}
    </>
  );
}

/** Puts the device among the favorites of the person. */
function Star({ device }: { readonly device: Device }) {
  const { own, messages } = useHub();
  const isStarred = own.view.value?.favorites.includes(device.id) === true;
  const toggle = async (): Promise<void> => {
    const words = await own.save(({ favorites }) => ({ favorites: toggled(favorites, device.id, !isStarred) }));
    if (words !== undefined) messages.show(words, 'danger');
  };
  return (
    <button
      type="button"
      class="button button-plain button-icon star"
      aria-label={homeWords.star}
      aria-pressed={isStarred}
      disabled={own.view.value === null}
      onClick={() => void toggle()}
    >
      <Icon name="star" />
    </button>
  );
}

/** Why the device cannot be used right now, and what to do. */
function Availability({ device }: { readonly device: Device }) {
  if (device.availability.state === 'asleep') return <Notice text={pageWords.device.asleep} />;
  const why = whyUnavailable(device);
  if (why === undefined) return null;
  const advice = adviceFor(device);
  return (
    <Notice tone="warn" text={why}>
      {advice === undefined ? null : <p>{advice}</p>}
    </Notice>
  );
}

/** There is no event when a device was only heard again: this page reads those times from time to time. */
function useFreshTimes(entry: DeviceEntry): void {
  const { client } = useHub();
  useEffect(() => {
    const read = async (): Promise<void> => {
      try {
        const read = await client.call<Device>('GET', `/device/${entry.id}`);
        entry.device.value = withTimesOf(read, entry.device.peek());
      } catch (cause) {
        // No connection, or removed in the meantime: the events say so.
        if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      }
    };
    void read();
    const timer = setInterval(() => document.hidden || void read(), TIMES_EVERY_MS);
    return () => clearInterval(timer);
  }, [client, entry]);
}

/** Only the times: for everything else the events may be ahead of the answer. */
function withTimesOf(read: Device, shown: Device): Device {
  const observed = new Map(read.features.map((feature) => [feature.key, feature]));
  const features = shown.features.map((feature): Feature => {
    const fresh = observed.get(feature.key);
    const isSame = fresh?.changed_at === feature.changed_at && fresh.quality === feature.quality;
    return isSame ? { ...feature, observed_at: fresh.observed_at } : feature;
  });
  const { last_seen_at } = read.availability;
  return { ...shown, features, availability: { ...shown.availability, last_seen_at } };
}

const loadHistory = async () => {
  const [{ HistoryPanel }] = await Promise.all([import('#web/history/history-panel.tsx'), loadStyle(style)]);
  return HistoryPanel;
};

/** The history of a device that has one. What it needs is loaded with the first of them; about as much place as it takes is there before. */
function DeviceHistory({ device }: { readonly device: Device }) {
  const charts = chartsOf(device);
  const drawn = charts.slice(0, CHARTS_AT_FIRST);
  if (drawn.length === 0) return null;
  const bars = drawn.filter((feature) => chartOf(feature) === 'bars').length;
  const waiting = (
    <section class="panel" aria-busy="true">
      <p class="soft">{pageWords.loading}</p>
    </section>
  );
  return (
    <div
      class="history-place"
      data-more={charts.length > CHARTS_AT_FIRST}
      style={{ '--bars': bars, '--lines': drawn.length - bars }}
    >
      <Loaded load={loadHistory} waiting={waiting}>
        {(HistoryPanel) => <HistoryPanel key={device.id} device={device} />}
      </Loaded>
    </div>
  );
}

/** The scenes and automations that use the device; nothing if there are none. */
function UsedIn({ device }: { readonly device: Device }) {
  const { account } = useHub();
  const scenes = (useScenes().value.value ?? []).filter(
    ({ builtin, targets }) => !builtin && targets.some((target) => target.device.id === device.id),
  );
  return account.can('automation:read') ? (
    <WithRules device={device} scenes={scenes} />
  ) : (
    <Places places={scenes.map(placeOfScene)} />
  );
}

type Scenes = NonNullable<ReturnType<typeof useScenes>['value']['value']>;
type Place = { readonly href: string; readonly name: string; readonly icon: 'palette' | 'clock' };

function WithRules({ device, scenes }: { readonly device: Device; readonly scenes: Scenes }) {
  const { value: rules, fault } = useReading<readonly AutomationListed[]>(`/automation?device=${device.id}`);
  if (rules === undefined && fault === undefined) return <div aria-busy="true" hidden />;
  const ofRules = (rules ?? []).map(({ selector, name }) => ({
    href: `/rule/${selector}`,
    name,
    icon: 'clock' as const,
  }));
  return <Places places={[...scenes.map(placeOfScene), ...ofRules]} />;
}

function placeOfScene(scene: Scenes[number]): Place {
  return { href: `/scene/${scene.selector}`, name: sceneName(scene), icon: 'palette' };
}

function Places({ places }: { readonly places: readonly Place[] }) {
  if (places.length === 0) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{deviceWords.usedIn}</h2>
      <ul>
        {places.map(({ href, name, icon }) => (
          <li key={href}>
            <a class="group-member" href={href}>
              <Icon name={icon} size={20} />
              <bdi>{name}</bdi>
              <Icon name="forward" size={16} />
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
