import * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { visibilityFor } from '#auth/visibility.ts';
import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { isGroup } from '#core/device/group.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import type { Scene, SceneTarget } from '#core/scene/scene.ts';
import { captureTargets, type Captured, recaptureTargets } from '#core/scene/scene-capture.ts';
import { activityNow } from '#core/scene/scene-watch.ts';
import { contentTag } from '#base/content/content-tag.ts';
import { changeAsRead, requiredRevision } from '#http/answer/entity-tag.ts';
import {
  cursorOf,
  listResource,
  type Resource,
  showCreated,
  showResource,
  showIfChanged,
} from '#http/answer/resource.ts';
import { callerOf, issuerOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, mergePatchBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import { activateRoute } from './activate.ts';
import {
  capturedSceneSchema,
  sceneCaptureSchema,
  sceneCreateSchema,
  sceneJson,
  sceneSchema,
  sceneUpdateSchema,
  skippedJson,
} from './json.ts';
import * as notes from './notes.ts';
import { homeOf, requireSensitive, sceneOf, type SceneRoutesDeps, shownTo } from './shown.ts';
import { captureDevices, findSceneRoom, readTargets, type SceneHome } from './targets.ts';
import { faultWords } from '#words/faults.ts';

const PATH = '/api/v1/scene';
const ONE = '/api/v1/scene/:selector';
const UNAUDITED = { unaudited: 'everybody at home can see the scenes; what they open or guard is noted with each use' };
/** 200 targets of five members each. */
const MAX_MEMBERS = 4_000;

/** The scenes: list, show, add, change, remove, capture, activate. */
export function sceneRoutes(deps: SceneRoutesDeps): readonly Route[] {
  return [...readingRoutes(deps), ...changingRoutes(deps), captureRoute(deps), activateRoute(deps)];
}

function readingRoutes(deps: SceneRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'listScenes',
      method: 'GET',
      path: PATH,
      summary: 'List the scenes',
      tag: 'Scene',
      note: notes.listScenes,
      access: 'device:read',
      answers: { 200: z.array(sceneSchema), 304: null },
      handle: (request) => {
        const scenes = deps.scenes
          .scenes()
          .flatMap((one) => shownTo(deps, visibilityFor(callerOf(request), 'device:read'), one) ?? []);
        return showIfChanged(
          listResource(
            scenes.map((scene) => jsonOf(deps, scene)),
            cursorOf(deps),
          ),
          request.header,
        );
      },
    }),
    defineRoute({
      id: 'getScene',
      method: 'GET',
      path: ONE,
      summary: 'Show one scene and whether it is active',
      tag: 'Scene',
      note: notes.getScene,
      access: 'device:read',
      answers: { 200: sceneSchema, 304: null },
      handle: (request) => showIfChanged(resource(deps, sceneOf(deps, request, 'device:read')), request.header),
    }),
  ];
}

function changingRoutes(deps: SceneRoutesDeps): readonly Route[] {
  const { scenes } = deps;
  return [
    defineRoute({
      id: 'createScene',
      method: 'POST',
      path: PATH,
      summary: 'Add a scene, written or captured',
      tag: 'Scene',
      note: notes.createScene,
      access: 'scene:manage',
      body: { ...jsonBody(sceneCreateSchema), maxMembers: MAX_MEMBERS },
      answers: { 201: capturedSceneSchema },
      audit: UNAUDITED,
      handle: async (request) => {
        const { body } = request;
        const caller = callerOf(request);
        const home = homeOf(deps, caller);
        const { targets, skipped } = firstTargets(deps, home, body);
        const createdBy = issuerOf(caller);
        const roomId = roomIdOf(home, body.room);
        const details = { name: body.name, roomId, icon: body.icon ?? null, transitionMs: body.transition_ms ?? null };
        const scene = await scenes.addScene({ ...details, targets, createdBy }, termsFor(deps, request, targets));
        return showCreated(resource(deps, scene, { skipped: skippedJson(skipped) }), `${PATH}/${scene.selector}`);
      },
    }),
    defineRoute({
      id: 'updateScene',
      method: 'PATCH',
      path: ONE,
      summary: 'Change a scene',
      tag: 'Scene',
      note: notes.updateScene,
      access: 'scene:manage',
      body: { ...mergePatchBody(sceneUpdateSchema), maxMembers: MAX_MEMBERS },
      answers: { 200: sceneSchema },
      audit: UNAUDITED,
      handle: async (request) => {
        const scene = changeableOf(deps, request);
        const { name, room, icon, transition_ms: transitionMs, targets: wishes } = request.body;
        const home = homeOf(deps, callerOf(request));
        const targets = wishes === undefined ? undefined : readTargets(home, wishes, scene.targets);
        const change = {
          ...(name === undefined ? {} : { name }),
          ...(room === undefined ? {} : { roomId: roomIdOf(home, room) }),
          ...(icon === undefined ? {} : { icon }),
          ...(transitionMs === undefined ? {} : { transitionMs }),
          ...(targets === undefined ? {} : { targets }),
        };
        const ifRevision = requiredRevision(request.header('if-match'), scene.revision);
        const terms = { ...termsFor(deps, request, targets ?? scene.targets), ifRevision };
        return showResource(resource(deps, await scenes.updateScene(scene.id, change, terms)));
      },
    }),
    defineRoute({
      id: 'removeScene',
      method: 'DELETE',
      path: ONE,
      summary: 'Remove a scene',
      tag: 'Scene',
      note: notes.removeScene,
      access: 'scene:manage',
      answers: { 204: null },
      audit: UNAUDITED,
      handle: async (request) => {
        const scene = changeableOf(deps, request);
        const ifRevision = requiredRevision(request.header('if-match'), scene.revision);
        await scenes.removeScene(scene.id, { ifRevision, authorize: () => void request.authorize() });
        return { status: 204 };
      },
    }),
  ];
}

