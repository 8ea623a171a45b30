import { createOnceLog } from '#base/log.ts';
import { createTurnQueue } from '#base/turn-queue.ts';
import type { LeftOut } from '#core/integration/integration-report.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { InstancePorts, MqttLink, MqttLinkListener } from '#integrations/ports.ts';
import { createAnnouncedDevices } from './announced-devices.ts';
import { createDeviceBook } from './device-book.ts';
import { createAsides } from './native-devices.ts';
import type { OfferingSettings } from '#integrations/home-assistant-discovery/offering/offering.ts';
import type { Elsewhere } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import { hubNode } from '#integrations/home-assistant-discovery/offering/places.ts';
import { readTopic, type DiscoveryMessage } from '#integrations/home-assistant-discovery/message/discovery-message.ts';

/** An instance of the kind, as far as its code needs it. */
export type DiscoveryInstance = {
  readonly id: string;
  readonly settings: OfferingSettings & {
    /** An instance of the kind `mqtt`. */
    readonly broker: string;
    readonly with_zigbee2mqtt: boolean;
  };
};

export type DiscoveryPorts = Pick<
  InstancePorts,
  'clock' | 'log' | 'startTimer' | 'mqtt' | 'home' | 'knownDevices' | 'knownFeatures'
>;

/** One run of the integration: from the messages of the broker to the hub. */
export type DiscoveryRun = ReturnType<typeof createDiscoveryRun>;

type RunDeps = Omit<DiscoveryPorts, 'mqtt'> & {
  readonly elsewhere: Elsewhere;
  readonly settings: DiscoveryInstance['settings'];
  readonly sink: DeviceSink;
  readonly link: MqttLink;
  readonly signal: AbortSignal;
};

/** The messages of one device come one after the other; it is described once they have come. */
const GATHER_MS = 200;
/** The broker has the subscriptions by then; the hub's two connections do not wait for each other. */
const BIRTH_MS = 1_000;

export function createDiscoveryRun(deps: RunDeps) {
  const { settings, sink, link, log, signal } = deps;
  const ownNode = hubNode(deps.home.hubId);
  const isOwn = ({ device }: Announced): boolean =>
    device?.identifiers.some((identifier) => identifier.startsWith(ownNode)) === true;
  const announced = createAnnouncedDevices({
    log,
    isLeftOut: (message) => !settings.with_zigbee2mqtt && isOfZigbee2mqtt(message),
    isOwn,
  });
  const asides = createAsides(deps.home);
  const book = createDeviceBook({ ...deps, onStrange: (externalId) => gather(externalId) });
  const due = new Set<string>();
  const losses = createOnceLog(log);
  let stopTimer: (() => void) | undefined;
  let stopBirth = (): void => undefined;
  const inTurn = createTurnQueue();

  const leave = createLeaving({ ...deps, book });
  const describeDue = async (): Promise<void> => {
    stopTimer = undefined;
    for (const externalId of due) {
      if (signal.aborted) return;
      due.delete(externalId);
      try {
        const parts = announced.find(externalId);
        const isAside = asides.review(externalId, parts?.about);
        await (isAside || parts === undefined ? leave(externalId) : book.describe(parts));
      } catch (cause) {
        log.error('describing a device failed', { device: externalId.slice(0, 200), cause });
      }
    }
  };
  const gather = (externalId: string): void => {
    due.add(externalId);
    stopTimer ??= deps.startTimer(GATHER_MS, () => void inTurn(describeDue));
  };

  // A device may come by itself later, or leave: then the announced one gives way, or returns with its id and name.
  const stopFollowing = deps.home.follow((event) => {
    for (const externalId of asides.take(event)) gather(externalId);
  });

  const listener: MqttLinkListener = {
    onUp: () => {
      if (losses.forget()) log.info('connected');
      sink.reportStatus('connected', null);
      book.setLink(true);
      stopBirth();
      // Publishers that do not keep their messages at the broker send them again on this, once the hub listens.
      stopBirth = deps.startTimer(BIRTH_MS, () => {
        link
          .publish(settings.birth_topic, 'online')
          .catch((cause: unknown) => log.debug('the birth message was not sent', { cause }));
      });
    },
    onDown: (failure) => {
      losses.tell(failure.message, { code: failure.code });
      sink.reportStatus('error', failure);
      book.setLink(false);
    },
    onMessage: (message) => {
      const place = readTopic(message.topic, settings.prefix);
      if (place === undefined) return book.onState(message);
      for (const externalId of announced.take(place, message)) gather(externalId);
    },
  };

  return {
    listener,
    isUp: book.isUp,
    find: book.find,
    publish: link.publish,
    leftOut: (): readonly LeftOut[] => asides.leftOut(announced.leftOutCount()),
    /** Leaves no timer. Resolves when no device is being described. */
    stop: async (): Promise<void> => {
      stopFollowing();
      stopTimer?.();
      stopBirth();
      await inTurn(() => Promise.resolve());
      book.stop();
    },
  };
}

type LeavingDeps = Pick<RunDeps, 'sink' | 'knownDevices'> & { readonly book: ReturnType<typeof createDeviceBook> };

/** Removes a device, also one that an earlier run described. */
function createLeaving({ sink, knownDevices, book }: LeavingDeps): (externalId: string) => Promise<void> {
  return async (externalId) => {
    if (book.find(externalId) !== undefined) await book.remove(externalId);
    else if (knownDevices().includes(externalId)) await sink.removeDevice(externalId);
  };
}

type Announced = DiscoveryMessage & { readonly type: 'announced' };

/** They reach the hub through an integration of their own, which knows more of them. */
function isOfZigbee2mqtt({ publisher, device }: Announced): boolean {
  return publisher === 'Zigbee2MQTT' || device?.identifiers.some((id) => id.startsWith('zigbee2mqtt_')) === true;
}
