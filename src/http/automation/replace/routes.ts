import * as z from 'zod/mini';
import { type Caller } from '#auth/caller.ts';
import { findDeviceIn, visibilityFor } from '#auth/visibility.ts';
import { fieldError, validationFailed } from '#base/hub-error.ts';
import type { Replaced } from '#core/automation/registry/automation-store.ts';
import { type Device, deviceName, type DeviceId } from '#core/device/device.ts';
import { isGroup } from '#core/device/group.ts';
import { requireRights, signerOf } from '#http/automation/document.ts';
import { automationReferenceSchema } from '#http/automation/json.ts';
import * as notes from '#http/automation/notes.ts';
import { PATH, requireOwn } from '#http/automation/shown.ts';
import { described, named } from '#http/note/described.ts';
import { callerOf } from '#http/rights/access.ts';
import { defineRoute, jsonBody, type Route, type RouteRequest } from '#http/routing/route.ts';
import {
  type Exchange,
  planReplacement,
  refuseNewcomers,
  type ReplaceDeps,
  type ReplacePlan,
  requireGroup,
  requireScene,
} from './plan.ts';
import { faultWords } from '#words/faults.ts';

type ReplaceRoutesDeps = ReplaceDeps & {
  /** All of it in one transaction. */
  readonly saveReplaced: (replaced: Replaced) => Promise<void>;
};

const nameSchema = z.string().check(z.minLength(1), z.maxLength(200));
const replaceSchema = named(
  'AutomationReplace',
  z.strictObject({
    from: described('Id or selector, also of a device that is gone.', nameSchema),
    to: described('Id or selector.', nameSchema),
    dry_run: described('Answers what would change, and changes nothing.', z.optional(z.boolean())),
  }),
);
const replacedSchema = named(
  'AutomationReplaced',
  z.object({
    automations: described('Automations that name the second device now.', z.array(automationReferenceSchema)),
    scenes: described('Scenes that have the second device now.', z.array(automationReferenceSchema)),
    groups: described('Groups that have the second device now.', z.array(automationReferenceSchema)),
    keys: described(
      'How the features of the two differ; empty where the first device is gone.',
      z.object({
        missing: described('The second has none of these.', z.array(z.string())),
        changed: described('Of another type, or in another unit.', z.array(z.string())),
        added: described('Features that only the second one has.', z.array(z.string())),
      }),
    ),
  }),
);

/** Lets one device take the place of another. */
export function replaceRoutes(deps: ReplaceRoutesDeps): readonly Route[] {
  return [
    defineRoute({
      id: 'replaceDevice',
      method: 'POST',
      path: `${PATH}/replace_device`,
      summary: 'Let one device take the place of another',
      tag: 'Automation',
      note: notes.replaceDevice,
      access: 'automation:manage',
      body: jsonBody(replaceSchema),
      answers: { 200: replacedSchema },
      audit: ({ body }, { auditDetail }) =>
        body.dry_run === true ? undefined : { type: 'automation.changed', detail: auditDetail },
      handle: async (request) => {
        const caller = request.authorize();
        const exchange = exchangeIn(deps, request.body, caller);
        const plan = await planReplacement(deps, exchange, caller);
        if (request.body.dry_run === true) request.authorize();
        else await write(deps, request, { plan, exchange });
        const json = {
          automations: plan.automations.map(({ record }) => referenceJson(record)),
          scenes: plan.scenes.map(({ scene }) => referenceJson(scene)),
          groups: plan.groups.map(({ group }) => referenceJson({ ...group, name: deviceName(group) })),
          keys: keysOf(deps.registry.findDevice(exchange.fromId), exchange.to),
        };
        return { status: 200, json, auditDetail: `${request.body.from} replaced by ${exchange.to.selector}` };
      },
    }),
  ];
}

