import type * as z from 'zod/mini';
import type { Caller } from '#auth/caller.ts';
import { type FieldError, fieldError, HubError, validationFailed } from '#base/hub-error.ts';
import type { JsonObject } from '#base/json.ts';
import { createStepSlices } from '#base/work-slices.ts';
import type { Warning } from '#core/automation/check/directory.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { Definition } from '#core/automation/document/definition.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import type { ReferenceKind } from '#core/automation/document/shape.ts';
import type { AutomationDetails } from '#core/automation/registry/automation-record.ts';
import { type ForeignName, foreignNamesIn, type Match } from '#core/automation/registry/foreign-names.ts';
import { missingRights, requireSound } from '#http/automation/document.ts';
import type { AutomationRoutesDeps } from '#http/automation/shown.ts';
import { insufficientScope } from '#http/rights/access.ts';
import type { AutomationImport, automationImportedSchema } from './json.ts';
import { faultWords } from '#words/faults.ts';

type Answer = z.infer<typeof automationImportedSchema>;
type Item = AutomationImport['automations'][number];

/** One automation of a bundle, in the terms of this home. */
type ReadItem = {
  readonly id: AutomationId;
  readonly pointer: string;
  readonly details: Omit<AutomationDetails, 'enabled'>;
  readonly definition: Definition;
  readonly warnings: readonly Warning[];
};
type ReadBundle = {
  readonly read: readonly ReadItem[];
  readonly matched: Answer['matched'];
  readonly unresolved: Answer['unresolved'];
  readonly rightsLost: Answer['rights_lost'];
};

const AT_ONCE = 4;
const MAX_ERRORS = 32;
const MAX_LISTED = 500;

/**
 * Reads all of a bundle. Throws HubError for what is wrong with its form and with values that this home does not have;
 * what it names and is not found here is in `unresolved`, and its automation is not in `read`.
 */
export async function readBundle(
  deps: AutomationRoutesDeps,
  { automations: items, map = {} }: AutomationImport,
  caller: Caller,
): Promise<ReadBundle> {
  const { automations } = deps;
  const ids = automations.newIds(items.length);
  const search = createSearch(deps, { items, ids, map });
  const slices = createStepSlices(AT_ONCE);
  const read: ReadItem[] = [];
  const unresolved: Answer['unresolved'] = [];
  const rightsLost: Answer['rights_lost'] = [];
  for (const [at, item] of items.entries()) {
    const pointer = `/automations/${at}`;
    const { definition, missing } = readItem(item, { pointer, find: search.findIn(item) });
    unresolved.push(...missing);
    if (definition !== undefined) {
      const warnings = atPointer(pointer, () => requireSound(deps, definition, { caller }));
      const id = ids[at] as AutomationId;
      read.push({ id, pointer, details: detailsOf(deps, item), definition, warnings });
      for (const { pointer: inside, right } of missingRights(deps, definition, caller))
        rightsLost.push({ pointer: pointer + inside, right });
    }
    const pause = slices.pause();
    if (pause !== undefined) await pause;
  }
  refuseUnasked(map, search.asked);
  return {
    read,
    matched: search.matched().slice(0, MAX_LISTED),
    unresolved: unresolved.slice(0, MAX_LISTED),
    rightsLost: rightsLost.slice(0, MAX_LISTED),
  };
}

