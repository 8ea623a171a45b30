import { untilAborted } from '#base/time/timer.ts';
import type { InstancePorts } from '#integrations/ports.ts';
import type { OfferingReport } from '#core/integration/integration-report.ts';
import { isEmptyChoice } from '#integrations/offering/choice.ts';
import { createOffering, type OfferingSettings } from './offering.ts';
import { clearPlace, isSamePlace, type OfferedAt, openOfferedPlaces } from './offered-places.ts';

export type OfferingPorts = Pick<
  InstancePorts,
  'clock' | 'startTimer' | 'random' | 'log' | 'mqtt' | 'home' | 'state' | 'isStaying'
>;

type OfferingInstance = {
  readonly id: string;
  readonly settings: OfferingSettings & { readonly broker: string };
};

/** What one run of an instance offers, and takes back of what was offered before. */
type HomeOffering = {
  readonly run: (signal: AbortSignal) => Promise<void>;
  /** False where it must run anew for them. */
  readonly take: (settings: OfferingSettings) => boolean;
  /** `null` while nothing is offered. */
  readonly report: () => OfferingReport | null;
};

export function createHomeOffering({ id: instance, settings }: OfferingInstance, ports: OfferingPorts): HomeOffering {
  const { broker, prefix, expose } = settings;
  const here: OfferedAt = { broker, prefix };
  const isOffering = !isEmptyChoice(expose);
  const offering = isOffering ? createOffering({ ...ports, instance, settings, link: ports.mqtt(broker) }) : undefined;
  return {
    report: () => offering?.report() ?? null,
    take: (next) => {
      // What begins or ends to be offered is noted where it is.
      if (isEmptyChoice(next.expose) === isOffering) return false;
      offering?.take(next);
      return true;
    },
    run: async (signal) => {
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
