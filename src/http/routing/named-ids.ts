import { type FieldError, fieldError } from '#base/hub-error.ts';
import { isUuid } from '#base/uuid.ts';
import { faultWords } from '#words/faults.ts';

type Find<Id> = (idOrSelector: string) => { readonly id: Id } | undefined;

/**
 * The ids behind names that are ids or selectors. An id is taken as it is: its device or room may be absent for now and
 * keeps its id for its return. `onUnknown` is called for a selector that does not exist.
 */
export function readIds<Id extends string>(
  names: readonly string[],
  find: Find<Id>,
  onUnknown: (name: string, index: number) => void,
): readonly Id[] {
  return names.flatMap((name, index) => {
    const id = isUuid(name) ? (name as Id) : find(name)?.id;
    if (id === undefined) onUnknown(name, index);
    return id ?? [];
  });
}

/** For a list in a body: adds an error for each unknown name of the list at `pointer`. */
export function unknownIn(pointer: string, noun: 'device' | 'room', errors: FieldError[]) {
  return (_name: string, index: number): void => {
    errors.push(fieldError(`${pointer}/${index}`, 'INVALID_VALUE', ...faultWords('unknown_reference', { noun })));
  };
}
