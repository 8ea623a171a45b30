import { isSameJson } from '#base/json.ts';
import type { Device, DeviceId } from '#core/device/device.ts';
import type { Selection, Trigger } from '#core/automation/document/trigger.ts';
import type { Happening, Member, TriggerIndex } from './happening.ts';

type Listener<Owner> = { readonly owner: Owner; readonly trigger: Trigger; readonly rank: number };
/** A trigger with `any_of` watches these keys now, for these listeners. */
type Expansion<Owner> = {
  readonly trigger: Trigger;
  readonly selection: Selection;
  readonly listeners: Set<Listener<Owner>>;
  readonly keys: Map<DeviceId, readonly string[]>;
};
type Known = Pick<Device, 'id' | 'roomId' | 'type' | 'features' | 'integration'>;

/** A group shows again what its members show, and would count them twice. */
const GROUP = 'group';
const NONE: readonly never[] = [];

/** The index of the triggers of all automations. A change that nothing watches costs one look into a map. */
export function createTriggerIndex<Owner>(): TriggerIndex<Owner> {
  const { add, drop, at } = createPlaces<Listener<Owner>>();
  const owned = new Map<Owner, readonly Listener<Owner>[]>();
  const expansions = new Map<Trigger, Expansion<Owner>>();
  const devices = new Map<DeviceId, Known>();
  const valuePlaces = createValuePlaces();
  let lastRank = 0;

  const placesOf = (expansion: Expansion<Owner>, id: DeviceId): readonly string[] =>
    (expansion.keys.get(id) ?? []).flatMap((key) => placesOfMember(expansion.trigger, { device: id, key }));
  const expansionOf = (trigger: Trigger, selection: Selection): Expansion<Owner> => {
    const keys = new Map<DeviceId, readonly string[]>();
    for (const device of devices.values()) {
      const found = keysIn(device, trigger, selection);
      if (found.length > 0) keys.set(device.id, found);
    }
    return { trigger, selection, listeners: new Set(), keys };
  };
  const everyPlace = ({ trigger }: Listener<Owner>): readonly string[] => {
    const expansion = expansions.get(trigger);
    if (expansion === undefined) return fixedPlaces(trigger);
    return [...expansion.keys.keys()].flatMap((id) => placesOf(expansion, id));
  };

  const remove = (owner: Owner): void => {
    for (const listener of owned.get(owner) ?? []) {
      for (const place of everyPlace(listener)) drop(place, listener);
      const expansion = expansions.get(listener.trigger);
      expansion?.listeners.delete(listener);
      if (expansion?.listeners.size === 0) expansions.delete(listener.trigger);
    }
    owned.delete(owner);
  };

  return {
    put: (owner, triggers) => {
      remove(owner);
      const listeners = triggers.map((trigger): Listener<Owner> => ({ owner, trigger, rank: (lastRank += 1) }));
      owned.set(owner, listeners);
      for (const listener of listeners) {
        const { trigger } = listener;
        const selection = selectionOf(trigger);
        if (selection !== undefined) {
          const expansion = expansions.get(trigger) ?? expansionOf(trigger, selection);
          expansions.set(trigger, expansion);
          expansion.listeners.add(listener);
        }
        for (const place of everyPlace(listener)) add(place, listener);
      }
    },
    remove,
    noteDevice: (id, device) => {
      if (device === undefined) devices.delete(id);
      else devices.set(id, device);
      if (device === undefined) valuePlaces.forget(id);
      for (const expansion of expansions.values()) {
        const found = device === undefined ? NONE : keysIn(device, expansion.trigger, expansion.selection);
        if (isSameJson(found, expansion.keys.get(id) ?? NONE)) continue;
        const before = placesOf(expansion, id);
        if (found.length === 0) expansion.keys.delete(id);
        else expansion.keys.set(id, found);
        const after = placesOf(expansion, id);
        for (const listener of expansion.listeners) {
          for (const place of before) drop(place, listener);
          for (const place of after) add(place, listener);
        }
      }
    },
    find: (happening) => {
      if (happening.kind === 'value') return at(valuePlaces.of(happening));
      const [place, second] = placesIn(happening);
      const found = place === undefined ? NONE : at(place);
      if (second === undefined) return found;
      return [...found, ...at(second)].toSorted((left, right) => left.rank - right.rank);
    },
    members: (trigger) => {
      const expansion = expansions.get(trigger);
      if (expansion === undefined) return fixedMembers(trigger);
      return [...expansion.keys].flatMap(([device, keys]) => keys.map((key): Member => ({ device, key })));
    },
  };
}

/** The text of a place is made and read once for each feature, because homes change thousands of times an hour. */
function createValuePlaces() {
  const known = new Map<DeviceId, Map<string, string>>();
  return {
    of: ({ device, key }: Member): string => {
      let ofDevice = known.get(device);
      if (ofDevice === undefined) known.set(device, (ofDevice = new Map()));
      let place = ofDevice.get(key);
      if (place === undefined) ofDevice.set(key, (place = valuePlace(device, key)));
      return place;
    },
    forget: (device: DeviceId): void => void known.delete(device),
  };
}

