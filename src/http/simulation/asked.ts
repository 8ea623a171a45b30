import { fieldError, type FieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import type { Caller } from '#auth/caller.ts';
import { visibilityFor } from '#auth/visibility.ts';
import { MOMENT_FORM, momentMs } from '#core/past/archive/read-moment.ts';
import type { NamedSeries, SeriesFinderDeps } from '#core/past/archive/series-finder.ts';
import { checkDefinition } from '#core/automation/check/check-definition.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import type { AutomationRecord } from '#core/automation/registry/automation-record.ts';
import type { AutomationRegistry } from '#core/automation/registry/automation-registry.ts';
import { findIdWith } from '#core/automation/registry/references.ts';
import { type Replayed, SIMULATION_LIMITS, type TimeWindow } from '#core/automation-replay/simulation.ts';
import type { SimulationRequest } from '#core/automation-replay/simulations.ts';
import type { UsedSeries } from '#core/automation-replay/recorded/used-series.ts';
import type { Device } from '#core/device/device.ts';
import { houseSeriesFrom } from '#core/past/history/house-series.ts';
import { createSeenSeriesFinder, seesHouse, seesHouseNow } from '#http/series/named-series.ts';
import type { SimulationCreate } from './json.ts';
import { faultWords } from '#words/faults.ts';

export type SimulationReadingDeps = Pick<SeriesFinderDeps, 'house'> & {
  readonly automations: Pick<AutomationRegistry, 'find' | 'findInTrash' | 'findVersion' | 'findTarget' | 'directory'>;
  readonly registry: { readonly findDevice: (idOrSelector: string) => Device | undefined };
  readonly nowMs: () => number;
};

const DAY_MS = 86_400_000;
const USUAL_DAYS = 14;

/** Reads a body and finds all of its references. Throws HubError for what it does not name rightly. */
export async function readRequest(deps: SimulationReadingDeps, body: SimulationCreate): Promise<SimulationRequest> {
  const window = readWindow(body, deps.nowMs());
  const record = body.automation === undefined ? undefined : deps.automations.find(body.automation);
  if (body.automation !== undefined && record === undefined) {
    throw new HubError('NOT_FOUND', 'There is no such automation.');
  }
  if (record === undefined && body.definition === undefined) {
    throw validationFailed([fieldError('/definition', 'REQUIRED', ...faultWords('needed_or_automation'))]);
  }
  const automation = await readReplayed(deps, { record, version: body.version, definition: body.definition });
  const compareTo = await readCompared(deps, record, body);
  return {
    automation,
    compareTo,
    isKnown: record !== undefined,
    window,
    world: body.world ?? 'recorded',
    inputs: readInputs(deps, body.given ?? {}),
    asIfOn: body.as_if_on ?? false,
  };
}

function readWindow({ from, to }: SimulationCreate, nowMs: number): TimeWindow {
  const read = (text: string, pointer: string): number => {
    const atMs = momentMs(text, nowMs);
    if (atMs === undefined) throw validationFailed([fieldError(pointer, 'INVALID_FORMAT', MOMENT_FORM)]);
    return atMs;
  };
  const toMs = Math.min(nowMs, to === undefined ? nowMs : read(to, '/to'));
  const fromMs = from === undefined ? toMs - USUAL_DAYS * DAY_MS : read(from, '/from');
  if (fromMs >= toMs) throw new HubError('HISTORY_RANGE', 'The time ends before it begins, or begins in the future.');
  if (toMs - fromMs <= SIMULATION_LIMITS.days * DAY_MS) return { fromMs, toMs };
  throw new HubError('SIMULATION_TOO_LARGE', `At most ${SIMULATION_LIMITS.days} days can be simulated at once.`);
}

/** Stands for one that is not saved. */
const UNSAVED = '00000000-0000-7000-8000-000000000000' as AutomationId;

type Source = {
  readonly record: AutomationRecord | undefined;
  readonly version?: number | undefined;
  readonly definition?: unknown;
};

async function readReplayed(deps: SimulationReadingDeps, { record, version, definition }: Source): Promise<Replayed> {
  if (definition !== undefined) return readNew(deps, record, { definition, pointer: '/definition' });
  if (record === undefined)
    throw validationFailed([fieldError('/automation', 'REQUIRED', ...faultWords('needed_for_version'))]);
  if (version === undefined || version === record.version) return record;
  const found = await deps.automations.findVersion(record.id, version);
  if (found === undefined) throw new HubError('NOT_FOUND', 'This version is not kept.');
  return { id: record.id, version, definition: found.definition };
}

function readNew(
  { automations }: SimulationReadingDeps,
  record: AutomationRecord | undefined,
  source: { readonly definition: unknown; readonly pointer: string },
): Replayed {
  // It came as JSON.
  const reading = readDefinition(source.definition as JsonValue, findIdWith(automations.findTarget));
  if (reading.definition === undefined) throw unfit(reading.errors, source.pointer);
  const { errors } = checkDefinition(reading.definition, automations.directory(record?.id));
  if (errors.length > 0) throw unfit(errors, source.pointer);
  return { id: record?.id ?? UNSAVED, version: (record?.version ?? 0) + 1, definition: reading.definition };
}

function unfit(errors: readonly FieldError[], pointer: string): HubError {
  return validationFailed(errors.map((error) => ({ ...error, pointer: pointer + error.pointer })));
}

async function readCompared(
  deps: SimulationReadingDeps,
  record: AutomationRecord | undefined,
  { compare_to: version, compare_definition: definition }: SimulationCreate,
): Promise<Replayed | null> {
  if (definition !== undefined) return readNew(deps, record, { definition, pointer: '/compare_definition' });
  return version === undefined ? null : readReplayed(deps, { record, version });
}

/** Throws HubError FORBIDDEN unless the caller sees all that definitions look at: a trace shows its values. */
export function requireAllSeen(
  caller: Caller,
  { own, devices }: UsedSeries,
  right: 'device:read' | 'history:read',
): void {
  const { seesDevice } = visibilityFor(caller, right);
  const seesNoun = right === 'history:read' ? seesHouse : seesHouseNow;
  const nouns = [...own.keys()].flatMap((name) => houseSeriesFrom(name)?.noun ?? []);
  if (devices.every((one) => seesDevice(one)) && nouns.every((noun) => seesNoun(caller, noun))) return;
  throw new HubError('FORBIDDEN', 'It looks at more of the home than this person or API token may see.');
}

/** Values by the names of series. Throws HubError VALIDATION_FAILED for what is none, or none that is seen. */
export function readInputs(
  deps: Pick<SimulationReadingDeps, 'house' | 'registry'>,
  body: Readonly<Record<string, boolean | number | string>>,
  isSeen: (series: NamedSeries) => boolean = () => true,
): SimulationRequest['inputs'] {
  const series = createSeenSeriesFinder(deps);
  const read = Object.entries(body).map(([shown, value]): [string, JsonValue] => {
    const pointer = `/given/${shown.replaceAll('~', '~0').replaceAll('/', '~1')}`;
    const found = series.find(shown);
    if (found === undefined || !isSeen(found)) {
      throw validationFailed([fieldError(pointer, 'INVALID_VALUE', ...faultWords('unknown_series'))]);
    }
    const type = found.valueType === 'text' ? 'string' : found.valueType;
    if (typeof value !== type)
      throw validationFailed([fieldError(pointer, 'WRONG_TYPE', ...faultWords('type', { type: `a ${type}` }))]);
    return [found.name, value];
  });
  return new Map(read);
}
