import { withReason } from '#http/answer/reason-json.ts';
import * as z from 'zod/mini';
import type { FieldError } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import { RUN_OUTCOMES } from '#core/cause/run-outcome.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { sensitiveUses } from '#core/automation/check/sensitive-use.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { type Hook, type Hooks, hooksIn } from '#core/automation/hook/hooks.ts';
import { mapReferences } from '#core/automation/document/read-definition.ts';
import {
  type AutomationRecord,
  type AutomationState,
  type ReferenceNames,
  type VersionLine,
} from '#core/automation/registry/automation-record.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import { devicesUsed } from '#core/automation/registry/devices-used.ts';
import type { AutomationEngine } from '#core/automation-run/live.ts';
import type { RunRegistry } from '#core/automation-run/trace/run-registry.ts';
import type { Device } from '#core/device/device.ts';
import { deviceName } from '#core/device/device.ts';
import type { Room, RoomId } from '#core/room/room.ts';
import { timeJson } from '#http/answer/time-json.ts';
import { described, wordOf } from '#http/note/described.ts';
import { declareEvents } from '#http/answer/home-events.ts';
import type { automationVersionLineSchema } from './course-json.ts';
import {
  type automationListedSchema,
  automationReferenceSchema,
  type automationSchema,
  automationSummarySchema,
  type shownDefinition,
} from './json.ts';
import { automationTexts } from '#words/en/automations.ts';

type FindRoom = (id: RoomId) => Room | undefined;

function automationSummaryJson(
  record: AutomationRecord,
  state: AutomationState,
  findRoom: FindRoom,
): z.infer<typeof automationSummarySchema> {
  const { id, selector, name, description, roomId, labels, enabled, version, revision, signer } = record;
  const room = roomId === null ? undefined : findRoom(roomId);
  return {
    id,
    selector,
    name,
    description,
    room: room === undefined ? null : { id: room.id, selector: room.selector, name: room.name },
    labels: [...labels],
    enabled,
    state: state.state,
    state_reason: reasonJson(state),
    acts_as: { user: signer.user, via: signer.via, signed_at: timeJson(signer.signedAtMs) },
    version,
    revision,
    created_at: timeJson(record.createdAtMs),
    updated_at: timeJson(record.updatedAtMs),
    deleted_at: timeJson(record.deletedAtMs),
  };
}

type AutomationView = {
  readonly automations: Pick<AutomationRegistry, 'stateOf' | 'findTarget' | 'directory' | 'opensAs'>;
  readonly findRoom: FindRoom;
  readonly automationEngine: Pick<AutomationEngine, 'statusOf'>;
  readonly runHistory: { readonly runs: Pick<RunRegistry, 'lastOf' | 'countsOf'> };
  /** Whether the reader may know where the home is. */
  readonly seesLocation: boolean;
  readonly nowMs: () => number;
};
/** For one that is shown with all that it does. */
export type WholeAutomationView = AutomationView & {
  readonly hooks: Pick<Hooks, 'secretOf'>;
  readonly mayChange: (record: AutomationRecord) => boolean;
};

export function automationListedJson(
  record: AutomationRecord,
  { automations, findRoom, automationEngine, runHistory, nowMs, seesLocation }: AutomationView,
): z.infer<typeof automationListedSchema> {
  const state = automations.stateOf(record);
  const summary = automationSummaryJson(record, state, findRoom);
  const { tripped, nextAtMs, running } = automationEngine.statusOf(record.id);
  const last = runHistory.runs.lastOf(record.id);
  const { runs, notMet, skipped, failed } = runHistory.runs.countsOf(record.id, nowMs());
  const isNextHidden = !seesLocation && record.definition.triggers.some(({ type }) => type === 'sun');
  const until = tripped === null ? '' : ` It may run again at ${timeJson(tripped.untilMs)}.`;
  return {
    ...summary,
    ...(state.state === 'ready' &&
      tripped !== null && {
        state: 'tripped' as const,
        state_reason: {
          code: 'TRIPPED',
          message: `${automationTexts.TRIPPED} ${tripped.detail}.${until}`,
          reason: { id: 'TRIPPED', with: { until: timeJson(tripped.untilMs) } },
          pointers: [],
        },
      }),
    last_run: last === null ? null : { id: last.id, at: timeJson(last.atMs), outcome: last.outcome },
    next_at: !isNextHidden && (state.state === 'ready' || state.state === 'broken') ? timeJson(nextAtMs) : null,
    ...(isNextHidden ? { next_hidden: true as const } : {}),
    running,
    counts: { today: { runs, not_met: notMet, skipped, failed } },
  };
}

