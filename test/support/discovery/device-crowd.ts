import { systemClock } from '#base/time/clock.ts';
import { startSystemTimer } from '#base/time/timer.ts';
import { createAnnouncedDevices } from '#integrations/home-assistant-discovery/announced-devices.ts';
import { createDeviceBook } from '#integrations/home-assistant-discovery/device-book.ts';
import { readTopic } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import { createInlineTemplates } from '#test/support/discovery/inline-templates.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';
import { createRecordingSink } from '#test/support/hub/recording-sink.ts';

/** The devices that sensors make which are announced one after the other, without a broker. The caller stops `book`. */
export function createDeviceCrowd() {
  const { log, lines } = createRecordingLog();
  const announced = createAnnouncedDevices({ log, isLeftOut: () => false });
  const sink = createRecordingSink();
  const book = createDeviceBook({
    sink,
    log,
    link: { subscribe: () => undefined },
    clock: systemClock,
    startTimer: startSystemTimer,
    signal: new AbortController().signal,
    knownFeatures: () => [],
    elsewhere: createInlineTemplates(),
    onStrange: () => undefined,
  });
  const announce = (name: string, payload: Buffer): ReadonlySet<string> => {
    const topic = `homeassistant/sensor/${name}/config`;
    const place = readTopic(topic, 'homeassistant');
    if (place === undefined) throw new Error(`${topic} announces nothing`);
    return announced.take(place, { topic, payload, retained: true });
  };
  return {
    announced,
    announce,
    book,
    lines,
    sink,
    /** As the integration does it after a pause: each device that was announced anew. */
    describe: async (ids: Iterable<string>): Promise<void> => {
      for (const id of ids) {
        const parts = announced.find(id);
        if (parts !== undefined) await book.describe(parts);
      }
    },
  };
}

/** A sensor of power, ten of which are a box, with its state at `meter/<at>`. */
export const powerSensor = (at: number): object => ({
  uniq_id: `u${at}`,
  name: `Power ${at}`,
  dev_cla: 'power',
  unit_of_meas: 'W',
  stat_t: `meter/${at}`,
  val_tpl: '{{ value_json.p | round(1) }}',
  dev: { ids: `box-${at % 100}` },
});
