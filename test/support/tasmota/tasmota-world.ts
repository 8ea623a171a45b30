import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { Integration } from '#integrations/integration.ts';
import { createTasmota } from '#integrations/tasmota/tasmota.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createBrokerInstance } from '#test/support/kinds/mqtt-broker-instance.ts';
import { TASMOTA_MAC } from './tasmota-device.ts';

/** A Tasmota instance together with the instance that is connected to its broker: they run as one. */
export function createTasmotaWorld(
  url: string,
  { clock, startTimer }: { readonly clock: Clock; readonly startTimer: StartTimer },
  known: readonly string[] = [TASMOTA_MAC],
) {
  const { log, lines } = createRecordingLog();
  const create = (): Integration => {
    const broker = createBrokerInstance({ url }, { log, clock, startTimer, random: () => 0 });
    const tasmota = createTasmota(
      { settings: { broker: 'mqtt', discovery_topic: 'tasmota/discovery' } },
      { log, startTimer, mqtt: broker.link, knownDevices: () => known },
    );
    return {
      ...tasmota,
      run: async (sink, signal) => {
        const ignored = { ...sink, reportStatus: () => undefined };
        await Promise.all([broker.integration.run(ignored, signal), tasmota.run(sink, signal)]);
      },
    };
  };
  return { create, lines };
}
