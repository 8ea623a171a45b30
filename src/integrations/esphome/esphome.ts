import { createOnceLog } from '#base/log.ts';
import type { Instance } from '#core/integration/instance.ts';
import { createUp, runConnections, waitForRoom } from '#integrations/peer/connection-run.ts';
import { commandFailure } from '#integrations/peer/peer-fault.ts';
import type { DeviceSink, Integration } from '#integrations/integration.ts';
import type { IntegrationCode } from '#integrations/kind.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import { type EsphomeSettings, readKey } from './esphome-settings.ts';
import { createReporting, type Reporting } from './reporting.ts';
import { setUpEsphome } from './set-up.ts';
import { openTalk, type Talk } from './talk.ts';
import { nodeFault } from '#integrations/esphome/wire/node-fault.ts';

export const esphomeCode: IntegrationCode<EsphomeSettings> = { create: createEsphome, setUp: setUpEsphome };

type Up = { readonly reporting: Reporting; readonly talk: Talk };

const SUBSCRIBE = 20;

/** One node, with its parts. */
export function createEsphome(instance: Instance<EsphomeSettings>, ports: InstancePorts): Integration {
  const up = createUp<Up>('node');
  return {
    run: (sink, signal) => {
      sink.reportStatus('connecting', null);
      return runNode({ instance, ports, sink, signal, setUp: up.set });
    },
    sendCommand: async (command) => {
      const { reporting, talk } = up.get();
      const sendings = reporting.sendingsFor(command);
      try {
        for (const { type, body } of sendings) talk.send(type, body);
        await talk.ping();
      } catch (cause) {
        throw commandFailure(cause);
      }
      reporting.confirm(command);
      return 'device_ack';
    },
  };
}

type NodeRunDeps = {
  readonly instance: Instance<EsphomeSettings>;
  readonly ports: InstancePorts;
  readonly sink: DeviceSink;
  readonly signal: AbortSignal;
  readonly setUp: (up: Up | null) => void;
};

async function runNode({ instance, ports, sink, signal, setUp }: NodeRunDeps): Promise<void> {
  const { host, mac, take_rooms: takesRooms } = instance.settings;
  const key = await readSecret(ports);
  const { knownFeatures, clock, startTimer, openTcp, state } = ports;
  const { monotonicMs } = clock;
  const reporting = createReporting({ sink, knownFeatures, monotonicMs, takesRooms });
  const peer = { node: instance.name };
  let sleeps = (await state.load())['sleeps'] === true;
  // What would be said at each connection is said once.
  const unreadable = createOnceLog(ports.log);
  const skipped = createOnceLog(ports.log, 'info');
  await runConnections<Up>({
    ports,
    sink,
    signal,
    peer,
    setUp,
    connect: async (onUp, ending) => {
      if (key === 'unreadable') throw nodeFault('KEY_REFUSED');
      const talk = await openTalk({
        host,
        key,
        mac: instance.uniqueId ?? mac,
        openTcp,
        startTimer,
        wallMs: clock.wallMs,
        onMessage: reporting.take,
        onUnreadable: () => unreadable.tell('the node sent what it should not', peer),
        signal: ending,
      });
      try {
        const { info } = talk;
        if (info.sleeps !== sleeps) {
          sleeps = info.sleeps;
          await state.save({ sleeps });
        }
        const list = await talk.list();
        const counts = Object.fromEntries(list.skipped);
        if (list.skipped.size > 0) skipped.tell('some of the node has no place here', { ...counts, ...peer });
        if (!(await reporting.begin(info, list))) return await waitForRoom(startTimer, ending);
        talk.send(SUBSCRIBE);
        onUp({ reporting, talk });
        await talk.ended;
      } catch (cause) {
        talk.fail(cause);
        throw cause;
      }
    },
    ended: () => nodeFault('NODE_UNREACHABLE'),
    isAsleep: () => sleeps,
    lost: ['offline', 'unreachable'],
  });
}

/** The key; `null` without one. */
async function readSecret({ secrets }: InstancePorts): Promise<Uint8Array | null | 'unreadable'> {
  const text = await secrets.read('key');
  return text === null ? null : (readKey(text) ?? 'unreadable');
}
