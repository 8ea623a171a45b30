import type { Log } from '#base/log.ts';
import { readHostPort } from '#base/network/host-port.ts';
import { untilAborted } from '#base/time/timer.ts';
import type { Instance } from '#core/integration/instance.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { DeviceCall, InstancePorts } from '#integrations/ports.ts';
import { PeerFault } from '#integrations/peer/peer-fault.ts';
import { deviceFault } from '#integrations/shelly/rpc/device-fault.ts';
import type { Reporting } from './reporting.ts';
import { runSession, type Send, type SessionDeps } from './session.ts';
import type { ShellySettings } from './shelly-settings.ts';

type SleeperDeps = {
  readonly instance: Instance<ShellySettings>;
  readonly ports: InstancePorts;
  readonly sink: DeviceSink;
  readonly signal: AbortSignal;
  readonly reporting: Reporting;
  readonly password: string | null;
  /** With what the device can be commanded while it is awake. */
  readonly setUp: (send: Send | null) => void;
  readonly onUnreadable: () => void;
};

/** The period of a device that has never said how long it sleeps. */
const USUAL_WAKEUP_S = 12 * 3_600;
const LONGEST_WAKEUP_S = 7 * 86_400;
/** One call may be lost, and its clock is not exact. */
const MISSED_CALLS = 2.2;
const GRACE_MS = 60_000;

/** Waits for the calls of a device that sleeps: it is awake for seconds, and connects to the hub by itself. */
export async function runSleeper({ instance, ports, sink, signal, ...own }: SleeperDeps): Promise<void> {
  const { log, startTimer, state } = ports;
  const { setUp } = own;
  const [mac, peer] = [instance.uniqueId, { device: instance.name }];
  let everyS = everyFrom((await state.load())['wakeup_s']);
  let stopWatch = (): void => undefined;
  let call: AbortController | undefined;
  let wasHeard = false;
  const { tell, report, forget } = createFaults(sink, log, peer);
  const watch = (): void => {
    stopWatch();
    stopWatch = startTimer(everyS * 1_000 * MISSED_CALLS + GRACE_MS, () => {
      wasHeard = false;
      report(deviceFault('DEVICE_OVERDUE'));
      sink.reportLost('offline', 'unreachable');
    });
  };
  const fallAsleep = (): void => {
    sink.reportLost('asleep', 'asleep');
    sink.reportStatus('connecting', null);
    watch();
  };
  const keepWakeup = (next: number | null): void => {
    everyS = everyFrom(next);
    if (next === null) return;
    state.save({ wakeup_s: next }).catch((cause: unknown) => log.warn('the wakeup period is not kept', { cause }));
  };
  const follow = async (taken: DeviceCall, ending: AbortController): Promise<void> => {
    const isLatest = (): boolean => call === ending && !signal.aborted;
    try {
      await runSession({
        open: takerOf(taken),
        ...own,
        mac,
        startTimer,
        onWakeup: keepWakeup,
        onUp: (send) => {
          wasHeard = true;
          forget();
          stopWatch();
          setUp(send);
          sink.reportStatus('connected', null);
        },
        signal: ending.signal,
      });
      if (isLatest()) fallAsleep();
    } catch (cause) {
      if (!(cause instanceof PeerFault)) throw cause;
      if (!isLatest()) return;
      // Else it went to sleep again, or out of reach.
      if (cause.nature !== 'lasting') return fallAsleep();
      report(cause);
      sink.reportLost('offline', 'unreachable');
    } finally {
      if (isLatest()) setUp(null);
      taken.socket.close();
    }
  };
  const { failed, fail } = createFailure();
  const isHere = (address: string): boolean => isAt(instance.settings.host, address);
  const take = (taken: DeviceCall): void => {
    if (!isHere(taken.peer)) {
      const error = deviceFault('OTHER_ADDRESS');
      // One that is heard at its address is not doubted because somebody else claims to be it.
      (wasHeard ? tell : report)(error);
      return taken.socket.close(1008, 'another address');
    }
    call?.abort();
    call = new AbortController();
    follow(taken, call).catch(fail);
  };
  if (mac !== null) ports.awaitCalls({ mac, isAt: isHere }, take, signal);
  log.info('waiting for the device to call', peer);
  fallAsleep();
  try {
    await Promise.race([failed, untilAborted(signal)]);
  } finally {
    stopWatch();
    call?.abort();
    setUp(null);
  }
}

function takerOf({ listen, socket }: DeviceCall): SessionDeps['open'] {
  return async (onMessage) => {
    listen(onMessage);
    return socket;
  };
}

function createFailure() {
  let fail: (cause: unknown) => void = () => undefined;
  const failed = new Promise<never>((_resolve, reject) => (fail = reject));
  return { failed, fail };
}

/** Each is logged once until the device was heard again. */
function createFaults(sink: Pick<DeviceSink, 'reportStatus'>, log: Log, peer: Readonly<Record<string, string>>) {
  const said = new Set<string>();
  const note = ({ code, message, cause }: PeerFault): void => {
    log[said.has(code) ? 'debug' : 'warn'](message, { code, ...peer, cause });
    said.add(code);
  };
  return {
    tell: note,
    report: (error: PeerFault): void => {
      const { code, message, nature } = error;
      note(error);
      sink.reportStatus(nature === 'lasting' ? 'needs_action' : 'error', { code, message });
    },
    forget: (): void => said.clear(),
  };
}

/** Whether a call comes from the address of the device. A name may lead anywhere: then nothing can be said. */
function isAt(host: string, peer: string): boolean {
  const address = readHostPort(host)?.host ?? host;
  return !/^[\d.]+$|:/.test(address) || address === peer;
}

function everyFrom(seconds: unknown): number {
  const isGiven = typeof seconds === 'number' && seconds > 0;
  return isGiven ? Math.min(seconds, LONGEST_WAKEUP_S) : USUAL_WAKEUP_S;
}