/** Throws HubError VALIDATION_FAILED for what `map` has and no automation of the bundle names: it would change nothing. */
function refuseUnasked(map: Readonly<Record<string, string>>, asked: ReadonlySet<string>): void {
  const errors = Object.keys(map)
    .filter((key) => !asked.has(key))
    .slice(0, MAX_ERRORS)
    .map((key) => {
      const pointer = `/map/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      return fieldError(pointer, 'UNKNOWN', ...faultWords('not_in_bundle'));
    });
  if (errors.length > 0) throw validationFailed(errors);
}

/** Throws HubError INVALID_IMPORT and RIGHTS_MISSING. */
export function refuseIncomplete({ unresolved, rightsLost }: ReadBundle): void {
  if (unresolved.length > 0) {
    const errors = unresolved.slice(0, MAX_ERRORS).map(({ pointer, kind, ...foreign }) => {
      const { id, name, integration, external_id: externalId } = foreign;
      const from = integration === null ? '' : `, ${integration} ${externalId ?? ''}`;
      return fieldError(pointer, 'INVALID_VALUE', `is no ${kind} of this home: ${name ?? id}${from}`.slice(0, 200));
    });
    throw new HubError('INVALID_IMPORT', 'The home lacks something that it names; nothing was imported.', { errors });
  }
  refuseLost(rightsLost);
}

/** Throws HubError RIGHTS_MISSING. */
export function requireAllRights(deps: AutomationRoutesDeps, read: readonly ReadItem[], caller: Caller): void {
  for (const { pointer, definition } of read) {
    const missing = missingRights(deps, definition, caller);
    refuseLost(missing.map(({ pointer: inside, right }) => ({ pointer: pointer + inside, right })));
  }
}

function refuseLost(lost: readonly { readonly pointer: string; readonly right: string }[]): void {
  const [first] = lost;
  if (first === undefined) return;
  const errors = lost
    .slice(0, MAX_ERRORS)
    .map(({ pointer, right }) => fieldError(pointer, 'INVALID_VALUE', ...faultWords('needs_right', { right })));
  const { headers = {} } = insufficientScope(first.right as Parameters<typeof insufficientScope>[0]).options;
  throw new HubError('RIGHTS_MISSING', `This needs the right ${first.right}.`, { errors, headers });
}

type FindHere = (kind: ReferenceKind, reference: string) => { readonly id?: string; readonly foreign: ForeignName };

function readItem(
  item: Item,
  { pointer, find }: { readonly pointer: string; readonly find: FindHere },
): { readonly definition: Definition | undefined; readonly missing: Answer['unresolved'] } {
  const { id: _id, selector: _selector, name: _name, description: _d, room: _room, labels: _labels, ...rest } = item;
  const document = Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)) as JsonObject;
  const form = readDefinition(document, (_kind, reference) => reference);
  if (form.definition === undefined) throw validationFailed(prefixed(pointer, form.errors));
  const missed: (readonly [ReferenceKind, ForeignName])[] = [];
  const { definition, errors } = readDefinition(document, (kind, reference) => {
    const { id, foreign } = find(kind, reference);
    if (id === undefined) missed.push([kind, foreign]);
    return id;
  });
  // The form is right, so that each fault is a reference, in the order in which they were asked for.
  const missing = errors.flatMap((error, at): Answer['unresolved'] => {
    const [kind, foreign] = missed[at] ?? [];
    if (kind === undefined || foreign === undefined) return [];
    return [{ pointer: pointer + error.pointer, ...foreignJson(kind, foreign) }];
  });
  return { definition, missing };
}

/** Finds what the references of a bundle lead to here, and lists those that have another id. */
function createSearch(
  { automations }: Pick<AutomationRoutesDeps, 'automations'>,
  {
    items,
    ids,
    map,
  }: {
    readonly items: readonly Item[];
    readonly ids: readonly AutomationId[];
    readonly map: Readonly<Record<string, string>>;
  },
) {
  const own = new Map<string, AutomationId>();
  for (const [at, { id, selector }] of items.entries()) {
    for (const name of [selector, id]) if (name !== undefined) own.set(name, ids[at] as AutomationId);
  }
  const matched = new Map<string, Answer['matched'][number]>();
  const asked = new Set<string>();
  const known = new Map<string, Match | undefined>();
  const matchOf = (kind: ReferenceKind, foreign: ForeignName): Match | undefined => {
    const key = JSON.stringify([kind, foreign]);
    if (!known.has(key)) known.set(key, automations.matchForeign(kind, foreign));
    return known.get(key);
  };
  const findIn = (item: Item): FindHere => {
    const names = foreignNamesIn(item as JsonObject);
    return (kind, reference) => {
      const foreign = names.get(reference) ?? { ...NOTHING, id: reference };
      const key = `${kind}/${reference}`;
      asked.add(key);
      const chosen = Object.hasOwn(map, key) ? map[key] : undefined;
      const ownId = kind === 'automation' ? own.get(reference) : undefined;
      if (chosen === undefined && ownId !== undefined) return { id: ownId, foreign };
      const target = chosen === undefined ? undefined : automations.findTarget(kind, chosen);
      const match = chosen === undefined ? matchOf(kind, foreign) : target && { target, by: 'map' as const };
      if (match === undefined) return { foreign };
      const { id, selector, name } = match.target;
      if (id !== reference)
        matched.set(key, { ...foreignJson(kind, foreign), target: { id, selector, name }, by: match.by });
      return { id, foreign };
    };
  };
  return { findIn, asked, matched: (): Answer['matched'] => [...matched.values()] };
}

const NOTHING = { selector: null, name: null, integration: null, externalId: null };

function foreignJson(kind: ReferenceKind, { id, selector, name, integration, externalId }: ForeignName) {
  return { kind, id, selector, name, integration, external_id: externalId };
}

function detailsOf(
  { findRoom }: Pick<AutomationRoutesDeps, 'findRoom'>,
  { name, description = '', room, labels = [] }: Item,
): ReadItem['details'] {
  const found = [room?.id, room?.selector]
    .flatMap((one) => (one === undefined ? [] : [findRoom(one)]))
    .find((one) => one !== undefined);
  return { name, description, roomId: found?.id ?? null, labels: [...new Set(labels)] };
}

/** Says of the faults of one automation where it is in the bundle. */
function atPointer<Result>(pointer: string, work: () => Result): Result {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof HubError)) throw cause;
    const { errors = [], ...options } = cause.options;
    throw new HubError(cause.code, cause.message, { ...options, errors: prefixed(pointer, errors), cause });
  }
}

function prefixed(pointer: string, errors: readonly FieldError[]): FieldError[] {
  return errors.map((error) => ({ ...error, pointer: pointer + error.pointer }));
}
