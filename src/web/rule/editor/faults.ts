import type { FieldError } from '#web/client/api.ts';
import { fieldWords } from '#web/form/field-faults.ts';

export type Fault = {
  readonly pointer: string;
  readonly text: string;
  readonly isWarning: boolean;
  /** A lock, valve or alarm may be used once a person allows it by name. */
  readonly needsConsent?: boolean;
};
type Warning = Omit<FieldError, 'code'>;

/**
 * Collects the faults that the hub finds in a definition (`root`: where that stands in what was sent), and its
 * warnings.
 */
export function faultsFrom(
  root: string,
  errors: readonly FieldError[],
  warnings: readonly Warning[] = [],
): readonly Fault[] {
  const own = (pointer: string): string => (pointer.startsWith(`${root}/`) ? pointer.slice(root.length) : pointer);
  return [
    ...errors.map((error) => ({
      pointer: own(error.pointer),
      text: fieldWords(error),
      isWarning: false,
      needsConsent: error.reason.id === 'not_allowed',
    })),
    ...warnings.map(({ pointer, message, reason }) => ({
      pointer: own(pointer),
      text: fieldWords({ code: 'INVALID_VALUE', message, reason }),
      isWarning: true,
    })),
  ];
}

/** The faults of a part, without those of the parts inside it. */
export function faultsOf(faults: readonly Fault[], pointer: string, inner: readonly string[]): readonly Fault[] {
  const isIn = (fault: Fault, one: string): boolean => fault.pointer === one || fault.pointer.startsWith(`${one}/`);
  return faults.filter((fault) => isIn(fault, pointer) && !inner.some((one) => isIn(fault, one)));
}
