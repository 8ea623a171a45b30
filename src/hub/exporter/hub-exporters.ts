import { parseJson } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { createRandomFractions, type Random } from '#base/random.ts';
import type { SafeMode } from '#base/safe-mode/safe-mode.ts';
import { createSecretFiles } from '#base/secret-files.ts';
import type { StopList } from '#base/stop-list.ts';
import type { Clock } from '#base/time/clock.ts';
import type { StartTimer } from '#base/time/timer.ts';
import { type Config, secretsFolder } from '#config/config.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import type { EventLog } from '#core/event/event-log.ts';
import { type Credentials, type Exporter, type Exporters, targetOf } from '#core/exporter/exporter.ts';
import type { RoomRegistry } from '#core/room/room-registry.ts';
import { createLabels } from '#core/past/archive/series-labels.ts';
import { openExporters } from '#exporters/exporters.ts';
import { createLineSender } from '#exporters/line-sender.ts';
import { createMqttSender } from '#exporters/mqtt-sender.ts';
import type { Sender } from '#exporters/sender.ts';
import { createInstanceSecrets, type InstanceSecrets } from '#integrations/instances/instance-secrets.ts';
import type { MqttLinks } from '#integrations/mqtt-links.ts';
import type { FindAddresses } from '#lan/client/find-addresses.ts';
import { createLanClient } from '#lan/client/lan-client.ts';
import type { Storage } from '#storage/storage.ts';
import { linkOfInstance, ownLink } from './broker-link.ts';

type HubExportersDeps = {
  readonly config: Config;
  readonly storage: Pick<Storage, 'exporters' | 'history' | 'meta'>;
  readonly clock: Clock;
  readonly hubClock: { readonly nowMs: () => number };
  readonly startTimer: StartTimer;
  readonly random: Random;
  readonly log: Log;
  readonly isLanAddress: (address: string) => boolean;
  readonly isOwnAddress: (address: string) => boolean;
  readonly findAddresses: FindAddresses;
  readonly devices: Pick<DeviceRegistry, 'findDevice'>;
  readonly rooms: Pick<RoomRegistry, 'findRoom'>;
  readonly events: Pick<EventLog, 'append'>;
  readonly links: MqttLinks;
  readonly safeMode: Pick<SafeMode, 'note'>;
  readonly newId: () => string;
};

/** Opens the exporters, which read the history and send it to other machines of the home. */
export async function openHubExporters(deps: HubExportersDeps, stops: StopList): Promise<Exporters> {
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
    labelsOf: createLabels({ ...deps.devices, ...deps.rooms }),
    onChange: ({ exporter, state }, isRemoved) => {
      const status = isRemoved ? 'removed' : state.status;
      events.append({ type: 'exporter.changed', exporter: exporter.id, status });
    },
    onGap: ({ id }, gap) => events.append({ type: 'exporter.gap', exporter: id, ...gap }),
    nowMs: deps.hubClock.nowMs,
    random: createRandomFractions(deps.random),
    log,
  });
  stops.add('exporters', exporters.stop);
  return exporters;
}

function createSenderOpener(deps: HubExportersDeps, secrets: InstanceSecrets): (exporter: Exporter) => Sender {
  const { startTimer, clock } = deps;
  const clientFor = (mayReachHub: boolean) =>
    createLanClient({ ...deps, mayReachHub: () => mayReachHub, keepAlive: true }).http;
  const [anywhere, elsewhere] = [clientFor(true), clientFor(false)];
  return (exporter) => {
    const { type, url, broker, mayReachHub, secret } = exporter;
    const target = targetOf(exporter);
    const readCredentials = async (): Promise<Credentials | null | undefined> => {
      if (secret === null) return null;
      const found = await secrets.read(secret);
      return found?.boundTo === target ? (parseJson(found.text) as Credentials | undefined) : undefined;
    };
    if (type === 'line_protocol') {
      const http = mayReachHub ? anywhere : elsewhere;
      return createLineSender({ url: url ?? '', http, readCredentials, wallMs: clock.wallMs });
    }
    const link = broker === null ? ownLink(deps, exporter, readCredentials) : linkOfInstance(deps.links.link(broker));
    return createMqttSender(link, startTimer);
  };
}
