import { withReason } from '#http/answer/reason-json.ts';
import { EFFECTS_BESIDE_COMMANDS } from '#core/automation-run/turn.ts';
import * as z from 'zod/mini';
import { type Caller, canCaller } from '#auth/caller.ts';
import { visibilityFor } from '#auth/visibility.ts';
import { HubError } from '#base/hub-error.ts';
import type { UsedSeries } from '#core/automation-replay/recorded/used-series.ts';
import { type CheckedCommand, type CheckedEffect, type TryStart } from '#core/automation-replay/simulation.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import type { CommandRequest } from '#core/command/command-request.ts';
import type { DeviceId } from '#core/device/device.ts';
import type { House } from '#core/past/history/house-series.ts';
import type { SceneRegistry } from '#core/scene/scene-registry.ts';
import { automationListedJson } from '#http/automation/encode.ts';
import { automationListedSchema } from '#http/automation/json.ts';
import { automationOf, type AutomationRoutesDeps } from '#http/automation/shown.ts';
import { automationRunJson, automationRunSchema } from '#http/automation-run/json.ts';
import { seenHomeFor, type SeenHome, type SeenHomeDeps } from '#http/automation-run/seen-home.ts';
import { failureSchema } from '#http/answer/reference.ts';
import { described, named } from '#http/note/described.ts';
import { insufficientScope } from '#http/rights/access.ts';
import type { RouteRequest } from '#http/routing/route.ts';
import { seesHouseNow } from '#http/series/named-series.ts';
import { readInputs, requireAllSeen } from '#http/simulation/asked.ts';

const problemSchema = z.nullable(failureSchema);
const step = described('The step in the definition of this version.', z.string());
const afterMs = described('How long after the start, if devices answer as most do.', z.int());
const commandSchema = z.object({
  step,
  after_ms: afterMs,
  scene: described('Selector.', z.nullable(z.string())),
  targets: described(
    'The devices that would get it.',
    z.array(
      z.object({
        device: described('Selector; the id of a device that is gone.', z.string()),
        set: described(
          'By keys of features: the value that each would get.',
          z.optional(z.record(z.string(), z.unknown())),
        ),
        do: described('The action in place of values.', z.optional(z.string())),
        problem: described('Why it would not reach this device now.', problemSchema),
      }),
    ),
  ),
  problem: described('Why nothing of it would be sent now; `null` where it would.', problemSchema),
});
const { state, state_reason } = automationListedSchema.shape;
export const dryRunSchema = named(
  'AutomationDryRun',
  described(
    'What a start would do now. Nothing of it happened.',
    z.object({
      state: described('Of the automation. A real start is refused unless it is `ready`.', state),
      state_reason,
      over: described(
        'False where it did not end within the dry run: it waits for what does not happen, or goes on too long.',
        z.boolean(),
      ),
      trace: automationRunSchema,
      commands: described('What would be sent, in order.', z.array(commandSchema)),
      others: described(
        'Notices, requests and changes of the home itself, in their order.',
        z.array(
          z.object({
            kind: described('What would be done.', z.enum(EFFECTS_BESIDE_COMMANDS)),
            step,
            after_ms: afterMs,
            problem: described('Why it would not be done now; `null`: it would.', problemSchema),
          }),
        ),
      ),
    }),
  ),
);

export type DryRunDeps = AutomationRoutesDeps & {
  readonly tryStart: TryStart;
  readonly simulations: { readonly usedBy: (definitions: readonly Definition[]) => UsedSeries };
  readonly scenes: Pick<SceneRegistry, 'findScene'>;
  readonly accounts: SeenHomeDeps['accounts'];
  readonly house: House;
};

type Asked = Pick<Parameters<TryStart>[1], 'trigger' | 'skipConditions' | 'cause'> & {
  readonly inputs: Readonly<Record<string, boolean | number | string>> | undefined;
};
type Request = Pick<RouteRequest<unknown, unknown>, 'params' | 'authorize'>;

/** The answer to a start that is only tried. Throws HubError FORBIDDEN for who sees too little of the home. */
export async function dryRunJson(deps: DryRunDeps, request: Request, { inputs = {}, ...asked }: Asked) {
  const record = automationOf(deps, request);
  const values = readInputs(deps, inputs, sightOf(requireSeen(deps, record.definition, request.authorize()), deps));
  const tried = await deps.tryStart(record, { ...asked, inputs: values });
  const caller = request.authorize();
  requireSeen(deps, record.definition, caller);
  if (tried === undefined) throw new HubError('AUTOMATION_NOT_READY', 'The automation cannot be tried now.');
  const home = seenHomeFor(caller, deps);
  const { state: now, state_reason: reason } = automationListedJson(automationOf(deps, request), {
    ...deps,
    // Its next time is not shown.
    seesLocation: false,
  });
  const dryRun: z.infer<typeof dryRunSchema> = {
    state: now,
    state_reason: reason,
    over: tried.isOver,
    trace: automationRunJson(tried.run, home),
    commands: tried.commands.map((one) => commandJson(one, { deps, home })),
    others: tried.others.map(otherJson),
  };
  return { run: tried.run.id, dry_run: dryRun };
}

function requireSeen({ simulations }: DryRunDeps, definition: Definition, caller: Caller): Caller {
  if (!canCaller(caller, 'automation:read', 'home')) throw insufficientScope('automation:read');
  requireAllSeen(caller, simulations.usedBy([definition]), 'device:read');
  return caller;
}

/** Says whether the caller sees a series. A series out of sight counts as absent. */
function sightOf(caller: Caller, { registry }: Pick<DryRunDeps, 'registry'>): Parameters<typeof readInputs>[2] {
  const { seesDevice } = visibilityFor(caller, 'device:read');
  return ({ device, noun }) => {
    if (noun !== null) return seesHouseNow(caller, noun);
    const present = device === null ? undefined : registry.findDevice(device.id);
    return present !== undefined && seesDevice(present);
  };
}

type Shown = { readonly deps: Pick<DryRunDeps, 'scenes'>; readonly home: SeenHome };

function commandJson({ command, check }: CheckedCommand, { deps, home }: Shown): z.infer<typeof commandSchema> {
  const scene = command.scene === null ? null : (deps.scenes.findScene(command.scene)?.selector ?? command.scene);
  const target = (id: DeviceId, { set, do: action }: CommandRequest, problem: HubError | undefined) => ({
    device: home.selectorOf(id),
    ...(set !== undefined && { set: { ...set } }),
    ...(action !== undefined && { do: action }),
    problem:
      problem === undefined
        ? null
        : withReason({ code: problem.code, message: problem.message, reason: problem.options.reason }),
  });
  const targets =
    'refused' in check
      ? command.wishes.map(([id, wish]) => target(id, wish, undefined))
      : [...check.requests].map(([{ id }, request]) => target(id, request, check.unreachable.get(id)));
  const problem = 'refused' in check ? withReason({ code: check.refused, message: check.message }) : null;
  return { step: command.pointer, after_ms: Math.round(command.afterMs), scene, targets, problem };
}

const REFUSALS = {
  SIGNER_GONE: 'The person who signed the automation, or their API token, is gone.',
  RIGHTS_MISSING: 'The person who signed the automation may not do this.',
} as const;

function otherJson({ effect, refused }: CheckedEffect) {
  const problem = refused === null ? null : withReason({ code: refused, message: REFUSALS[refused] });
  return { kind: effect.kind, step: effect.pointer, after_ms: Math.round(effect.afterMs), problem };
}
