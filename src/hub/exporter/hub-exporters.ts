import { parseJson } from '#base/json.ts';
import { createRandomFractions } from '#base/random.ts';
import type { SafeMode } from '#base/safe-mode/safe-mode.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import { secretsFolder } from '#config/config.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { type Credentials, type Exporter, type Exporters, targetOf } from '#core/exporter/exporter.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import { createLabels } from '#core/past/archive/series-labels.ts';
import { openExporters } from '#exporters/exporters.ts';
import { createLineSender } from '#exporters/line-sender.ts';
import { type BrokerLink, createMqttSender } from '#exporters/mqtt-sender.ts';
import type { Sender } from '#exporters/sender.ts';
import type { HubContext, HubDeps } from '#hub/hub-context.ts';
import type { Integrations } from '#hub/integration/hub-integrations.ts';
import { createInstanceSecrets, type InstanceSecrets } from '#integrations/instances/instance-secrets.ts';
import { createMqttLinks } from '#integrations/mqtt-links.ts';
import type { MqttLink } from '#integrations/ports.ts';
import { createLanClient } from '#lan/client/lan-client.ts';

type OwnLinkDeps = Pick<HubDeps, 'clock' | 'startTimer' | 'random' | 'log' | 'isLanAddress' | 'isOwnAddress'> & {
  readonly safeMode: Pick<SafeMode, 'note'>;
};

type HubExportersDeps = OwnLinkDeps &
  Pick<HubDeps, 'config' | 'storage' | 'stops'> &
  Pick<HubContext, 'findAddresses' | 'newId'> & {
    readonly hubClock: { readonly nowMs: () => number };
    readonly events: Pick<EventLog, 'append'>;
    readonly devices: Pick<DeviceRegistry, 'findDevice'>;
    readonly rooms: Pick<RoomRegistry, 'findRoom'>;
    readonly integrations: Pick<Integrations, 'links'>;
  };

/** The only link of an exporter that has a connection of its own. */
const OWN = 'own';

/** Opens the exporters, which read the history and send it to other machines of the home. */
export async function openHubExporters(deps: HubExportersDeps): Promise<Exporters> {
  const { config, storage, events } = deps;
  const log = deps.log.part('exporters');
  const secrets = createInstanceSecrets(createSecretFiles(secretsFolder(config)), log);
  const exporters = await openExporters({
    ...deps,
    store: storage.exporters,
    history: storage.history,
    loadMeta: storage.meta.loadMeta,
    addMeta: storage.meta.addMeta,
    secrets: {
      write: ({ id, secret }, credentials, boundTo) => {
        const place = { name: `exporter.${id}.credentials`, old: secret ?? undefined };
        return secrets.write(place, { text: JSON.stringify(credentials), boundTo });
      },
      remove: secrets.remove,
    },
    openSender: createSenderOpener(deps, secrets),
    labelsOf: createLabels({ findDevice: deps.devices.findDevice, findRoom: deps.rooms.findRoom }),
    onChange: ({ exporter, state }, isRemoved) => {
      const status = isRemoved ? 'removed' : state.status;
      events.append({ type: 'exporter.changed', exporter: exporter.id, status });
    },
    onGap: ({ id }, gap) => events.append({ type: 'exporter.gap', exporter: id, ...gap }),
    nowMs: deps.hubClock.nowMs,
    random: createRandomFractions(deps.random),
    log,
  });
  deps.stops.add('exporters', exporters.stop);
  return exporters;
}

function createSenderOpener(deps: HubExportersDeps, secrets: InstanceSecrets): (exporter: Exporter) => Sender {
  const { startTimer, clock } = deps;
  const clientFor = (mayReachHub: boolean) =>
    createLanClient({ ...deps, mayReachHub: () => mayReachHub, keepAlive: true }).http;
  const anywhere = clientFor(true);
  const elsewhere = clientFor(false);
  return (exporter) => {
    const { type, url, broker, mayReachHub, secret } = exporter;
    const target = targetOf(exporter);
    const readCredentials = async (): Promise<Credentials | null | undefined> => {
      if (secret === null) return null;
      const file = await secrets.read(secret);
      return file?.boundTo === target ? (parseJson(file.text) as Credentials | undefined) : undefined;
    };
    if (type === 'line_protocol') {
      const http = mayReachHub ? anywhere : elsewhere;
      return createLineSender({ url: url ?? '', http, readCredentials, wallMs: clock.wallMs });
    }
    const link =
      broker === null ? ownLink(deps, exporter, readCredentials) : linkOfInstance(deps.integrations.links.link(broker));
    return createMqttSender(link, startTimer);
  };
}

/** Speaks through the connection of an instance, as integrations do. */
function linkOfInstance(link: MqttLink): BrokerLink {
  return {
    run: (listener, signal) => link.run({ ...listener, onMessage: () => undefined }, signal),
    publish: link.publish,
  };
}

/** Opens a connection of its own to a broker in the LAN. */
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