/** Lists by place, each in the order of ranks, which are all different. A list that was given out stays as it is. */
function createPlaces<One extends { readonly rank: number }>() {
  const places = new Map<string, { list: One[]; isGivenOut: boolean }>();
  /** The list of a place, to be changed. Copied only where somebody has it: thousands may be added one by one. */
  const ownList = (place: string): One[] => {
    const found = places.get(place);
    if (found !== undefined && !found.isGivenOut) return found.list;
    const list = found?.list.slice() ?? [];
    places.set(place, { list, isGivenOut: false });
    return list;
  };
  return {
    at: (place: string): readonly One[] => {
      const found = places.get(place);
      if (found === undefined) return NONE;
      found.isGivenOut = true;
      return found.list;
    },
    add: (place: string, one: One): void => {
      const list = ownList(place);
      list.splice(placeOfRank(list, one.rank), 0, one);
    },
    drop: (place: string, { rank }: One): void => {
      const known = places.get(place)?.list ?? NONE;
      const at = placeOfRank(known, rank);
      if (known[at]?.rank !== rank) return;
      if (known.length === 1) places.delete(place);
      else ownList(place).splice(at, 1);
    },
  };
}

/** Where it is in a list in the order of ranks, or would be. */
function placeOfRank(list: readonly { readonly rank: number }[], rank: number): number {
  let [from, to] = [0, list.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((list[middle]?.rank ?? Infinity) < rank) from = middle + 1;
    else to = middle;
  }
  return from;
}

/** Where a happening is looked up. */
function placesIn(happening: Happening): readonly string[] {
  switch (happening.kind) {
    case 'value':
      return [valuePlace(happening.device, happening.key)];
    case 'occurrence':
      return [`occurrence ${happening.device} ${happening.key}`];
    case 'availability':
      return [`availability ${happening.device}`];
    case 'integration':
      return [`integration ${happening.integration}`];
    case 'mode':
      return [`mode ${happening.mode}`];
    case 'variable':
      return [`variable ${happening.variable}`];
    case 'presence':
      return [`presence ${happening.person}`, 'presence'];
    case 'hub':
      return [`hub ${happening.on}`];
    case 'automation':
      return [`automation ${happening.automation}`];
    default:
      return [];
  }
}

/** Where a trigger without `any_of` is found. */
function fixedPlaces(trigger: Trigger): readonly string[] {
  switch (trigger.type) {
    case 'mode':
      return [`mode ${trigger.mode}`];
    case 'variable':
      return [`variable ${trigger.variable}`];
    case 'presence': {
      const isGroup = trigger.person === 'anyone' || trigger.person === 'everyone';
      return [isGroup ? 'presence' : `presence ${trigger.person}`];
    }
    case 'hub':
      return [`hub ${trigger.on}`];
    case 'automation':
      return [`automation ${trigger.automation}`];
    case 'time':
    case 'sun':
    case 'hook':
      return [];
    default:
      if ('integration' in trigger) return [`integration ${trigger.integration}`];
      return fixedMembers(trigger).flatMap((member) => placesOfMember(trigger, member));
  }
}

/** Where a trigger is found for one thing that it watches: with its device it may also become unknown. */
function placesOfMember({ type }: Trigger, { device, key }: Member): readonly string[] {
  if (type === 'occurrence') return [`occurrence ${device} ${key}`];
  if (type === 'availability') return [`availability ${device}`];
  return [valuePlace(device, key), `availability ${device}`];
}

function valuePlace(device: DeviceId, key: string): string {
  return `value ${device} ${key}`;
}

function fixedMembers(trigger: Trigger): readonly Member[] {
  const device = 'device' in trigger ? trigger.device : 'group' in trigger ? trigger.group : undefined;
  return device === undefined ? NONE : [{ device, key: keyIn(trigger) ?? '' }];
}

function keyIn(trigger: Trigger): string | undefined {
  return 'key' in trigger ? trigger.key : undefined;
}

function selectionOf(trigger: Trigger): Selection | undefined {
  return 'any_of' in trigger ? trigger.any_of : undefined;
}

/** Lists the keys of a device that a trigger with `any_of` watches; of its availability, the key without a name. */
function keysIn(device: Known, trigger: Trigger, { room, type, capability, except }: Selection): readonly string[] {
  const isMeant =
    device.integration !== GROUP &&
    (room === undefined || device.roomId === room) &&
    (type === undefined || device.type === type) &&
    except?.includes(device.id) !== true;
  if (!isMeant) return NONE;
  const fitting = device.features.filter((feature) => capability === undefined || feature.capability === capability);
  if (trigger.type === 'availability') return capability === undefined || fitting.length > 0 ? [''] : NONE;
  const key = keyIn(trigger);
  const kind = trigger.type === 'occurrence' ? 'event' : 'state';
  return fitting.filter((one) => one.kind === kind && (key === undefined || one.key === key)).map((one) => one.key);
}
