import { fieldError, validationFailed } from '#base/hub-error.ts';
import type { JsonValue } from '#base/json.ts';
import {
  either,
  ifThere,
  isNumber,
  isText,
  listOf,
  oneOf,
  orNull,
  recordOf,
  valuesOf,
} from '#core/records/record-check.ts';
import { areCallers, type Cause, type CauseCaller, DIRECT, ledBy } from '#core/cause/cause.ts';
import { type Issuer, isIssuerOrNull } from '#core/cause/issuer.ts';
import { KEYED_CHECKS, type KeyedRecord } from '#core/records/keyed-records.ts';
import { faultWords, notOneOf } from '#words/faults.ts';

/** The home is set to one value of a mode, such as `away`. A mode changes no one's rights. */
export type Mode = KeyedRecord & {
  readonly name: string;
  /** In the order in which they are shown. */
  readonly values: readonly string[];
  /** As people wrote the values. Absent for one: nobody has named it. */
  readonly valueNames?: ValueNames;
  readonly value: string;
  /** Milliseconds on the hub's clock. */
  readonly changedAtMs: number;
  /** `until`: its time was over. `null`: nobody has changed it yet. */
  readonly changedBy: Issuer | 'until' | null;
  readonly until: ModeEnd | null;
};

type ValueNames = Readonly<Record<string, string>>;

/** The end of a value that holds for a time. */
export type ModeEnd = {
  /** Names an epoch of the hub's clock; the moment is in it, so that a clock that is set later moves it along. */
  readonly epoch: string;
  readonly atMs: number;
  /** The value that follows. */
  readonly next: string;
  /** Who chose that, of those whom a cause names. */
  readonly callers?: readonly CauseCaller[];
};

export const MAX_MODES = 10;
export const MAX_MODE_VALUES = 10;

/** The mode that every home has. Its own values can be joined by others and not be removed. */
export const HOME_MODE: Mode = {
  key: 'home',
  name: 'Home',
  values: ['home', 'away', 'night', 'vacation'],
  value: 'home',
  changedAtMs: 0,
  changedBy: null,
  until: null,
  revision: 1,
};

/** A change sets these parts of a mode; what is absent stays. */
export type ModeChange = {
  readonly name?: string | undefined;
  readonly values?: readonly string[] | undefined;
  /** `null` takes a name away, or all of them. */
  readonly valueNames?: Readonly<Record<string, string | null>> | null | undefined;
};

/** The mode with other values or another name. Throws HubError VALIDATION_FAILED where a value that is needed is gone. */
export function changeMode(mode: Mode, change: ModeChange): Mode {
  const { name = mode.name, values = mode.values } = change;
  const needed = [mode.value, mode.until?.next, ...(mode.key === HOME_MODE.key ? HOME_MODE.values : [])];
  const missing = needed.find((value) => value !== undefined && !values.includes(value));
  if (missing !== undefined) {
    throw validationFailed([fieldError('/values', 'INVALID_VALUE', ...faultWords('value_in_use', { value: missing }))]);
  }
  const valueNames = changedNames(mode.valueNames ?? {}, { ...change, values });
  const changed = { ...mode, name, values, valueNames };
  const parts = (one: Mode): string => JSON.stringify([one.name, one.values, one.valueNames ?? {}]);
  return parts(changed) === parts(mode) ? mode : { ...changed, revision: mode.revision + 1 };
}

/** The names of the values that are left, in their order. Throws HubError VALIDATION_FAILED for one of another value. */
export function changedNames(
  old: ValueNames,
  { values, valueNames = {} }: Pick<Mode, 'values'> & Pick<ModeChange, 'valueNames'>,
): ValueNames {
  const others = Object.keys(valueNames ?? {}).filter((value) => !values.includes(value));
  if (others.length > 0) {
    throw validationFailed(
      others.map((value) => fieldError(`/value_names/${value}`, 'UNKNOWN', ...faultWords('unknown_mode_value'))),
    );
  }
  const names = new Map(Object.entries(valueNames === null ? {} : { ...old, ...valueNames }));
  return Object.fromEntries(
    values.flatMap((value) => {
      const name = names.get(value) ?? null;
      return name === null ? [] : [[value, name]];
    }),
  );
}

/** Who sets a mode to which value, and when. */
type ModeSetting = {
  readonly value: string;
  readonly by: Issuer | 'until';
  readonly atMs: number;
  /** `next` absent: the value that holds now, or that would follow it. `null`: the value holds until another is set. */
  readonly until:
    | (Pick<ModeEnd, 'epoch' | 'atMs'> & {
        readonly next?: string | undefined;
        readonly callers?: readonly CauseCaller[] | undefined;
      })
    | null;
};

function endOf({ until: old, value }: Mode, { callers, next, ...until }: NonNullable<ModeSetting['until']>): ModeEnd {
  // What is left as it was is still the choice of the person or token that made it.
  const { callers: all } = ledBy(ledBy(DIRECT, next === undefined ? old?.callers : []), callers);
  return { ...until, next: next ?? old?.next ?? value, ...(all && { callers: all }) };
}

/** The mode with this value. Throws HubError VALIDATION_FAILED where it does not have the value. */
export function setMode(mode: Mode, { value, by, atMs, until }: ModeSetting): Mode {
  const end = until && endOf(mode, until);
  for (const [pointer, one] of [
    ['/value', value],
    ['/next', end?.next],
  ] as const) {
    if (one !== undefined && !mode.values.includes(one)) {
      throw validationFailed([fieldError(pointer, 'INVALID_VALUE', ...notOneOf(mode.values))]);
    }
  }
  if (value === mode.value && end === null && mode.until === null) return mode;
  const changed = value === mode.value ? {} : { changedAtMs: atMs, changedBy: by };
  return { ...mode, value, ...changed, until: end, revision: mode.revision + 1 };
}

const hasModeMembers = recordOf<Mode>({
  ...KEYED_CHECKS,
  values: listOf(isText),
  valueNames: ifThere(valuesOf(isText)),
  value: isText,
  changedBy: either(oneOf(['until']), isIssuerOrNull),
  until: orNull(recordOf<ModeEnd>({ epoch: isText, atMs: isNumber, next: isText, callers: areCallers })),
});

/** Whether a value of any origin can be a mode that was stored. */
export function isModeRecord(record: JsonValue): boolean {
  if (!hasModeMembers(record)) return false;
  const { values, value, until } = record;
  return values.includes(value) && (until === null || values.includes(until.next));
}

declare module '#core/event/event.ts' {
  interface HomeEvents {
    /** Added, set, changed, or removed. `endMs`: when its value ends, on the hub's clock. `cause`: what led to it. */
    'mode.changed': {
      readonly mode: Mode;
      readonly endMs: number | undefined;
      readonly isGone: boolean;
      readonly cause?: Cause;
    };
  }
}
