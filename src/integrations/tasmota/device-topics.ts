import { HubError } from '#base/hub-error.ts';
import type { Log } from '#base/log.ts';
import type { MqttLink } from '#integrations/ports.ts';
import type { DeviceRun } from './device-run.ts';

export type DeviceTopics = ReturnType<typeof createDeviceTopics>;

const QUESTIONS = [
  ['STATUS', '10'],
  ['STATE', ''],
] as const;

export function createDeviceTopics(link: MqttLink, log: Log) {
  /** By the topic without its last part, with a slash at the end. */
  const speakers = new Map<string, DeviceRun>();
  return {
    /** Hears the device from now on, unless another one has announced the same topics. */
    listen: (run: DeviceRun): void => {
      const { answer, report } = run.announcement().topics;
      const topics = [answer, report];
      if (topics.some((topic) => (speakers.get(topic) ?? run) !== run)) {
        log.warn('two devices announce the same topic: give one another name', { topic: report });
        return;
      }
      for (const topic of topics) speakers.set(topic, run);
      link.subscribe(topics.map((topic) => `${topic}+`));
    },
    unlisten: (run: DeviceRun): void => {
      const own = [...speakers].flatMap(([topic, speaker]) => (speaker === run ? [topic] : []));
      for (const topic of own) speakers.delete(topic);
      link.subscribe(
        [],
        own.map((topic) => `${topic}+`),
      );
    },
    /** Asks what it measures and how it is: without a question five minutes may pass. */
    ask: (run: DeviceRun): void => {
      const { command } = run.announcement().topics;
      for (const [name, argument] of QUESTIONS) {
        link.publish(command + name, argument).catch((cause: unknown) => {
          if (!(cause instanceof HubError)) throw cause;
          log.debug('a device could not be asked how it is', { cause });
        });
      }
    },
    /** Who speaks under a topic, and what of it is named there. */
    find: (topic: string): { readonly run: DeviceRun; readonly name: string } | undefined => {
      const end = topic.lastIndexOf('/') + 1;
      const run = speakers.get(topic.slice(0, end));
      return run === undefined ? undefined : { run, name: topic.slice(end) };
    },
  };
}
