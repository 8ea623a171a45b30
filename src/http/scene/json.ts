import * as z from 'zod/mini';
import { MAX_EXPIRES_IN_S, MAX_TARGETS, MAX_TRANSITION_MS } from '#core/command/command-terms.ts';
import { QUALITIES } from '#core/feature/feature.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { type Activity, ACTIVITY_STATES, type FindDevice, type Scene } from '#core/scene/scene.ts';
import { SKIP_REASONS, type Skipped } from '#core/scene/scene-capture.ts';
import { matchNamed, spreadTargets } from '#core/scene/scene-groups.ts';
import { differencesOf, targetState } from '#core/scene/scene-match.ts';
import { findSensitiveTarget } from '#core/scene/scene-registry.ts';
import { deviceName } from '#core/device/device.ts';
import { iconSchema, nameSchema } from '#http/answer/name-schema.ts';
import { timeJson, timeSchema } from '#http/answer/time-json.ts';
import { requestedValuesSchema } from '#http/command/routes.ts';
import { issuerSchema, namedDeviceSchema, roomReferenceSchema } from '#http/answer/reference.ts';
import { described, named, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';

const selectorSchema = z.string().check(z.minLength(1), z.maxLength(200));
const transitionSchema = z.nullable(z.int().check(z.gte(0), z.lte(MAX_TRANSITION_MS)));

export const sceneTargetWishSchema = named(
  'SceneTargetWish',
  z.strictObject({
    device: described('Id or selector of the device.', selectorSchema),
    set: described('By keys of features: the value that each has in the scene.', requestedValuesSchema),
    transition_ms: described(
      'Milliseconds in which this device fades to it; `null` and absent: as the scene says.',
      z.optional(transitionSchema),
    ),
  }),
);
export const sceneCaptureSchema = named(
  'SceneCapture',
  z.strictObject({
    devices: described(
      'Ids or selectors of the devices whose present states are taken; by default those of the room.',
      z.optional(z.array(selectorSchema).check(z.minLength(1), z.maxLength(MAX_TARGETS))),
    ),
    room: described(
      'Id or selector of the room whose devices are taken; by default that of the scene.',
      z.optional(selectorSchema),
    ),
    keys: described(
      'Only these features.',
      z.optional(z.array(z.string().check(z.maxLength(200))).check(z.minLength(1), z.maxLength(100))),
    ),
  }),
);
const targetsSchema = z.array(sceneTargetWishSchema).check(z.maxLength(MAX_TARGETS));
const detailFields = {
  room: described('Id or selector of the room to which the scene belongs.', z.optional(z.nullable(selectorSchema))),
  icon: described('A word for the pictures of your client, such as `movie`; `null`: none.', z.optional(iconSchema)),
  transition_ms: described('For all targets without one of their own.', z.optional(transitionSchema)),
  targets: described(
    'What each device shows in the scene; takes the place of all targets before.',
    z.optional(targetsSchema),
  ),
};
export const sceneCreateSchema = named(
  'SceneCreate',
  z.strictObject({
    name: nameSchema,
    ...detailFields,
    capture: described(
      'In place of `targets`: takes the present states. Neither of them: takes those of the room.',
      z.optional(sceneCaptureSchema),
    ),
  }),
);
export const sceneUpdateSchema = named(
  'SceneUpdate',
  z.strictObject({ name: z.optional(nameSchema), ...detailFields }),
);
export const sceneActivateSchema = named(
  'SceneActivate',
  z.strictObject({
    transition_ms: described(
      'Milliseconds in which lamps fade to it; by default as the scene says.',
      z.optional(z.int().check(z.gte(0), z.lte(MAX_TRANSITION_MS))),
    ),
    expires_in: described(
      'Seconds for which it waits for devices that sleep; by default 300.',
      z.optional(z.int().check(z.gte(1), z.lte(MAX_EXPIRES_IN_S))),
    ),
    force: described('Sends also what the devices show already.', z.optional(z.boolean())),
  }),
);

const differenceSchema = z.object({
  device: described('Selector.', z.string()),
  key: z.string(),
  wanted: described('The value that the scene has.', z.unknown()),
  value: described('The value that the device has.', z.unknown()),
  quality: wordOf('Quality', QUALITIES),
});
const activitySummarySchema = z.object({
  state: described(
    '`active`: every device reports what the scene wants. `unknown`: nothing differs, but not every device can be trusted now.',
    wordOf('SceneState', ACTIVITY_STATES),
  ),
  matched: described('Targets that show what the scene wants.', z.int()),
  of: described('Targets that the home has.', z.int()),
  since: z.nullable(timeSchema),
});
const sceneTargetSchema = named(
  'SceneTarget',
  z.object({
    device: namedDeviceSchema,
    set: described('By keys of features: the value that each has in the scene.', z.record(z.string(), z.unknown())),
    transition_ms: z.nullable(z.int()),
    state: described(
      '`missing`: the device was removed; `cannot`: it lost a feature, or the value does not fit it any more.',
      z.enum(['ok', 'missing', 'cannot']),
    ),
    match: described('Whether the device shows this now.', z.enum(['matched', 'differs', 'unknown', 'absent'])),
  }),
);
const summaryFields = {
  id: z.uuid(),
  selector: described('Stable, readable and unique. Every call takes it in place of the id.', z.string()),
  name: z.string(),
  room: z.nullable(roomReferenceSchema),
  icon: z.nullable(z.string()),
  builtin: described('Made by the hub, and cannot be changed.', z.boolean()),
  revision: z.int(),
};
/** A scene without its targets, as events and snapshots have it. */
const sceneSummarySchema = named('SceneSummary', z.object({ ...summaryFields, active: activitySummarySchema }));
export const activeSceneSchema = z.object({
  id: z.uuid(),
  selector: z.string(),
  active: wordOf('SceneState', ACTIVITY_STATES),
});
export const sceneSchema = named(
  'Scene',
  described(
    'A named state of several devices.',
    z.object({
      ...summaryFields,
      transition_ms: z.nullable(z.int()),
      targets: described(
        'None are listed of a built-in scene: they are the devices of the moment.',
        z.array(sceneTargetSchema),
      ),
      active: named(
        'SceneActivity',
        z.object({
          ...activitySummarySchema.shape,
          differences: described('At most 50.', z.array(differenceSchema)),
        }),
      ),
      sensitive: described('It opens, floods or guards the home: it needs `device:control_sensitive`.', z.boolean()),
      created_by: z.nullable(issuerSchema),
      created_at: z.nullable(timeSchema),
      updated_at: z.nullable(timeSchema),
    }),
  ),
);
export const capturedSceneSchema = named(
  'SceneCaptured',
  z.object({
    ...sceneSchema.shape,
    skipped: described(
      'What was not taken, because the hub does not know it for certain.',
      z.array(z.object({ device: z.string(), key: z.string(), reason: z.enum(SKIP_REASONS) })),
    ),
  }),
);

type FindRoom = (id: RoomId) => Room | undefined;
type SceneView = { readonly findDevice: FindDevice; readonly findRoom: FindRoom };

const MAX_DIFFERENCES = 50;

/** A scene as the API shows it. */
export function sceneJson(
  scene: Scene,
  activity: Activity,
  { findDevice, findRoom }: SceneView,
): z.infer<typeof sceneSchema> {
  const { createdBy, isBuiltIn, targets } = scene;
  const differences = spreadTargets(targets, findDevice).flatMap((target) =>
    differencesOf(target, findDevice(target.deviceId)),
  );
  return {
    ...sceneSummaryJson(scene, activity, findRoom),
    transition_ms: scene.transitionMs,
    targets: isBuiltIn ? [] : targets.map((target) => targetJson(target, findDevice)),
    active: {
      ...activityJson(activity),
      differences: differences.slice(0, MAX_DIFFERENCES).map(({ selector, key, wanted, value, quality }) => ({
        device: selector,
        key,
        wanted,
        value,
        quality,
      })),
    },
    sensitive: findSensitiveTarget(scene, findDevice) !== undefined,
    created_by: createdBy === null ? null : { type: createdBy.type, id: createdBy.id },
    created_at: isBuiltIn ? null : timeJson(scene.createdAtMs),
    updated_at: isBuiltIn ? null : timeJson(scene.updatedAtMs),
  };
}

function sceneSummaryJson(
  { id, selector, name, roomId, icon, isBuiltIn, revision }: Scene,
  activity: Activity,
  findRoom: FindRoom,
): z.infer<typeof sceneSummarySchema> {
  const room = roomId === null ? undefined : findRoom(roomId);
  return {
    id,
    selector,
    name,
    room: room === undefined ? null : { id: room.id, selector: room.selector, name: room.name },
    icon,
    builtin: isBuiltIn,
    revision,
    active: activityJson(activity),
  };
}

export function sceneReferenceJson({ id, selector }: Scene, { state }: Activity): z.infer<typeof activeSceneSchema> {
  return { id, selector, active: state };
}

export function skippedJson(skipped: readonly Skipped[]): z.infer<typeof capturedSceneSchema>['skipped'] {
  return skipped.map(({ device, key, reason }) => ({ device: device.selector, key, reason }));
}

function targetJson(target: Scene['targets'][number], findDevice: FindDevice): z.infer<typeof sceneTargetSchema> {
  const device = findDevice(target.deviceId);
  const { selector } = device ?? target;
  return {
    device: { id: target.deviceId, selector, name: device === undefined ? target.name : deviceName(device) },
    set: target.set,
    transition_ms: target.transitionMs,
    state: targetState(target, findDevice),
    match: matchNamed(target, findDevice),
  };
}

function activityJson({ state, matched, of, sinceMs }: Activity): z.infer<typeof activitySummarySchema> {
  return { state, matched, of, since: timeJson(sinceMs) };
}

const sceneReferenceSchema = named(
  'SceneReference',
  z.object({ id: z.uuid(), selector: z.string(), name: z.string() }),
);
const sceneReference = ({ id, selector, name }: Scene): z.infer<typeof sceneReferenceSchema> => ({
  id,
  selector,
  name,
});
const summary = (
  { scene, activity }: { readonly scene: Scene; readonly activity: Activity },
  { findRoom }: { readonly findRoom: FindRoom },
) => ({ scene: sceneSummaryJson(scene, activity, findRoom) });

declareEvents(90, null, {
  'scene.added': { shape: { scene: sceneSummarySchema }, json: summary },
  // A change of the scene or of whether it is active; the latter at most once a second.
  'scene.changed': { shape: { scene: sceneSummarySchema }, json: summary },
  'scene.removed': {
    shape: { scene: sceneReferenceSchema },
    json: ({ scene }) => ({ scene: sceneReference(scene) }),
  },
  'scene.activated': {
    shape: {
      scene: sceneReferenceSchema,
      command: described('Id.', z.string()),
      by: described('Who activated it.', issuerSchema),
    },
    json: ({ scene, command, by }) => ({ scene: sceneReference(scene), command, by: { type: by.type, id: by.id } }),
  },
});
