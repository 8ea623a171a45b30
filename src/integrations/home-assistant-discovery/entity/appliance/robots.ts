import type { JsonValue } from '#base/json.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { syntaxFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { dictGet, isKind, isNumber } from '#integrations/home-assistant-discovery/template/value.ts';
import { textIn, textsIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';
import {
  controlDetails,
  listening,
  neighbourOf,
  pressOf,
  publicationTo,
  type EntityMaker,
  type Place,
} from '#integrations/home-assistant-discovery/entity/building.ts';
import {
  entityOf,
  type Part,
  type Publication,
  type Report,
} from '#integrations/home-assistant-discovery/entity/entity.ts';
import { choice, fieldParts } from '#integrations/home-assistant-discovery/entity/field.ts';
import { readingOf, writingOf } from '#integrations/home-assistant-discovery/entity/incoming.ts';

/** As Home Assistant 2025.4 has them. */
const VACUUM_STATES = ['cleaning', 'docked', 'error', 'idle', 'paused', 'returning'];
/** Each state that a person asks for has the command that leads there, and its usual payload. */
const VACUUM_COMMANDS: ReadonlyMap<JsonValue, readonly [feature: string, name: string, payload: string]> = new Map([
  ['cleaning', ['start', 'payload_start', 'start']],
  ['paused', ['pause', 'payload_pause', 'pause']],
  ['idle', ['stop', 'payload_stop', 'stop']],
  ['returning', ['return_home', 'payload_return_to_base', 'return_to_base']],
  ['docked', ['return_home', 'payload_return_to_base', 'return_to_base']],
]);
const USUAL = ['start', 'stop', 'return_home', 'status', 'battery', 'clean_spot'];

/** A robot that cleans. What it is to do is said as the state that it is to reach. */
export const vacuum: EntityMaker = (config, place, deps) => {
  const { component } = place;
  const abilities = textsIn(config, 'supported_features') ?? USUAL;
  const can = (ability: string): boolean => abilities.includes(ability);
  const member = membersHeard(config);
  const state: Part = {
    feature: wordFeature('vacuum_state', component, { ...controlDetails(config, place), options: VACUUM_STATES }),
    listens: member('state', (said) =>
      typeof said !== 'string' ? undefined : { value: VACUUM_STATES.includes(said) ? said : null },
    ),
  };
  const parts = commandParts(state, { config, place, can });
  const speeds = textsIn(config, 'fan_speed_list') ?? [];
  if (can('fan_speed') && speeds.length > 0)
    parts.push(
      ...fieldParts(config, deps, {
        make: (access) =>
          neighbourOf(
            place,
            wordFeature('fan_mode', component, {
              ...access,
              readable: textIn(config, 'state_topic') !== undefined,
              options: speeds,
            }),
          ),
        command: ['set_fan_speed_topic', 'set_fan_speed_template'],
        ...choice(speeds),
      }).map((part) => ({
        ...part,
        listens: member('fan_speed', (said) => (typeof said === 'string' ? { value: said } : undefined)),
      })),
    );
  if (can('battery') && textIn(config, 'state_topic') !== undefined)
    parts.push({
      feature: neighbourOf(place, wordFeature('battery', component)),
      listens: member('battery_level', (said) =>
        typeof said === 'number' ? { value: Math.max(0, Math.min(100, said)) } : undefined,
      ),
    });
  if (can('send_command'))
    parts.push(
      ...fieldParts(config, deps, {
        make: (access) =>
          neighbourOf(place, ownFeature('command', component, { ...access, valueType: 'string', category: 'config' })),
        command: ['send_command_topic', 'send_command_template'],
        read: () => undefined,
        write: (value) => (typeof value === 'string' ? { value, plain: value } : undefined),
      }),
    );
  return entityOf(parts);
};

/** Reads members of the state's JSON object. */
function membersHeard(config: Config) {
  return (name: string, of: (value: JsonValue) => Report): Part['listens'] =>
    listening(config, 'state_topic', (message) => {
      const said = message.variables().get('value_json') ?? null;
      const value = isKind(said, 'dict') ? dictGet(said, name) : undefined;
      if (value === undefined) return undefined;
      if (value === null) return { value };
      if (typeof value === 'string') return of(value);
      return isNumber(value) && typeof value !== 'boolean' ? of(Number(value)) : undefined;
    });
}

type Robot = { readonly config: Config; readonly place: Place; readonly can: (ability: string) => boolean };

function commandParts(state: Part, { config, place, can }: Robot): Part[] {
  if (textIn(config, 'command_topic') === undefined)
    return [{ ...state, feature: { ...state.feature, writable: false } }];
  const publication = publicationTo(config);
  const publish: Part['publish'] = (value) => {
    const [ability = '', name = '', payload = ''] = VACUUM_COMMANDS.get(value) ?? [];
    return can(ability) ? publication(textIn(config, name) ?? payload) : undefined;
  };
  const press = (ability: string, title: string): Part[] => {
    if (!can(ability)) return [];
    const payload = textIn(config, `payload_${ability}`) ?? ability;
    return [
      { feature: pressOf(place, ability, { name: title }), listens: new Map(), publish: () => publication(payload) },
    ];
  };
  return [{ ...state, publish }, ...press('locate', 'Locate'), ...press('clean_spot', 'Clean a spot')];
}

/** As Home Assistant 2025.4 has them. */
const MOWER_STATES = ['docked', 'error', 'mowing', 'paused', 'returning'];
const MOWER_COMMANDS = [
  ['mowing', 'start_mowing'],
  ['docked', 'dock'],
  ['paused', 'pause'],
] as const;

/** A robot that mows: each of its commands has a topic of its own. */
export const lawnMower: EntityMaker = (config, place, deps) => {
  const read = readingOf(config, 'activity_value_template', deps);
  const listens = listening(config, 'activity_state_topic', (message) => {
    const text = read(message);
    if (text === undefined || text === '') return undefined;
    return { value: MOWER_STATES.includes(text) ? text : null };
  });
  const commands = new Map<JsonValue, () => Publication>(
    MOWER_COMMANDS.flatMap(([state, command]) => {
      if (textIn(config, `${command}_command_topic`) === undefined) return [];
      const publication = publicationTo(config, `${command}_command_topic`);
      const write = writingOf(config, `${command}_command_template`, deps);
      return [[state, () => publication(write(command, command))] as const];
    }),
  );
  if (commands.size === 0 && listens.size === 0) throw syntaxFault('it has no topic');
  const feature = ownFeature('mower_state', place.component, {
    ...controlDetails(config, place, 'activity_state_topic'),
    valueType: 'enum',
    category: 'primary',
    writable: commands.size > 0,
    options: MOWER_STATES,
  });
  const publish: Part['publish'] = (value) => commands.get(value)?.();
  return entityOf([commands.size > 0 ? { feature, listens, publish } : { feature, listens }]);
};
