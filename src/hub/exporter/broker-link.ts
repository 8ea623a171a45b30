import type { Log } from '#base/log.ts';
import { createRandomFractions, type Random } from '#base/random.ts';
import type { SafeMode } from '#base/safe-mode/safe-mode.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import type { Credentials, Exporter } from '#core/exporter/exporter.ts';
import type { BrokerLink } from '#exporters/mqtt-sender.ts';
import { createMqttLinks } from '#integrations/mqtt-links.ts';
import type { MqttLink } from '#integrations/ports.ts';

type OwnLinkDeps = {
  readonly clock: Clock;
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
  readonly isLanAddress: (address: string) => boolean;
  readonly isOwnAddress: (address: string) => boolean;
  readonly safeMode: Pick<SafeMode, 'note'>;
};

/** Speaks through the connection of an instance, as integrations do. */
export function linkOfInstance(link: MqttLink): BrokerLink {
  return {
    run: (listener, signal) => link.run({ ...listener, onMessage: () => undefined }, signal),
    publish: link.publish,
  };
}

const OWN = 'own';

/** A connection of its own, to a broker in the LAN. */
export function ownLink(
  { clock, startTimer, isLanAddress, isOwnAddress, log, ...deps }: OwnLinkDeps,
  { url, mayReachHub }: Exporter,
  readCredentials: () => Promise<Credentials | null | undefined>,
): BrokerLink {
  const links = createMqttLinks(startTimer);
  const link = linkOfInstance(links.link(OWN));
  const connect = async (signal: AbortSignal): Promise<void> => {
    // The code of the MQTT client is read with its first use.
    const { createMqtt } = await import('#integrations/mqtt/mqtt.ts');
    const credentials = await readCredentials();
    // The broker refuses what cannot be read.
    const login = credentials !== null && credentials !== undefined && 'user' in credentials ? credentials : null;
    const mqtt = createMqtt(
      { settings: { address: url ?? '', user: login?.user ?? null } },
      {
        log: log.part('exporters'),
        startTimer,
        random: createRandomFractions(deps.random),
        clock,
        // An exporter cannot be put off, and no instance is to blame for what its broker says.
        noteServed: () => void deps.safeMode.note(null),
        mayConnect: (address) => isLanAddress(address) && (mayReachHub || !isOwnAddress(address)),
        serveMqtt: (broker) => links.serve(OWN, broker),
        secrets: { read: async () => login?.password ?? null },
      },
    );
    await mqtt.run({ reportStatus: () => undefined }, signal);
  };
  return {
    ...link,
    run: async (listener, signal) => {
      connect(signal).catch((cause: unknown) => log.error('the connection of an exporter ended', { cause }));
      await link.run(listener, signal);
    },
  };
}
