import { isSameJson, type JsonValue } from '#base/json.ts';
import { type Availability, type AvailabilityState, type Device, isReachable } from '#core/device/device.ts';
import type { DerivedValue } from '#core/device/reports/device-reports.ts';
import { isShownWay } from '#core/feature/color-way.ts';
import { QUALITIES, type Quality, UNREPORTED } from '#core/feature/feature.ts';
import type { GroupFeature } from './group-features.ts';

type Known = { readonly value: JsonValue; readonly quality: Quality };
/** The value that a group shows; `null` where its members do not tell. */
export function groupValue(wanted: GroupFeature, members: readonly Device[]): DerivedValue | null {
  const { summing, of } = wanted;
  const { having, used } = membersFor(wanted, members);
  const known = knownOf(used, of);
  const areAllKnown = known.length > 0 && known.length === used.length;
  switch (summing) {
    case 'any':
      return decided(known, true) ?? (areAllKnown ? valueFrom(false, known) : null);
    case 'all':
      return decided(known, false) ?? (areAllKnown ? valueFrom(true, known) : null);
    case 'sum':
      return known.length === having.length ? summed(known) : null;
    case 'known_sum':
      return summed(known);
    case 'mean':
      return ofNumbers(known, meanOf);
    case 'mean_of_lit':
      return ofNumbers(
        knownOf(
          showing(
            used.filter((member) => isLit(member, of)),
            of,
          ),
          of,
        ),
        meanOf,
      );
    case 'least':
      return ofNumbers(known, (numbers) => Math.min(...numbers));
    case 'greatest':
      return ofNumbers(known, (numbers) => Math.max(...numbers));
    case 'common':
      return commonOf(showing(used, of), of);
  }
  return null;
}

function commonOf(members: readonly Device[], key: string): DerivedValue | null {
  const known = knownOf(members, key);
  const [first] = known;
  const areAllKnown = known.length === members.length;
  const isSame = first !== undefined && areAllKnown && known.every(({ value }) => isSameJson(value, first.value));
  return isSame ? valueFrom(first.value, known) : null;
}

/** A group is as reachable as its most reachable member. */
export function groupAvailability(members: readonly Device[]): Pick<Availability, 'state' | 'reason'> {
  const states = new Set(members.map(({ availability }) => availability.state));
  const order: readonly AvailabilityState[] = ['online', 'asleep', 'unknown', 'offline'];
  const state = order.find((one) => states.has(one));
  if (state === undefined) return { state: 'unknown', reason: 'no_members' };
  return { state, reason: state === 'online' ? null : `members_${state}` };
}

/** The members that have the feature, and those of them whose word counts. */
function membersFor({ of, summing, isSettable }: GroupFeature, members: readonly Device[]) {
  const having = members.filter(({ features }) => features.some(({ key, readable }) => key === of && readable));
  const reachable = having.filter(({ availability }) => isReachable(availability));
  // A lamp without power must not keep the others "on"; a window that is lost may still be open.
  const isOnlyReachable = summing === 'sum' || summing === 'known_sum' || (isSettable && reachable.length > 0);
  return { having, used: isOnlyReachable ? reachable : having };
}

/** Lists the known values of the members, each with its quality. */
function knownOf(members: readonly Device[], key: string): readonly Known[] {
  return members.flatMap((member): Known[] => {
    const { value, quality } = member.states.get(key) ?? UNREPORTED;
    if (quality === 'none' || value === null) return [];
    return [{ value, quality: isReachable(member.availability) ? quality : worst([quality, 'stale']) }];
  });
}

/** One member is enough to decide it, so the surest of those counts. */
function decided(known: readonly Known[], value: boolean): DerivedValue | undefined {
  const proofs = known.filter((one) => one.value === value);
  if (proofs.length === 0) return undefined;
  return { value, quality: QUALITIES[Math.min(...proofs.map(({ quality }) => QUALITIES.indexOf(quality)))] ?? 'none' };
}

/** The lamps that show white, or color; all of them if none does, so that the value is as stale as theirs. */
function showing(members: readonly Device[], key: string): readonly Device[] {
  const shown = members.filter((member) => isShownWay(member, key));
  return shown.length > 0 ? shown : members;
}

function isLit({ features, states }: Device, key: string): boolean {
  const component = features.find((one) => one.key === key)?.component;
  const onKey = features.find((one) => one.capability === 'on' && one.component === component)?.key;
  return onKey === undefined || states.get(onKey)?.value === true;
}

function summed(known: readonly Known[]): DerivedValue | null {
  return ofNumbers(known, (numbers) => numbers.reduce((sum, one) => sum + one, 0));
}

function meanOf(numbers: readonly number[]): number {
  return numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
}

function ofNumbers(known: readonly Known[], make: (numbers: readonly number[]) => number): DerivedValue | null {
  const numbers = known.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  // Without the noise of binary fractions.
  return numbers.length === 0 ? null : valueFrom(Number(make(numbers).toFixed(2)), known);
}

function valueFrom(value: JsonValue, known: readonly Known[]): DerivedValue {
  return { value, quality: worst(known.map(({ quality }) => quality)) };
}

function worst(qualities: readonly Quality[]): Quality {
  return QUALITIES[Math.max(...qualities.map((quality) => QUALITIES.indexOf(quality)))] ?? 'none';
}
