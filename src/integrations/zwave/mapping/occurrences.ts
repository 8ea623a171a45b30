import { snakeOf } from '#integrations/peer/snake-word.ts';
import { type JsonObject, type JsonValue, numberOf } from '#base/json.ts';
import type { Feature, Occurrence } from '#core/feature/feature.ts';
import { ownFeature, wordFeature } from '#core/feature/new-feature.ts';
import { readName } from '#core/integration/read-name.ts';
import type { NodeState, NodeValue } from '#integrations/zwave/zwave-message.ts';
import { NOTIFICATION } from './sensors.ts';
import type { Part } from './source.ts';

const SCENE_ACTIVATION = 43;
const CENTRAL_SCENE = 91;
const ENTRY_CONTROL = 111;

/** The attributes of a key, with how often it was pressed (@zwave-js/cc 15.29). */
const PRESSES = new Map<JsonValue, readonly [action: string, count?: number]>([
  [0, ['single', 1]],
  [1, ['release']],
  [2, ['hold']],
  [3, ['double', 2]],
  [4, ['triple', 3]],
  [5, ['quadruple', 4]],
  [6, ['quintuple', 5]],
]);

/** Buttons. Each scene is one; the only one of a remote is the remote's own. */
export function buttonSources(part: Part): void {
  const scenes = part.list(CENTRAL_SCENE).filter(({ id }) => id.property === 'scene' && id.propertyKey !== undefined);
  for (const scene of scenes) {
    const number = Number(scene.id.propertyKey);
    const own = Number.isSafeInteger(number) ? `scene_${number}` : `scene_${snakeOf(String(scene.id.propertyKey))}`;
    const place = part.component === 'main' ? own : `${part.component}_${own}`;
    const options = [...PRESSES].flatMap(([raw, [action]]) =>
      scene.metadata.states.has(JSON.stringify(raw)) ? [action] : [],
    );
    part.add(
      {
        feature: wordFeature('button', scenes.length === 1 ? part.component : place, {
          options: options.length === 0 ? null : options,
        }),
        from: [scene.key],
        happen: (raw) => pressOf(scene, raw),
      },
      scene,
    );
  }
  const activation = part.find(SCENE_ACTIVATION, 'sceneId');
  if (activation === undefined) return;
  part.add(
    {
      feature: wordFeature('button', part.component),
      from: [activation.key],
      happen: (raw) => (typeof raw === 'number' ? { action: `scene_${raw}`, raw: String(raw) } : undefined),
    },
    activation,
  );
}

function pressOf({ metadata }: NodeValue, raw: JsonValue): Occurrence | undefined {
  const press = PRESSES.get(raw);
  if (press === undefined) return undefined;
  const [action, count] = press;
  return {
    action,
    raw: metadata.states.get(JSON.stringify(raw)) ?? JSON.stringify(raw),
    ...(count === undefined ? {} : { count }),
  };
}

/** Messages of a node that stand for no value, by their command class. */
export type Notices = ReadonlyMap<number, { readonly feature: Feature }>;

const NOTICES: readonly (readonly [commandClass: number, name: string])[] = [
  [NOTIFICATION, 'notification'],
  [ENTRY_CONTROL, 'entry_control'],
];

export function noticesOf({ commandClasses }: Pick<NodeState, 'commandClasses'>): Notices {
  return new Map(
    NOTICES.flatMap(([commandClass, name]) => {
      if (!commandClasses.has(commandClass)) return [];
      const plain = ownFeature(name, 'main', { valueType: 'object', category: 'primary', readable: false });
      return [[commandClass, { feature: { ...plain, kind: 'event' as const } }]];
    }),
  );
}

/** Reads a notice by its label alone: its details may be the code that somebody typed. */
export function noticeFrom(args: JsonObject): Occurrence | undefined {
  const label = readName(args['eventLabel'], 80) ?? readName(args['eventTypeLabel'], 80);
  const number = numberOf(args['event']) ?? numberOf(args['eventType']);
  const raw = label ?? (number === undefined ? undefined : `event ${number}`);
  return raw === undefined ? undefined : { action: snakeOf(raw) || 'event', raw };
}
