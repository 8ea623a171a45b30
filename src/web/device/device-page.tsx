import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Device } from '#web/client/api.ts';
import { DeviceHistory } from '#web/device/history/device-history.tsx';
import { GroupPanel } from '#web/group/group-panel.tsx';
import { useHub } from '#web/hub.ts';
import { Since } from '#web/parts/ago.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import type { PageProps } from '#web/router.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { toggled } from '#web/state/home-view.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { home as homeWords } from '#web/strings/en/home/home.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { DeviceDetails } from './device-details.tsx';
import { iconOf } from '#web/state/device/device-facts.ts';
import { Features } from './features.tsx';
import { LogPanel, SinceWhen } from '#web/device/log/log-panel.tsx';
import { NameAndRoom } from './name-and-room.tsx';
import { mainFeatures, namedByKind, thermostatOf } from '#web/state/device/main-features.ts';
import { adviceFor, whyUnavailable } from './reason-words.ts';
import { ThermostatPanel } from './thermostat-panel.tsx';
import { useDeviceLog } from '#web/device/log/use-device-log.ts';
import { UsedIn } from './used-in.tsx';
import { useFreshTimes } from './use-fresh-times.ts';

const toHome = () => ({ href: '/room', label: pageWords.device.toHome });

/** To the devices beside it. */
const backFrom = ({ room }: Device) =>
  room === null ? toHome() : { href: `/room/${room.selector}`, label: room.name };

/** One device: everything that it does, measures and is. */
export function DevicePage({ params }: PageProps) {
  const { home } = useHub();
  if (!home.isLoaded.value) return <div class="page narrow" aria-busy="true" />;
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
