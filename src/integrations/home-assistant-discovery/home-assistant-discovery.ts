import { HubError, validationFailed, fieldError } from '#base/hub-error.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import type { DeviceCommand, SendEvidence } from '#core/command/command-way.ts';
import { outside, TemplateFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import type { LiveDevice } from './live-device.ts';
import type { Entity, Publication, Wishes } from '#integrations/home-assistant-discovery/entity/entity.ts';
import type { Integration } from '#integrations/integration.ts';
import type { Elsewhere } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import { createTemplateThread } from '#integrations/home-assistant-discovery/rendering/thread-client.ts';
import { createDiscoveryRun, type DiscoveryInstance, type DiscoveryPorts, type DiscoveryRun } from './discovery-run.ts';
import { untilAborted } from '#base/time/timer.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import type { OfferingReport } from '#core/integration/integration-report.ts';
import { isEmptyChoice } from '#integrations/offering/choice.ts';
import { createOffering, type OfferingSettings } from '#integrations/home-assistant-discovery/offering/offering.ts';
import {
  clearPlace,
  isSamePlace,
  type OfferedAt,
  openOfferedPlaces,
} from '#integrations/home-assistant-discovery/offering/offered-places.ts';

/** The devices that announce themselves by Home Assistant's MQTT discovery. */
export function createHomeAssistantDiscovery(
  { id, settings }: DiscoveryInstance,
  ports: DiscoveryPorts & OfferingPorts,
  elsewhere: Elsewhere = createTemplateThread({ ...ports, url: new URL('template-thread.mjs', import.meta.url) }),
): Integration {
  let running: DiscoveryRun | null = null;
  const offering = createHomeOffering({ id, settings }, ports);
  return {
    run: async (sink, signal) => {
      const link = ports.mqtt(settings.broker);
      const run = createDiscoveryRun({ ...ports, elsewhere, settings, sink, link, signal });
      running = run;
      sink.reportStatus('connecting', null);
      link.subscribe([`${settings.prefix}/+/+/config`, `${settings.prefix}/+/+/+/config`]);
      try {
        await Promise.all([link.run(run.listener, signal), offering.run(signal)]);
      } finally {
        running = null;
        await run.stop();
      }
    },
    takeSettings: ({ settings: next }) => {
      const given = next as DiscoveryInstance['settings'];
      const { expose, token } = settings;
      // All others are about the connection, or about what is read there.
      if (running === null || !isSameJson({ ...given, expose, token }, settings)) return false;
      return offering.take(given);
    },
    report: () => ({ offering: offering.report(), leftOut: running?.leftOut() ?? [] }),
    sendCommand: async (command): Promise<SendEvidence> => {
      if (running === null || !running.isUp())
        throw new HubError('INTEGRATION_DOWN', 'The MQTT broker is not connected.');
      const { find, publish } = running;
      const device = find(command.externalId);
      if (device === undefined) throw new HubError('NOT_FOUND', 'The device is not announced any more.');
      for (const { topic, payload, retain } of await device.templates.run(() => publicationsFor(device, command)))
        await publish(topic, payload, { retain });
      return 'transport_ack';
    },
  };
}

/** Everything is made before anything is sent. Throws HubError if the device cannot take the command. */
function publicationsFor(device: LiveDevice, { set, action, transitionMs }: DeviceCommand): readonly Publication[] {
  const wishes: readonly (readonly [string, JsonValue])[] = [
    ...set,
    ...(action === null ? [] : [[action, null] as const]),
  ];
  const refusal = (key: string, message: string): HubError =>
    validationFailed(
      [fieldError(action === key ? '/do' : `/set/${key}`, 'INVALID_VALUE', message)],
      'The command does not fit the device.',
    );
  const byEntity = new Map<Entity, Map<string, JsonValue>>();
  for (const [key, value] of wishes) {
    const entity = device.byKey.get(key);
    if (entity === undefined) throw refusal(key, 'is not a feature of this device that can be set');
    byEntity.set(entity, (byEntity.get(entity) ?? new Map()).set(key, value));
  }
  return [...byEntity].flatMap(([entity, own]) => {
    const [first = ''] = own.keys();
    try {
      const publications = publicationsOf(entity, own, transitionMs);
      if (typeof publications === 'string') throw refusal(publications, 'is not a value of this feature');
      return publications;
    } catch (cause) {
      if (cause instanceof TemplateFault) throw refusal(first, `cannot be sent: ${cause.message}`);
      throw cause;
    }
  });
}

/** In the order of the parts: what switches on comes first. The key of a value that does not fit instead. */
export function publicationsOf(
  entity: Entity,
  wishes: Wishes,
  transitionMs: number | null,
): readonly Publication[] | string {
  const [first = ''] = wishes.keys();
  if (entity.publishTogether !== undefined) {
    const all = entity.publishTogether(wishes, transitionMs);
    return all === undefined ? first : all.map((one) => encoded(entity, one));
  }
  const publications: Publication[] = [];
  for (const { feature, publish } of entity.parts) {
    const value = wishes.get(feature.key);
    if (value === undefined || publish === undefined) continue;
    const publication = publish(value);
    if (publication === undefined) return feature.key;
    publications.push(encoded(entity, publication));
  }
  return publications;
}

function encoded({ encoding }: Entity, { topic, payload, retain }: Publication): Publication {
  const bytes = typeof payload === 'string' ? encoding.encode(payload) : payload;
  if (bytes === undefined) throw outside('this text in the encoding of its messages');
  return { topic, payload: bytes, retain };
}

type OfferingPorts = Pick<
  InstancePorts,
  'clock' | 'startTimer' | 'random' | 'log' | 'mqtt' | 'home' | 'state' | 'isStaying'
>;

type OfferingInstance = {
  readonly id: string;
  readonly settings: OfferingSettings & { readonly broker: string };
};

/** Offers the home in one run of an instance, and takes back what was offered before. */
function createHomeOffering({ id: instance, settings }: OfferingInstance, ports: OfferingPorts) {
  const { broker, prefix, expose } = settings;
  const here: OfferedAt = { broker, prefix };
  const isOffering = !isEmptyChoice(expose);
  const offering = isOffering ? createOffering({ ...ports, instance, settings, link: ports.mqtt(broker) }) : undefined;
  return {
    /** `null` while nothing is offered. */
    report: (): OfferingReport | null => offering?.report() ?? null,
    /** False where it must run anew for them. */
    take: (next: OfferingSettings): boolean => {
      // What begins or ends to be offered is noted where it is.
      if (isEmptyChoice(next.expose) === isOffering) return false;
      offering?.take(next);
      return true;
    },
    run: async (signal: AbortSignal): Promise<void> => {
      const places = await openOfferedPlaces(ports.state);
      const old = places.all().filter((place) => offering === undefined || !isSamePlace(place, here));
      if (offering !== undefined) await places.add(here);
      const clear = async (place: OfferedAt): Promise<void> => {
        const isStatusUsed = offering !== undefined && place.broker === broker;
        if (await clearPlace(place, { ...ports, instance, isStatusUsed }, signal)) await places.remove(place);
      };
      await Promise.all([offering?.run(signal) ?? untilAborted(signal), ...old.map(clear)]);
    },
  };
}
