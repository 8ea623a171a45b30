import type { ComponentChildren } from 'preact';
import type { Device } from '#web/client/home.ts';
import { Ago } from '#web/parts/ago.tsx';
import { t } from '#web/strings/strings.ts';

/** What the device is, where it comes from and when it was heard. */
export function AboutPanel({ device }: { readonly device: Device }) {
  const { last_seen_at } = device.availability;
  const facts: readonly (readonly [name: string, value: ComponentChildren])[] = [
    [t.device.lastSeen, last_seen_at === null ? t.device.never : <Ago at={last_seen_at} />],
    [t.device.manufacturer, device.manufacturer],
    [t.device.model, device.model],
    [t.device.firmware, device.firmware],
    [t.device.integration, t.integrations[device.integration] ?? device.integration],
    [t.device.address, device.external_id],
    [t.device.selector, <code key="selector">{device.selector}</code>],
  ];
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
      </dl>
    </section>
  );
}
