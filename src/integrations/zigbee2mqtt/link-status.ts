import type { Runtime } from '#base/time/runtime.ts';
import { createTokenBuckets } from '#base/token-buckets.ts';
import type { IntegrationState, StatusError } from '#core/integration/integration-status.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import { errors } from '#integrations/zigbee2mqtt/words/en.ts';
import { filled } from '#words/texts.ts';

/** The link to Zigbee2MQTT: the broker, and behind it the bridge. Up means that both are there. */
export type LinkStatus = ReturnType<typeof createLinkStatus>;

type LinkStatusDeps = Pick<Runtime, 'log' | 'startTimer' | 'monotonicMs'> & {
  readonly sink: Pick<DeviceSink, 'reportStatus'>;
  readonly baseTopic: string;
  /** Whether a list of devices has come yet. */
  readonly hasList: () => boolean;
  readonly onChange: (isUp: boolean) => void;
};

/** A broker sends kept messages at once. One that has not come after this time will not come. */
const SILENCE_MS = 10_000;

/** Each change of the bridge's state touches every device, so the hub follows a bridge that flips at this rate. */
const FLIPS = { capacity: 10, refillMs: 5_000, maxNames: 1 };

const OFFLINE: StatusError = { code: 'BRIDGE_OFFLINE', message: errors.BRIDGE_OFFLINE };
const NO_DEVICES: StatusError = {
  code: 'DEVICES_MISSING',
  message: errors.DEVICES_MISSING,
};

const STATES_SPLIT: StatusError = {
  code: 'STATES_NOT_READ',
  message: errors.STATES_NOT_READ,
};

export function createLinkStatus(deps: LinkStatusDeps) {
  const { sink, log, startTimer, monotonicMs } = deps;
  const flips = createTokenBuckets({ ...FLIPS, monotonicMs });
  let state: IntegrationState = 'connecting';
  let code: string | null = null;
  let isLossLogged = false;
  let isBridgeKnown = false;
  let isSplit = false;
  let stopSilence = (): void => undefined;
  /** The latest state of the bridge, while the hub does not follow it. */
  let held: { isOnline: boolean; readonly stop: () => void } | null = null;

  const set = (next: IntegrationState, failure: StatusError | null): void => {
    stopSilence();
    if (state === next && code === (failure?.code ?? null)) return;
    const wasUp = state === 'connected';
    state = next;
    code = failure?.code ?? null;
    // Warns once per loss: the reason may change with every try, and the status has it.
    if (next === 'connected') isLossLogged = false;
    if (next === 'connected' && !wasUp) log.info('connected');
    if (failure !== null) log[isLossLogged ? 'debug' : 'warn'](failure.message, { code: failure.code });
    if (next === 'error') isLossLogged = true;
    if (wasUp !== (next === 'connected')) deps.onChange(!wasUp);
    sink.reportStatus(next, failure);
  };
  const failWhenSilent = (failure: StatusError): void => {
    stopSilence = startTimer(SILENCE_MS, () => {
      if (state !== 'connected' || !deps.hasList()) set('error', failure);
    });
  };

  const bridge = (isOnline: boolean): void => {
    if (held !== null) {
      held.isOnline = isOnline;
      return;
    }
    if (isBridgeKnown && isOnline !== (state === 'connected') && !flips.take('bridge')) {
      held = { isOnline, stop: startTimer(FLIPS.refillMs, follow) };
      return;
    }
    isBridgeKnown = true;
    if (!isOnline) return set('error', OFFLINE);
    set('connected', isSplit ? STATES_SPLIT : null);
    if (!deps.hasList()) failWhenSilent(NO_DEVICES);
  };

  const follow = (): void => {
    const latest = held;
    held = null;
    if (latest !== null) bridge(latest.isOnline);
  };
  const drop = (): void => {
    held?.stop();
    held = null;
  };

  return {
    isUp: (): boolean => state === 'connected',
    brokerUp: (): void => {
      isBridgeKnown = false;
      set('connecting', null);
      const code = 'BRIDGE_SILENT';
      const reason = { id: code, with: { topic: deps.baseTopic } };
      failWhenSilent({ code, message: filled(errors[code], reason.with), reason });
    },
    brokerDown: (failure: StatusError): void => {
      drop();
      set('error', failure);
    },
    bridge,
    /** A message of the bridge came: proof enough if the broker keeps no state of it. */
    bridgeHeard: (): void => {
      if (!isBridgeKnown || code === NO_DEVICES.code) bridge(true);
    },
    /** Whether the bridge sends the states of devices in a way that the hub does not read. */
    split: (now: boolean): void => {
      if (isSplit === now) return;
      isSplit = now;
      if (state === 'connected' && held === null) bridge(true);
    },
    stop: (): void => {
      drop();
      stopSilence();
    },
  };
}
