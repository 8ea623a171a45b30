import type { Device, Feature } from '#web/client/api.ts';
import { FeatureControl } from '#web/controls/feature-control.tsx';
import { RecordingPanel } from '#web/device/history/recording-panel.tsx';
import { useHub } from '#web/hub.ts';
import { useIntegrations } from '#web/readings/use-integrations.ts';
import { Ago } from '#web/parts/ago.tsx';
import { Facts } from '#web/parts/facts.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf } from '#web/state/account/rights.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { DeviceMarks } from './device-marks.tsx';
import { Features } from './features.tsx';
import { ForgetDevice } from './forget-device.tsx';

/** Everything technical, under one fold. */
export function DeviceDetails({ entry }: { readonly entry: DeviceEntry }) {
  const { account } = useHub();
  const device = entry.device.value;
  const canManage = account.can('device:manage');
  const ofCategory = (wanted: string): readonly Feature[] => {
    return device.features.filter(({ kind, category }) => kind !== 'action' && category === wanted);
  };
  return (
    <details class="fold">
      <summary>{deviceWords.details}</summary>
      <div class="device-columns">
        <div class="device-column">
          <Actions entry={entry} />
          <Features title={pageWords.device.config} entry={entry} features={ofCategory('config')} />
          <Features title={pageWords.device.diagnostic} entry={entry} features={ofCategory('diagnostic')} />
          {account.can('history:read') ? <RecordingPanel device={device} /> : null}
        </div>
        <div class="device-column">
          <AboutPanel device={device} />
          {canManage ? <DeviceMarks device={device} /> : null}
          {canManage && device.integration !== 'group' ? <ForgetDevice device={device} /> : null}
        </div>
      </div>
    </details>
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
      <h2 class="panel-title">{pageWords.device.actions}</h2>
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
      title={pageWords.device.about}
      facts={[
        [pageWords.device.lastSeen, seenAt === null ? pageWords.device.never : <Ago key="seen" at={seenAt} />],
        [pageWords.device.manufacturer, device.manufacturer],
        [pageWords.device.model, device.model],
        [pageWords.device.firmware, device.firmware],
        [
          pageWords.device.integration,
          device.integration === 'group' ? null : (integration?.name ?? device.integration),
        ],
        [pageWords.device.address, device.external_id],
        [pageWords.device.selector, <code key="selector">{device.selector}</code>],
      ]}
    />
  );
}
