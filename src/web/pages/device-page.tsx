import type { Device, Feature } from '#web/client/home.ts';
import { FeatureRow } from '#web/device/feature-row.tsx';
import { useHub } from '#web/hub.ts';
import type { PageProps } from '#web/page-table.ts';
import { Ago } from '#web/parts/ago.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { isCutOff, isUnavailable, natureOf } from '#web/state/device-facts.ts';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { t } from '#web/strings/strings.ts';

const HOME = { href: '/', label: t.device.toHome };

/** One device whole: everything that it can do, measures and is. */
export function DevicePage({ params }: PageProps) {
  const { home } = useHub();
  if (!home.isLoaded.value) return <div class="page narrow" aria-busy="true" />;
  // A device that is renamed or removed elsewhere is so here.
  void home.entries.value;
  const entry = home.find(params['selector'] ?? '');
  if (entry !== undefined) return <OneDevice entry={entry} />;
  return (
    <div class="page narrow">
      <PageHead title={t.device.notFoundTitle} back={HOME} />
      <p class="soft">{t.device.notFoundText}</p>
    </div>
  );
}

function OneDevice({ entry }: { readonly entry: DeviceEntry }) {
  const device = entry.device.value;
  const fault = entry.fault.value;
  const controls = device.features.filter(({ category, writable }) => category === 'primary' && writable);
  const readings = device.features.filter(({ category, writable }) => category === 'primary' && !writable);
  return (
    <div class="page narrow">
      <PageHead title={device.name} back={HOME} />
      <p class="device-sub">
        <Icon name={natureOf(device).icon} size={18} />
        <bdi>{device.room?.name ?? t.home.noRoom}</bdi>
      </p>
      <Availability device={device} />
      {fault === null ? null : <Notice tone="danger" text={fault} />}
      <Features title={t.device.controls} entry={entry} features={controls} />
      <Features title={t.device.readings} entry={entry} features={readings} />
      <Features title={t.device.config} entry={entry} features={ofCategory(device, 'config')} />
      <Features title={t.device.diagnostic} entry={entry} features={ofCategory(device, 'diagnostic')} />
      <About device={device} />
    </div>
  );
}

function ofCategory({ features }: Device, wanted: string): readonly Feature[] {
  return features.filter(({ category }) => category === wanted);
}

function Availability({ device }: { readonly device: Device }) {
  const { since, reason, state } = device.availability;
  if (state === 'asleep') return <Notice text={t.device.asleep} />;
  if (!isUnavailable(device)) return null;
  return (
    <Notice tone="warn">
      <p>
        {isCutOff(device) ? t.device.cutOff : t.device.offline}, <Ago at={since} />
        {reason === null ? '' : `: ${t.device.reasons[reason] ?? reason}`}
      </p>
    </Notice>
  );
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

function About({ device }: { readonly device: Device }) {
  const facts = [
    [t.device.manufacturer, device.manufacturer],
    [t.device.model, device.model],
    [t.device.firmware, device.firmware],
    [t.device.integration, device.integration],
    [t.device.address, device.external_id],
  ] as const;
  const { last_seen_at } = device.availability;
  return (
    <section class="panel">
      <h2 class="panel-title">{t.device.about}</h2>
      <dl class="facts">
        {facts.map(([name, value]) =>
          value === null ? null : (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ),
        )}
        <div>
          <dt>{t.device.lastSeen}</dt>
          <dd>{last_seen_at === null ? t.device.never : <Ago at={last_seen_at} />}</dd>
        </div>
      </dl>
    </section>
  );
}
