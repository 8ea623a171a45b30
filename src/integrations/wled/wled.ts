import { HubError } from '#base/hub-error.ts';
import { createRetryDelays } from '#base/time/retry.ts';
import { waitMs } from '#base/time/timer.ts';
import type { Instance } from '#core/integration/instance.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { createReporting, type Reporting } from './reporting.ts';
import { createSendOrder } from './send-order.ts';
import { runSession, type SendChange } from './session.ts';
import { setUpWled } from './set-up.ts';
import { createWire, LightError } from './wire.ts';
import type { WledSettings } from './wled-settings.ts';

export const wledCode: IntegrationCode<WledSettings> = { create: createWled, setUp: setUpWled };

const RETRY_DELAYS = { minMs: 1_000, maxMs: 60_000 };
/** A connection that ends sooner than this has not worked: a light may restart every second. */
const WORKING_MS = 10_000;

/** One light. */
export function createWled(instance: Instance<WledSettings>, ports: InstancePorts): Integration {
  let up: { readonly reporting: Reporting; readonly send: SendChange } | null = null;
  return {
    run: (sink, signal) => {
      sink.reportStatus('connecting', null);
      return runLight({ instance, ports, sink, signal, setUp: (next) => (up = next) });
    },
    sendCommand: async (command) => {
      if (up === null) throw new HubError('INTEGRATION_DOWN', 'The light is not connected.');
      const { reporting, send } = up;
      try {
        await send(reporting.changeFor(command));
        return 'device_ack';
      } catch (cause) {
        if (!(cause instanceof LightError)) throw cause;
        const code = cause.code === 'LIGHT_BUSY' ? 'COMMAND_FAILED' : 'INTEGRATION_DOWN';
        throw new HubError(code, `${cause.message}.`, { cause });
      }
    },
  };
}

type LightRunDeps = {
  readonly instance: Instance<WledSettings>;
  readonly ports: InstancePorts;
  readonly sink: DeviceSink;
  readonly signal: AbortSignal;
  readonly setUp: (up: { readonly reporting: Reporting; readonly send: SendChange } | null) => void;
};

/** Keeps a connection to the light until the signal aborts. */
async function runLight({ instance, ports, sink, signal, setUp }: LightRunDeps): Promise<void> {
  const { clock, startTimer, log, random, knownDevices } = ports;
  const wire = createWire(instance.settings.host, ports);
  const delays = createRetryDelays(RETRY_DELAYS, random);
  const onFault = (cause: unknown): void =>
    log.warn('the light could not be read again', { light: instance.name, cause });
  const reporting = createReporting({ sink, wire, startTimer, knownDevices, onFault });
  let isUp = false;
  /** Of the present connection. */
  let upSinceMs: number | undefined;
  let isLossLogged = false;
  let isUnreadableLogged = false;
  const onUp = (send: SendChange): void => {
    setUp({ reporting, send: createSendOrder(send) });
    upSinceMs ??= clock.monotonicMs();
    if (isUp) return;
    isUp = true;
    isLossLogged = false;
    log.info('connected', { light: instance.name });
    sink.reportStatus('connected', null);
  };
  const onUnreadable = (): void => {
    log[isUnreadableLogged ? 'debug' : 'warn']('the light sent what is no state', { light: instance.name });
    isUnreadableLogged = true;
  };
  const takeDown = ({ code, message, cause }: LightError): void => {
    setUp(null);
    isUp = false;
    // Once per loss: the reason may change with every try, and the status has it.
    log[isLossLogged ? 'debug' : 'warn'](message, { code, light: instance.name, cause });
    isLossLogged = true;
    sink.reportStatus(code === 'OTHER_LIGHT' ? 'needs_action' : 'error', { code, message });
    reporting.setDown();
  };
  while (!signal.aborted) {
    upSinceMs = undefined;
    const ending = new AbortController();
    const end = (): void => ending.abort();
    signal.addEventListener('abort', end, { once: true });
    let failure = new LightError('LIGHT_UNREACHABLE');
    try {
      const deps = { wire, reporting, mac: instance.uniqueId, onUp, onUnreadable, startTimer, signal: ending.signal };
      await runSession(deps);
    } catch (cause) {
      if (!(cause instanceof LightError)) throw cause;
      failure = cause;
    } finally {
      signal.removeEventListener('abort', end);
      ending.abort();
    }
    setUp(null);
    if (signal.aborted) return;
    const hasWorked = upSinceMs !== undefined && clock.monotonicMs() - upSinceMs >= WORKING_MS;
    if (hasWorked) delays.reset();
    // A connection that was cut is opened again at once, and nobody needs to hear of it if that works.
    if (hasWorked && failure.code !== 'OTHER_LIGHT') continue;
    takeDown(failure);
    await waitMs(delays.nextMs(), startTimer, signal);
  }
}
