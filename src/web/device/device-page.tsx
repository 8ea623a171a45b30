import { useState } from 'preact/hooks';
import type { Device, Feature } from '#web/client/api.ts';
import { FeatureControl } from '#web/controls/feature-control.tsx';
import { useHub } from '#web/hub.ts';
import { useIntegrations } from '#web/integrations/use-integrations.ts';
import { Ago } from '#web/parts/ago.tsx';
import { Dialog } from '#web/parts/dialog.tsx';
import { Facts } from '#web/parts/facts.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import type { PageProps } from '#web/router.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/rights.ts';
import { t } from '#web/strings/strings.ts';
import { natureOf } from './device-facts.ts';
import { DeviceHistory } from './device-history.tsx';
import { FeatureRow } from './feature-row.tsx';
import { ForgetDevice } from './forget-device.tsx';
import { LogPanel } from './log-panel.tsx';
import { NameAndRoom } from './name-and-room.tsx';
import { DeviceMarks } from './device-marks.tsx';
import { useFreshTimes } from './use-fresh-times.ts';

const toHome = () => ({ href: '/', label: t.device.toHome });

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
      <PageHead title={t.device.notFoundTitle} back={toHome()} />
      <p class="soft">{t.device.notFoundText}</p>
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
  const states = device.features.filter(({ kind }) => kind !== 'action');
  const primary = states.filter(({ category }) => category !== 'config' && category !== 'diagnostic');
  const ofCategory = (wanted: string): readonly Feature[] => states.filter(({ category }) => category === wanted);
  return (
    <div class="page device-page">
      <Head device={device} canEdit={canManage} />
      <Availability device={device} />
      {refusal === undefined ? null : <Notice text={refusal} />}
      {fault === null ? null : <Notice tone="danger" text={fault} />}
      <div class="device-columns">
        <div class="device-column">
          <Features title={t.device.controls} entry={entry} features={primary.filter(({ writable }) => writable)} />
          <Features title={t.device.readings} entry={entry} features={primary.filter(({ writable }) => !writable)} />
          <Actions entry={entry} />
          <Features title={t.device.config} entry={entry} features={ofCategory('config')} />
        </div>
        <div class="device-column">
          {account.can('history:read') ? <DeviceHistory device={device} /> : null}
          <LogPanel entry={entry} />
          <Features title={t.device.diagnostic} entry={entry} features={ofCategory('diagnostic')} />
          <AboutPanel device={device} />
          {canManage ? <DeviceMarks device={device} /> : null}
          {canManage ? <ForgetDevice device={device} /> : null}
        </div>
      </div>
    </div>
  );
}

function Head({ device, canEdit }: { readonly device: Device; readonly canEdit: boolean }) {
  const [isEditing, setIsEditing] = useState(false);
  const { state, since } = device.availability;
  return (
    <>
      <PageHead title={device.name} back={toHome()}>
        {canEdit ? (
          <button
            type="button"
            class="button button-plain button-icon"
            aria-label={t.edit.open}
            onClick={() => setIsEditing(true)}
          >
            <Icon name="edit" />
          </button>
        ) : null}
      </PageHead>
      <p class="device-sub">
        <Icon name={natureOf(device).icon} size={18} />
        {device.room === null ? t.home.noRoom : <bdi>{device.room.name}</bdi>}
        <span class="device-state" data-state={state}>
          {t.device.states[state] ?? state}, <Ago at={since} />
        </span>
      </p>
      {isEditing ? (
        <Dialog title={t.edit.title} onClose={() => setIsEditing(false)}>
          {(close) => <NameAndRoom device={device} onSaved={close} onCancel={close} />}
        </Dialog>
      ) : null}
    </>
  );
}

/** Why the device cannot be used right now. */
function Availability({ device }: { readonly device: Device }) {
  const { reason, state } = device.availability;
  if (state === 'asleep') return <Notice text={t.device.asleep} />;
  if (state !== 'offline' && state !== 'unknown') return null;
  const why = reason === null ? '' : (t.device.reasons[reason] ?? reason);
  return <Notice tone="warn" text={state === 'offline' ? t.device.offlineWhy(why) : t.device.unknownWhy(why)} />;
}

type FeaturesProps = { readonly title: string; readonly entry: DeviceEntry; readonly features: readonly Feature[] };

function Features({ title, entry, features }: FeaturesProps) {
  if (features.length === 0) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{title}</h2>
      <ul>
        {features.map((feature) => (
          <FeatureRow key={feature.key} entry={entry} feature={feature} />
        ))}
      </ul>
    </section>
  );
}

function Actions({ entry }: { readonly entry: DeviceEntry }) {
  const { account } = useHub();
  const device = entry.device.value;
  const actions = device.features.filter(({ kind }) => kind === 'action');
  if (actions.length === 0) return null;
  const isWhole = refusalOf(account, device) !== undefined;
  const refusal = isWhole ? undefined : actions.map((one) => refusalOf(account, device, one)).find(Boolean);
  return (
    <section class="panel">
      <h2 class="panel-title">{t.device.actions}</h2>
      <div class="actions">
        {actions.map((feature) => (
          <FeatureControl key={feature.key} entry={entry} feature={feature} />
        ))}
      </div>
      {refusal === undefined ? null : <p class="refusal">{refusal}</p>}
    </section>
  );
}

/** What the device is, how it is connected and when it was last seen. */
function AboutPanel({ device }: { readonly device: Device }) {
  const { value: integrations = [] } = useIntegrations();
  const integration = integrations.find(({ id }) => id === device.integration);
  const { last_seen_at: seenAt } = device.availability;
  return (
    <Facts
      title={t.device.about}
      facts={[
        [t.device.lastSeen, seenAt === null ? t.device.never : <Ago key="seen" at={seenAt} />],
        [t.device.manufacturer, device.manufacturer],
        [t.device.model, device.model],
        [t.device.firmware, device.firmware],
        [t.device.integration, integration?.name ?? device.integration],
        [t.device.address, device.external_id],
        [t.device.selector, <code key="selector">{device.selector}</code>],
      ]}
    />
  );
}
