import type { Log } from '#base/log.ts';
import type { IntegrationState } from '#core/event.ts';
import type { DeviceSink } from '#integrations/integration.ts';

/** The way to Zigbee2MQTT: the broker, and behind it the bridge. Up is when both are there. */
export type LinkStatus = {
  readonly isUp: () => boolean;
  readonly brokerUp: () => void;
  readonly brokerDown: (failure: LinkFailure) => void;
  readonly bridge: (isOnline: boolean) => void;
  /** Zigbee2MQTT was heard; enough where it keeps no state at the broker. */
  readonly bridgeHeard: () => void;
  readonly stop: () => void;
};

type LinkFailure = { readonly code: string; readonly message: string };

export type LinkStatusDeps = {
  readonly sink: Pick<DeviceSink, 'reportStatus'>;
  readonly log: Log;
  readonly baseTopic: string;
  readonly onChange: (isUp: boolean) => void;
};

/** The broker hands out the bridge's kept state at once; who has none after this long was never there. */
const SILENCE_MS = 10_000;

const OFFLINE: LinkFailure = { code: 'BRIDGE_OFFLINE', message: 'Zigbee2MQTT is not running' };

export function createLinkStatus({ sink, log, baseTopic, onChange }: LinkStatusDeps): LinkStatus {
  let state: IntegrationState = 'connecting';
  let code: string | null = null;
  let isLossLogged = false;
  let isBridgeKnown = false;
  let silence: NodeJS.Timeout | undefined;

  const set = (next: IntegrationState, failure: LinkFailure | null): void => {
    clearTimeout(silence);
    if (state === next && code === (failure?.code ?? null)) return;
    const wasUp = state === 'connected';
    state = next;
    code = failure?.code ?? null;
    // Once per loss: what is wrong may change with every try, and the status has it.
    if (next === 'connected') {
      log.info('connected');
      isLossLogged = false;
    } else if (failure !== null) {
      log[isLossLogged ? 'debug' : 'warn'](failure.message, { code: failure.code });
      isLossLogged = true;
    }
    if (wasUp !== (next === 'connected')) onChange(!wasUp);
    sink.reportStatus(next, failure);
  };

  const bridge = (isOnline: boolean): void => {
    isBridgeKnown = true;
    set(isOnline ? 'connected' : 'error', isOnline ? null : OFFLINE);
  };

  return {
    isUp: () => state === 'connected',
    brokerUp: () => {
      isBridgeKnown = false;
      set('connecting', null);
      const message = `Zigbee2MQTT was never heard at the broker under the topic ${baseTopic}`;
      silence = setTimeout(() => set('error', { code: 'BRIDGE_SILENT', message }), SILENCE_MS);
    },
    brokerDown: (failure) => set('error', failure),
    bridge,
    bridgeHeard: () => {
      if (!isBridgeKnown) bridge(true);
    },
    stop: () => clearTimeout(silence),
  };
}
