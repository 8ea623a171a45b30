import { Icon } from '#web/parts/icon.tsx';
import { t } from '#web/strings/strings.ts';

/** Leads to the settings of the broker, while no device can join. */
export function ConnectZigbee() {
  return (
    <section class="panel no-way">
      <Icon name="link" size={40} />
      <h2>{t.pairing.noneTitle}</h2>
      <p class="soft">{t.pairing.noneText}</p>
      <a class="button button-main" href="/settings/integrations/zigbee2mqtt">
        {t.pairing.connectBroker}
      </a>
    </section>
  );
}
