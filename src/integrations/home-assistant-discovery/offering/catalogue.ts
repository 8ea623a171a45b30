import type { Device, DeviceId } from '#core/device/device.ts';
import type { HomeEvent } from '#core/event/event.ts';
import type { Places as Exposed } from '#core/integration/settings-shape.ts';
import { createChoice, touchedBy } from '#integrations/offering/choice.ts';
import type { HomePort } from '#integrations/ports.ts';
import { messagesOf, type MessagesDeps, offeredFrom, type OfferedHere } from './messages.ts';

/** The catalogue has the part of the home that is offered at the moment. */
export type Catalogue = ReturnType<typeof createCatalogue>;

type CatalogueDeps = Omit<MessagesDeps, 'roomNameOf' | 'parentIdOf' | 'version'> & {
  readonly home: HomePort;
  readonly expose: Exposed;
};

/** Others read all of them at once, and the broker keeps them. */
const MAX_DEVICES = 2_000;
/**
 * A device that came by discovery goes out by discovery no more: it would come back, through another hub or this one,
 * as a further device.
 */
const OWN_KIND = 'home_assistant_discovery';
const NOTHING: ReadonlyMap<string, string> = new Map();

export function createCatalogue(deps: CatalogueDeps) {
  const { home, places } = deps;
  let isChosen = createChoice(deps.expose);
  const byDevice = new Map<DeviceId, OfferedHere>();
  const byId = new Map<string, OfferedHere>();
  const leftOut = new Set<DeviceId>();
  const messagesDeps: MessagesDeps = {
    places,
    prefix: deps.prefix,
    version: home.version,
    roomNameOf: ({ roomId }) => (roomId === null ? null : (home.findRoom(roomId)?.name ?? null)),
    parentIdOf: ({ parentId }) => byDevice.get(parentId ?? ('' as DeviceId))?.id ?? null,
  };

  const isWanted = (device: Device): boolean => home.kindOf(device.integration) !== OWN_KIND && isChosen(device);
  const drop = (id: DeviceId): void => {
    const offered = byDevice.get(id);
    leftOut.delete(id);
    if (offered === undefined) return;
    byDevice.delete(id);
    byId.delete(offered.id);
  };
  const put = (device: Device): void => {
    drop(device.id);
    if (!isWanted(device)) return;
    const offered = offeredFrom(device, { places });
    if (offered.components.length === 0) return;
    if (byDevice.size >= MAX_DEVICES) {
      leftOut.add(device.id);
      return;
    }
    byDevice.set(device.id, offered);
    byId.set(offered.id, offered);
  };
  /** The id of the device, and of what is a part of it if it came or went. */
  const review = (device: Device, isGone: boolean): readonly string[] => {
    const before = byDevice.get(device.id);
    if (isGone) drop(device.id);
    else put(device);
    const now = byDevice.get(device.id);
    if (before === undefined && now === undefined) return [];
    const own = places.idOf(device.id);
    if ((before === undefined) === (now === undefined)) return [own];
    const parts = home.devices().filter(({ parentId }) => parentId === device.id);
    return [own, ...parts.flatMap(({ id }) => byDevice.get(id)?.id ?? [])];
  };

  const clear = (): void => {
    byDevice.clear();
    byId.clear();
    leftOut.clear();
  };
  const putAll = (): void => {
    for (const device of home.devices()) put(device);
  };

  putAll();
  return {
    ids: (): Iterable<string> => byId.keys(),
    find: (id: string): OfferedHere | undefined => byId.get(id),
    findByDevice: (id: DeviceId): OfferedHere | undefined => byDevice.get(id),
    /** All that the broker shall keep of it; nothing for what is not offered. */
    messagesFor: (id: string): ReadonlyMap<string, string> => {
      const offered = byId.get(id);
      const device = offered && home.findDevice(offered.device);
      return offered === undefined || device === undefined ? NOTHING : messagesOf(offered, device, messagesDeps);
    },
    /** The ids whose messages may be others after the event. */
    take: (event: HomeEvent): readonly string[] => {
      if (event.type === 'device.added' || event.type === 'device.changed') return review(event.device, false);
      if (event.type === 'device.removed') return review(event.device, true);
      const touched = touchedBy(event, home);
      return touched.flatMap((id) => byDevice.get(id)?.id ?? []);
    },
    /** Offers others from now on, and returns the ids whose messages may be others. */
    choose: (expose: Exposed): readonly string[] => {
      const before = [...byId.keys()];
      clear();
      isChosen = createChoice(expose);
      putAll();
      return [...new Set([...before, ...byId.keys()])];
    },
    /** Nothing is offered any more. */
    close: clear,
    counts: () => ({ devices: byId.size, entities: entitiesOf(byId.values()), leftOut: leftOut.size }),
  };
}

function entitiesOf(offered: Iterable<OfferedHere>): number {
  return [...offered].reduce((sum, { components }) => sum + components.length, 0);
}