function captureRoute(deps: SceneRoutesDeps): Route {
  return defineRoute({
    id: 'captureScene',
    method: 'POST',
    path: `${ONE}/capture`,
    summary: 'Take the present states into a scene again',
    tag: 'Scene',
    note: notes.captureScene,
    access: 'scene:manage',
    body: { ...jsonBody(sceneCaptureSchema), isOptional: true },
    answers: { 200: capturedSceneSchema },
    audit: UNAUDITED,
    handle: async (request) => {
      const capture = () => recapture(deps, request);
      const { changed, skipped } = await changeAsRead(request, capture);
      return showResource(resource(deps, changed, { skipped: skippedJson(skipped) }));
    },
  });
}

/** Takes the present states into the scene as it is now. */
async function recapture(
  deps: SceneRoutesDeps,
  request: RouteRequest<unknown, z.infer<typeof sceneCaptureSchema>>,
): Promise<{ readonly changed: Scene; readonly skipped: Captured['skipped'] }> {
  const scene = changeableOf(deps, request);
  const home = homeOf(deps, callerOf(request));
  // What a group is to show was chosen for all of its members: it stays.
  const own = scene.targets.flatMap(({ deviceId }) => home.findDevice(deviceId) ?? []).filter((one) => !isGroup(one));
  const devices = captureDevices(home, request.body, '') ?? own;
  const keys = request.body.keys ?? null;
  const { targets, skipped } = recaptureTargets(scene.targets, devices, { keys, nowMs: deps.wallMs() });
  requiredRevision(request.header('if-match'), scene.revision);
  const terms = { ...termsFor(deps, request, targets), ifRevision: scene.revision };
  return { changed: await deps.scenes.updateScene(scene.id, { targets }, terms), skipped };
}

function changeableOf(deps: SceneRoutesDeps, request: RouteRequest<unknown, unknown>): Scene {
  const scene = sceneOf(deps, request, 'scene:manage');
  if (scene.isBuiltIn) throw new HubError('FORBIDDEN', 'The hub makes this scene itself: it cannot be changed.');
  return scene;
}

function roomIdOf(home: SceneHome, room: string | null | undefined): Scene['roomId'] {
  return typeof room === 'string' ? findSceneRoom(home, room, '/room').id : null;
}

function firstTargets(deps: SceneRoutesDeps, home: SceneHome, body: z.infer<typeof sceneCreateSchema>): Captured {
  const { targets, capture, room } = body;
  if (targets !== undefined && capture !== undefined) {
    throw validationFailed([
      fieldError('/capture', 'INVALID_VALUE', ...faultWords('not_beside', { other: 'targets' })),
    ]);
  }
  if (targets !== undefined) return { targets: readTargets(home, targets), skipped: [] };
  const asked = capture ?? (typeof room === 'string' ? { room } : {});
  const devices = captureDevices(home, asked, capture === undefined ? '' : '/capture');
  if (devices === undefined) {
    const pointer = capture === undefined ? '/targets' : '/capture';
    throw validationFailed([fieldError(pointer, 'REQUIRED', ...faultWords('no_targets'))]);
  }
  return captureTargets(devices, { keys: capture?.keys ?? null, nowMs: deps.wallMs() });
}

/** Saving a scene with a lock needs the right to locks, also at the moment in which it is written. */
function termsFor(
  { registry }: SceneRoutesDeps,
  request: RouteRequest<unknown, unknown>,
  targets: readonly SceneTarget[],
): Required<Pick<ChangeTerms, 'authorize'>> {
  const check = (caller: Caller): void => requireSensitive({ registry }, caller, { targets });
  check(callerOf(request));
  return { authorize: () => check(request.authorize()) };
}

function jsonOf(deps: SceneRoutesDeps, scene: Scene): z.infer<typeof sceneSchema> {
  const { scenes, registry, findRoom } = deps;
  // The built-in scene of a caller with limits is another one than the one that the hub follows.
  const isFollowed = scenes.findScene(scene.id) === scene;
  const activity = isFollowed ? scenes.activityOf(scene) : activityNow(scene, registry.findDevice);
  return sceneJson(scene, activity, { findDevice: registry.findDevice, findRoom });
}

/** Its tag changes with the state of its devices, and begins with its revision. */
function resource(deps: SceneRoutesDeps, scene: Scene, more: object = {}): Resource {
  const json = jsonOf(deps, scene);
  const hash = contentTag(JSON.stringify(json)).slice(1, -1);
  return {
    etag: `"${scene.revision}-${hash}"`,
    headers: cursorOf(deps),
    content: () => ({ json: { ...json, ...more } }),
  };
}
