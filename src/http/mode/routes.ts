import { fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import { changedNames, type Mode } from '#core/mode/mode.ts';
import type { ModeRegistry } from '#core/mode/mode-registry.ts';
import { cursorOf, revisionTag } from '#http/answer/resource.ts';
import { callerOf, issuerOf } from '#http/rights/access.ts';
import { recordRoutes } from '#http/routing/record-routes.ts';
import { jsonBody, mergePatchBody, type Route } from '#http/routing/route.ts';
import type * as z from 'zod/mini';
import { MAX_MODE_S, modeCreateSchema, modeJson, modeSchema, modeSettingSchema, modeUpdateSchema } from './json.ts';
import * as notes from './notes.ts';
import { type FaultWords, faultWords } from '#words/faults.ts';

type ModeRoutesDeps = {
  readonly modes: Omit<ModeRegistry, 'stop'>;
  readonly eventCursor: () => string;
  /** The time of day as the hub knows it. */
  readonly nowMs: () => number;
  /** Whether it can be trusted. */
  readonly isClockSet: () => boolean;
};

const read = { access: 'device:read', place: 'home' } as const;
const manage = { access: 'automation:manage', place: 'home' } as const;

/** The modes of the home: list, show, set, add, change, remove. */
export function modeRoutes(deps: ModeRoutesDeps): readonly Route[] {
  const { modes, eventCursor } = deps;
  const jsonOf = (mode: Mode) => modeJson(mode, modes.endMs(mode));
  const mode = recordRoutes<Mode>({
    noun: 'mode',
    tag: {
      name: 'Mode',
      description: 'What the home is set to: home, away, night, or a mode of its own.',
      after: 'Notification',
    },
    path: '/api/v1/mode/:key',
    schema: modeSchema,
    audit: { unaudited: 'everybody at home can see the modes, and the mode says who has set it' },
    find: modes.findMode,
    resource: (one) => ({ etag: revisionTag(one), headers: cursorOf(deps), content: () => ({ json: jsonOf(one) }) }),
    eventCursor,
  });
  return [
    mode.list({ id: 'listModes', summary: 'List the modes by key', note: notes.listModes, ...read }, () =>
      modes.modes().map(jsonOf),
    ),
    mode.show({ id: 'getMode', summary: 'Show one mode', note: notes.getMode, ...read }),
    mode.change(
      {
        id: 'setMode',
        method: 'PUT',
        summary: 'Set a mode',
        note: notes.setMode,
        access: 'mode:set',
        place: 'home',
        body: jsonBody(modeSettingSchema),
      },
      async (mode, request, given) => {
        const { body } = request;
        if (isAsShown(jsonOf(mode), body)) return mode;
        return modes.setMode(mode.key, { ...wishOf(deps, body), by: issuerOf(callerOf(request)) }, given);
      },
    ),
    mode.create(
      {
        id: 'createMode',
        summary: 'Add a mode',
        note: notes.createMode,
        ...manage,
        body: jsonBody(modeCreateSchema),
      },
      async ({ body, authorize }) => {
        const { value = body.values[0] ?? '' } = body;
        if (!body.values.includes(value)) {
          throw validationFailed([fieldError('/value', 'INVALID_VALUE', ...faultWords('not_of_values'))]);
        }
        const { value_names: wish, ...mode } = body;
        const valueNames = changedNames({}, { values: body.values, valueNames: wish });
        const added = await modes.addMode({ ...mode, valueNames, value }, { authorize });
        return [added, added.key];
      },
    ),
    mode.change(
      {
        id: 'updateMode',
        method: 'PATCH',
        summary: 'Change the name or values of a mode',
        note: notes.updateMode,
        ...manage,
        body: mergePatchBody(modeUpdateSchema),
      },
      ({ key }, { body }, given) => {
        const { value_names: valueNames, ...change } = body;
        return modes.changeMode(key, { ...change, valueNames }, given);
      },
    ),
    mode.remove(
      { id: 'removeMode', summary: 'Remove a mode', note: notes.removeMode, ...manage },
      ({ key }, _, given) => modes.removeMode(key, given),
    ),
  ];
}

type Setting = z.infer<typeof modeSettingSchema>;

/** Whether a body asks for what there is, with the end to which it was set at an earlier time. */
function isAsShown(shown: z.infer<typeof modeSchema>, { value, until = null, next = null, for_s }: Setting): boolean {
  return value === shown.value && until === shown.until && next === shown.next && (for_s ?? null) === null;
}

function wishOf(deps: ModeRoutesDeps, body: Setting) {
  return { value: body.value, forMs: lengthMs(deps, body), next: body.next ?? undefined };
}

/** How long a value shall hold; `null` for ever. Throws HubError VALIDATION_FAILED, CLOCK_NOT_SET. */
function lengthMs({ nowMs, isClockSet }: ModeRoutesDeps, body: Setting): number | null {
  const { until = null, for_s: forS = null } = body;
  const refuse = (pointer: string, ...words: FaultWords): HubError =>
    validationFailed([fieldError(pointer, 'INVALID_VALUE', ...words)]);
  if (until !== null && forS !== null) throw refuse('/for_s', ...faultWords('not_beside', { other: 'until' }));
  if (forS !== null) return forS * 1000;
  if (until === null) {
    if ((body.next ?? null) === null) return null;
    throw refuse('/next', ...faultWords('beside', { other: 'until or for_s' }));
  }
  if (!isClockSet()) throw new HubError('CLOCK_NOT_SET', 'The hub does not know the time yet. Give for_s.');
  const ms = Date.parse(until) - nowMs();
  if (ms <= 0) throw refuse('/until', ...faultWords('in_future'));
  if (ms > MAX_MODE_S * 1000) throw refuse('/until', ...faultWords('within_year'));
  return ms;
}