/** Throws HubError VALIDATION_FAILED. What a limited caller may not see is as what does not exist. */
function exchangeIn(deps: ReplaceRoutesDeps, { from, to }: z.infer<typeof replaceSchema>, caller: Caller): Exchange {
  const sight = visibilityFor(caller, 'device:read');
  const find = findDeviceIn(sight, deps.registry.findDevice);
  const [old, next] = [find(from), find(to)];
  const fromId = old?.id ?? (sight.isWhole ? goneDevice(deps, from) : undefined);
  const unknown = faultWords('unknown_device');
  if (fromId === undefined) throw validationFailed([fieldError('/from', 'INVALID_VALUE', ...unknown)]);
  if (next === undefined) throw validationFailed([fieldError('/to', 'INVALID_VALUE', ...unknown)]);
  const isAnyGroup = (old !== undefined && isGroup(old)) || isGroup(next);
  if (isAnyGroup) throw validationFailed([fieldError('/to', 'INVALID_VALUE', ...faultWords('groups_not_exchanged'))]);
  if (fromId === next.id) throw validationFailed([fieldError('/to', 'INVALID_VALUE', ...faultWords('same_device'))]);
  return { fromId, to: next };
}

/** The id of a device that is gone, by what still names it. */
function goneDevice({ automations, scenes, groups, registry }: ReplaceRoutesDeps, name: string): DeviceId | undefined {
  const named = function* (): Generator<{ readonly id: string; readonly selector: string }> {
    for (const { names } of automations.automations()) {
      for (const [key, { selector }] of Object.entries(names)) {
        if (key.startsWith('device/')) yield { id: key.slice('device/'.length), selector };
      }
    }
    for (const { targets } of scenes.scenes()) yield* targets.map(({ deviceId: id, selector }) => ({ id, selector }));
    for (const { members = [] } of groups.groups()) yield* members;
  };
  for (const { id, selector } of named()) {
    if ((id === name || selector === name) && registry.findDevice(id) === undefined) return id as DeviceId;
  }
  return undefined;
}

/** Automations, scenes and groups change their turns together, and are on disk in one transaction. */
async function write(
  deps: ReplaceRoutesDeps,
  request: Pick<RouteRequest<unknown, unknown>, 'caller' | 'authorize'>,
  { plan, exchange }: { readonly plan: ReplacePlan; readonly exchange: Exchange },
): Promise<void> {
  const { automations, scenes, groups } = plan;
  if (automations.length + scenes.length + groups.length === 0) return;
  const signer = signerOf(callerOf(request), deps.wallMs());
  const changes = automations.map(({ record, definition, template }) => ({
    id: record.id,
    change: { definition, template, signer, note: 'another device' },
    terms: {
      ifRevision: record.revision,
      authorize: (now: typeof record): void => {
        const caller = request.authorize();
        requireOwn(now, caller);
        requireRights(deps, definition, caller);
      },
    },
  }));
  const sceneChanges = scenes.map(({ scene, targets }) => ({
    id: scene.id,
    targets,
    terms: {
      ifRevision: scene.revision,
      authorize: () => requireScene(deps, request.authorize(), { scene, targets }),
    },
  }));
  const groupChanges = groups.map(({ group, members }) => ({
    group,
    members,
    terms: {
      ifRevision: group.revision,
      authorize: () => requireGroup(deps, request.authorize(), { group, members }),
    },
  }));
  await deps.automations.saveTogether(changes, (saves) =>
    deps.scenes.updateTogether(sceneChanges, (changed) =>
      deps.groups.updateTogether(groupChanges, (devices) => {
        // Many automations take so long to check that the session may have ended meanwhile.
        request.authorize();
        refuseNewcomers(deps, exchange, plan);
        return deps.saveReplaced({ automations: saves, scenes: changed, devices });
      }),
    ),
  );
}

function keysOf(from: Device | undefined, to: Device): z.infer<typeof replacedSchema>['keys'] {
  if (from === undefined) return { missing: [], changed: [], added: [] };
  const formOf = ({ features }: Device) =>
    new Map(features.map(({ key, kind, valueType, unit }) => [key, JSON.stringify([kind, valueType, unit])]));
  const [before, after] = [formOf(from), formOf(to)];
  return {
    missing: [...before.keys()].filter((key) => !after.has(key)),
    changed: [...before].filter(([key, form]) => after.has(key) && after.get(key) !== form).map(([key]) => key),
    added: [...after.keys()].filter((key) => !before.has(key)),
  };
}

function referenceJson({
  id,
  selector,
  name,
}: {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
}) {
  return { id, selector, name };
}
