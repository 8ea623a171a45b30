import { type Caller, canCaller } from '#auth/caller.ts';
import { DIRECT } from '#core/cause/cause.ts';
import { planScene } from '#core/scene/scene-plan.ts';
import { MAX_TARGETS } from '#core/command/command-terms.ts';
import { spreadTargets } from '#core/scene/scene-groups.ts';
import type { Scene } from '#core/scene/scene.ts';
import { giveCommand, type Plan, tooManyMembers } from '#http/command/give.ts';
import { dryRunQuerySchema } from '#http/command/plan.ts';
import { COMMAND_AUDIT, commandAnswers } from '#http/command/routes.ts';
import { callerOf, insufficientScope } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route } from '#http/routing/route.ts';
import { sceneActivateSchema } from './json.ts';
import * as notes from './notes.ts';
import { requireSensitive, sceneOf, type SceneRoutesDeps } from './shown.ts';

/** Brings the devices of a scene into its state, as one command. */
export function activateRoute(deps: SceneRoutesDeps): Route {
  return defineRoute({
    id: 'activateScene',
    method: 'POST',
    path: '/api/v1/scene/:selector/activate',
    summary: 'Activate a scene',
    tag: 'Scene',
    note: notes.activateScene,
    access: 'scene:run',
    ration: 'command',
    query: dryRunQuerySchema,
    body: { ...jsonBody(sceneActivateSchema), isOptional: true },
    answers: commandAnswers,
    audit: COMMAND_AUDIT,
    handle: (request) => {
      const caller = callerOf(request);
      const { body, query } = request;
      const scene = sceneOf(deps, request, 'scene:run');
      return giveCommand(deps, request, {
        isDryRun: query.dry_run,
        wholeRequest: { scene: scene.id, ...body },
        plan: () => ({
          ...planFor(deps, caller, { scene, force: body.force ?? false, transitionMs: body.transition_ms ?? null }),
          expiresInS: body.expires_in ?? null,
        }),
        onAccepted: ({ id, createdBy }) => deps.scenes.noteActivated(scene, id, createdBy),
      });
    },
  });
}

type Wanted = { readonly scene: Scene; readonly force: boolean; readonly transitionMs: number | null };

/** Throws HubError FORBIDDEN with the first device that the caller may not control. */
function planFor(
  deps: SceneRoutesDeps,
  caller: Caller,
  { scene, force, transitionMs }: Wanted,
): Omit<Plan, 'expiresInS'> {
  const { registry, commands } = deps;
  const targets = spreadTargets(scene.targets, registry.findDevice);
  if (targets !== scene.targets && targets.length > MAX_TARGETS) throw tooManyMembers();
  for (const { deviceId } of targets) {
    const device = registry.findDevice(deviceId);
    if (device === undefined || canCaller(caller, 'device:control', { device })) continue;
    throw insufficientScope('device:control', ` for ${device.selector}`);
  }
  requireSensitive(deps, caller, scene);
  const plan = planScene(scene, {
    findDevice: registry.findDevice,
    isBusy: ({ id }) => commands.isBusy(id),
    force,
    transitionMs,
  });
  return { ...plan, transitionMs, isForOne: false, cause: { ...DIRECT, scene: scene.id } };
}
