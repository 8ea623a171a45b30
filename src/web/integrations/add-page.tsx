import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { t } from '#web/strings/strings.ts';
import { ConnectZigbee } from './connect-zigbee.tsx';
import { FoundList } from './found-list.tsx';
import { PairingPanel } from './pairing-panel.tsx';
import { usePairing } from './pairing-state.ts';
import { isNotSetUp, useIntegrations } from './use-integrations.ts';

/** Lets new devices into the home, and gives each a name and a room. */
export function AddPage() {
  return (
    <div class="page narrow">
      <PageHead title={t.pairing.title} back={{ href: '/', label: t.device.toHome }} />
      <Pairing />
    </div>
  );
}

function Pairing() {
  const { value: all, fault, again } = useIntegrations();
  const pairing = usePairing();
  if (fault !== undefined && all === undefined) {
    return (
      <Notice tone="danger" text={fault}>
        <button type="button" class="button" onClick={() => void again()}>
          {t.retry}
        </button>
      </Notice>
    );
  }
  if (all === undefined) return <div class="panel panel-waiting" aria-busy="true" />;
  const pairable = all.filter((one) => one.can_pair && one.status !== 'off' && !isNotSetUp(one));
  return (
    <>
      {pairable.length === 0 ? <ConnectZigbee /> : null}
      {pairable.map((integration) => (
        <PairingPanel
          key={integration.id}
          integration={integration}
          closesMs={pairing.value.closesMs.get(integration.id) ?? null}
        />
      ))}
      <FoundList found={pairing.value.found} />
      {pairable.length > 0 && !pairable.some(({ id }) => id === 'zigbee2mqtt') ? (
        <p class="soft">
          {t.pairing.brokerOff} <a href="/settings/integrations/zigbee2mqtt">{t.pairing.connectBroker}</a>
        </p>
      ) : null}
    </>
  );
}
