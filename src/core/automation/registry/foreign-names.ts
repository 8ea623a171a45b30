import { isJsonObject, type JsonValue } from '#base/json.ts';
import type { ReferenceKind } from '#core/automation/document/shape.ts';
import { deviceName } from '#core/device/device.ts';
import { isGroup } from '#core/device/group.ts';
import type { AutomationHome, FindTarget, Target } from './references.ts';

/** A thing of another hub, as its documents tell of it. `id` may be all that is known. */
export type ForeignName = {
  readonly id: string;
  readonly selector: string | null;
  readonly name: string | null;
  readonly integration: string | null;
  readonly externalId: string | null;
};

/** By what a thing of another hub was found in this home. */
export const MATCHED_BY = ['id', 'origin', 'selector', 'name'] as const;
type MatchedBy = (typeof MATCHED_BY)[number];
export type Match = { readonly target: Target; readonly by: MatchedBy };

/** Finds what stands in this home for a thing of another one. */
export type MatchForeign = (kind: ReferenceKind, foreign: ForeignName) => Match | undefined;

/** Reads the names that a document gives to things, by their ids: references may be objects with more than the id. */
export function foreignNamesIn(document: JsonValue): ReadonlyMap<string, ForeignName> {
  const found = new Map<string, ForeignName>();
  const visit = (part: JsonValue): void => {
    if (Array.isArray(part)) for (const item of part as readonly JsonValue[]) visit(item);
    if (!isJsonObject(part)) return;
    const { id, selector, name, integration, external_id: externalId } = part;
    if (typeof id === 'string' && !found.has(id) && [selector, name].some((one) => typeof one === 'string')) {
      found.set(id, {
        id,
        selector: textOf(selector),
        name: textOf(name),
        integration: textOf(integration),
        externalId: textOf(externalId),
      });
    }
    for (const item of Object.values(part)) visit(item);
  };
  visit(document);
  return found;
}

function textOf(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

/**
 * First what has this id, then the device that comes from the same place, then what has this selector, then what alone
 * has this name. Names of devices change less often between two hubs of one home than between two homes, so each match
 * says by what it was made.
 */
export function createMatchForeign(home: Pick<AutomationHome, 'devices'>, findTarget: FindTarget): MatchForeign {
  const byOrigin = (kind: ReferenceKind, { integration, externalId }: ForeignName): Target | undefined => {
    if ((kind !== 'device' && kind !== 'group') || integration === null || externalId === null) return undefined;
    const found = home.devices().find((one) => one.integration === integration && one.externalId === externalId);
    return found && findTarget(kind, found.id);
  };
  const byName = (kind: ReferenceKind, { name }: ForeignName): Target | undefined => {
    if ((kind !== 'device' && kind !== 'group') || name === null) return undefined;
    const named = home.devices().filter((one) => deviceName(one) === name && (kind === 'device' || isGroup(one)));
    const [only] = named;
    return named.length === 1 && only !== undefined ? findTarget(kind, only.id) : undefined;
  };
  return (kind, foreign) => {
    const { id, selector } = foreign;
    const ways: readonly (readonly [MatchedBy, () => Target | undefined])[] = [
      ['id', () => findTarget(kind, id)],
      ['origin', () => byOrigin(kind, foreign)],
      ['selector', () => (selector === null ? undefined : findTarget(kind, selector))],
      ['name', () => byName(kind, foreign)],
    ];
    for (const [by, find] of ways) {
      const target = find();
      if (target !== undefined) return { target, by };
    }
    return undefined;
  };
}