export function automationJson(record: AutomationRecord, view: WholeAutomationView): z.infer<typeof automationSchema> {
  const { automations } = view;
  const { definition, names, template, createdBy } = record;
  const directory = automations.directory(record.id);
  return {
    ...automationListedJson(record, view),
    ...definitionJson(definition, { automations }, names),
    template: template === null ? null : { ...template },
    created_by: createdBy,
    ...(view.mayChange(record) ? { hooks: hooksIn(record).map((hook) => hookJson(hook, view)) } : {}),
    sensitive: automations.opensAs(definition) || sensitiveUses(definition, directory).length > 0,
    devices_used: devicesUsed(definition, directory).map(deviceReference),
  };
}

function hookJson(hook: Hook, { hooks }: Pick<WholeAutomationView, 'hooks'>) {
  const secret = hooks.secretOf(hook);
  return {
    trigger: hook.trigger.id,
    secret: secret === undefined ? ('none' as const) : secret.isValid ? ('valid' as const) : ('lapsed' as const),
    made_by: secret?.signer.user ?? null,
    made_at: timeJson(secret?.signer.signedAtMs ?? null),
  };
}

/** With what each reference is called now, else what it was called last. */
export function definitionJson(
  definition: Definition,
  { automations: { findTarget } }: { readonly automations: Pick<AutomationRegistry, 'findTarget'> },
  names: ReferenceNames,
): z.infer<z.ZodMiniObject<typeof shownDefinition>> {
  const shown = mapReferences(definition, (kind, id) => {
    // What names these is what people chose as their name.
    if (kind === 'mode' || kind === 'variable' || kind === 'integration') return id;
    const { selector, name } = findTarget(kind, id) ?? names[`${kind}/${id}`] ?? { selector: id, name: id };
    return { id, selector, name };
  });
  return shown as JsonObject as z.infer<z.ZodMiniObject<typeof shownDefinition>>;
}

export function versionLineJson(line: VersionLine): z.infer<typeof automationVersionLineSchema> {
  const { version, atMs, by, note, revertedTo, pointers } = line;
  const { user, via } = by;
  return { version, at: timeJson(atMs), by: user, via, note, reverted_to: revertedTo, pointers: [...pointers] };
}

function deviceReference(device: Device): z.infer<typeof automationReferenceSchema> {
  return { id: device.id, selector: device.selector, name: deviceName(device) };
}

function reasonJson(state: AutomationState): z.infer<typeof automationSummarySchema>['state_reason'] {
  if (state.state === 'suspended') {
    const words = state.code === 'SIGNER_GONE' ? 'SIGNER_GONE' : 'RIGHTS_MISSING';
    return { ...reasonOf(words, []), code: state.code };
  }
  if (state.state === 'ready' && state.misfits !== undefined) return reasonOf('NO_FIT', state.misfits);
  if (state.state !== 'broken') return null;
  const needsLocation = state.faults.every(({ reason }) => reason.id === 'no_location');
  return reasonOf(needsLocation ? 'LOCATION_NOT_SET' : 'BROKEN', state.faults);
}

function reasonOf(code: keyof typeof automationTexts, faults: readonly FieldError[]) {
  return { ...withReason({ code, message: automationTexts[code] }), pointers: faults.map(({ pointer }) => pointer) };
}

type OfType<Type> = Extract<HomeEvent, { readonly type: Type }>;

const summary = (
  { automation, state }: OfType<'automation.added' | 'automation.changed'>,
  { findRoom }: { readonly findRoom: FindRoom },
) => ({ automation: automationSummaryJson(automation, state, findRoom) });
const reference = ({
  automation: { id, selector, name },
}: {
  readonly automation: Pick<AutomationRecord, 'id' | 'selector' | 'name'>;
}) => ({ automation: { id, selector, name } });
const run = {
  shape: {
    automation: automationReferenceSchema,
    run: described('Id.', z.string()),
    phase: wordOf('RunPhase', ['started', 'waiting', 'finished']),
    outcome: wordOf('RunOutcome', RUN_OUTCOMES),
  },
  json: ({ automation, run: id, phase, outcome }: OfType<'automation.run' | 'automation.run.dull'>) => ({
    ...reference({ automation }),
    run: id,
    phase,
    outcome,
  }),
};

declareEvents(100, 'automation:read', {
  'automation.added': {
    about: 'Only for callers with the right `automation:read`, as the other events of automations.',
    shape: { automation: automationSummarySchema },
    json: summary,
  },
  'automation.changed': {
    about: 'A change of the automation or of its state.',
    shape: { automation: automationSummarySchema },
    json: summary,
  },
  'automation.removed': {
    about: 'It is in the trash.',
    shape: { automation: automationReferenceSchema },
    json: reference,
  },
  'automation.run': {
    ...run,
    about: 'A run started, waits or is over. There is none for a start that conditions or a running run refused.',
  },
  'automation.run.dull': {
    ...run,
    about: 'A start that conditions or a running run refused. Only for clients whose `types` have it.',
  },
});
