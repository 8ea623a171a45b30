import { TemplateFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { encodingIn, textIn } from '#integrations/home-assistant-discovery/message/config.ts';
import type { AnnouncedEntity } from '#integrations/home-assistant-discovery/message/discovery-message.ts';
import type { EntityMaker, PartMaker, Place } from './building.ts';
import { button, numberEntity, select, switchEntity, textEntity } from './controls.ts';
import { entityOf, slugOf, strangeEntity, type Entity, type EntityDeps } from './entity.ts';
import { alarmControlPanel, siren } from '#integrations/home-assistant-discovery/entity/appliance/alarm.ts';
import { lawnMower, vacuum } from '#integrations/home-assistant-discovery/entity/appliance/robots.ts';
import {
  deviceTracker,
  notify,
  scene,
  tag,
  update,
} from '#integrations/home-assistant-discovery/entity/appliance/single.ts';
import { lock } from '#integrations/home-assistant-discovery/entity/appliance/lock.ts';
import { valve } from '#integrations/home-assistant-discovery/entity/appliance/valve.ts';
import { climate, humidifier, waterHeater } from '#integrations/home-assistant-discovery/entity/appliance/climate.ts';
import { cover } from '#integrations/home-assistant-discovery/entity/appliance/cover.ts';
import { fan } from '#integrations/home-assistant-discovery/entity/appliance/fan.ts';
import { deviceTrigger, event } from './events.ts';
import { light } from '#integrations/home-assistant-discovery/entity/light/light.ts';
import { binarySensor, sensor } from './sensors.ts';

const alone =
  (make: PartMaker): EntityMaker =>
  (config, place, deps) =>
    entityOf([make(config, place, deps)]);

/** The components of Home Assistant 2025.4, without those of pictures. */
const MAKERS: ReadonlyMap<string, EntityMaker> = new Map([
  ['alarm_control_panel', alarmControlPanel],
  ['binary_sensor', binarySensor],
  ['button', alone(button)],
  ['climate', climate],
  ['cover', cover],
  ['device_automation', alone(deviceTrigger)],
  ['device_tracker', deviceTracker],
  ['event', alone(event)],
  ['fan', fan],
  ['humidifier', humidifier],
  ['lawn_mower', lawnMower],
  ['light', light],
  ['lock', lock],
  ['notify', alone(notify)],
  ['number', alone(numberEntity)],
  ['scene', alone(scene)],
  ['select', alone(select)],
  ['sensor', sensor],
  ['siren', siren],
  ['switch', alone(switchEntity)],
  ['tag', alone(tag)],
  ['text', alone(textEntity)],
  ['update', update],
  ['vacuum', vacuum],
  ['valve', valve],
  ['water_heater', waterHeater],
]);

/** Makes an entity; one that is not understood says so in its feature. `suffix` tells it from another with its key. */
export function entityFrom(announced: AnnouncedEntity, deps: EntityDeps, suffix: string): Entity {
  const maker = MAKERS.get(announced.component);
  const place = placeOf(announced, suffix);
  if (maker === undefined)
    return withSource(strangeEntity(announced, 'the hub does not know such components yet'), place);
  try {
    const encoding = encodingIn(announced.config);
    return { ...maker(announced.config, place, deps), encoding };
  } catch (cause) {
    if (!(cause instanceof TemplateFault)) throw cause;
    return withSource(strangeEntity(announced, cause.message), place);
  }
}

function withSource(entity: Entity, { shown, component }: Place): Entity {
  return {
    ...entity,
    parts: entity.parts.map(({ feature, listens }) => {
      const key = component === 'main' ? feature.key : `${component}.${feature.key}`;
      return { listens, feature: { ...feature, key, component, source: shown.source } };
    }),
  };
}

export function uniqueIdOf({ component, object, config }: AnnouncedEntity): string {
  return (textIn(config, 'unique_id') ?? `${component}/${object}`).slice(0, 300);
}

/** Without a class they are features that have no other name than theirs. */
const OF_ONE_NAME = new Set(['binary_sensor', 'notify', 'number', 'select', 'sensor', 'text']);

/** Names that say no more than the word of the feature itself. */
const PLAIN_NAMES = new Set([
  'state',
  'switch',
  'relay',
  'power',
  'sensor',
  'lock',
  'door',
  'window',
  'contact',
  'motion',
  'occupancy',
  'presence',
]);

function placeOf(announced: AnnouncedEntity, suffix: string): Place {
  const { component, object, config } = announced;
  const said = textIn(config, 'name');
  const subtype = component === 'device_automation' ? textIn(config, 'subtype') : undefined;
  const slug = slugOf(subtype ?? said ?? '');
  const deviceClass = (textIn(config, 'device_class') ?? '').toLowerCase();
  const isPlain = slug === '' || slug === deviceClass || PLAIN_NAMES.has(slug);
  const own = component === 'button' ? slug || slugOf(object) : isPlain ? '' : slug;
  const hasWord = !OF_ONE_NAME.has(component) || deviceClass !== '';
  const base = hasWord && own !== '' ? own : 'main';
  return {
    component: suffix === '' ? base : base === 'main' ? suffix : `${base}_${suffix}`,
    name: slug || slugOf(deviceClass) || slugOf(object) || component,
    shown: {
      ...(said === undefined || said.trim() === '' ? {} : { name: said.slice(0, 200) }),
      source: uniqueIdOf(announced),
    },
  };
}
