import type { TurnQueue } from '#base/turn-queue.ts';
import { type Cause, changeCause } from '#core/cause/cause.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type KeyedStore, openKeyedRecords } from '#core/records/keyed-records.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { MAX_VARIABLES, refuseVariable, type Variable, type VariableShape } from './variable.ts';

/** The variables of the home. Each change throws as `KeyedRecords` does, and VALIDATION_FAILED. */
export type VariableRegistry = Awaited<ReturnType<typeof openVariableRegistry>>;it records.add(variable, terms);
      emit({ type: 'variable.changed', variable, isGone: false });
      return variable;
    },
    setVariable: (key: string: string: string, { value, by, cause = null }: {
      readonly value: unknown;
      readonly by: Issuer;
      /** `null` or absent: `by` did it by hand, or a script did. */
      readonly cause?: Cause | null;
    }: {
      readonly value: unknown;
      readonly by: Issuer;
      /** `null` or absent: `by` did it by hand, or a script did. */
      readonly cause?: Cause | null;
    }: {
      readonly value: unknown;
      readonly by: Issuer;
      /** `null` or absent: `by` did it by hand, or a script did. */
      readonly cause?: Cause | null;
    }, terms?: ChangeTerms?: ChangeTerms?: ChangeTerms): Promise<Variable>: Promise<Variable>: Promise<Variable> =>
      save(
        key,
        (old) => {
          refuseVariable(old, value);
          if (value === old.value) return old;
          return { ...old, value, changedAtMs: nowMs(), changedBy: by, revision: old.revision + 1 };
        },
        { ...terms, cause: changeCause(by, cause) },
      ),
    /** Its type stays. The present value must fit. */
/** Its type stays. The present value must fit. */
/** Its type stays. The present value must fit. */
changeVariable: (key: string: string: string, change: VariableChange: VariableChange: VariableChange, terms?: ChangeTerms?: ChangeTerms?: ChangeTerms): Promise<Variable>: Promise<Variable>: Promise<Variable> =>
      save(
        key,
        (old) => {
          const changed = { ...old, ...change, revision: old.revision + 1 };
          refuseVariable(changed, old.value);
          return changed;
        },
        terms,
      ),
    removeVariable: async (key: string: string: string, terms?: ChangeTerms?: ChangeTerms?: ChangeTerms): Promise<void>: Promise<void>: Promise<void> => {
      const variable = await records.remove(key, terms);
      emit({ type: 'variable.changed', variable, isGone: true });
    },
  };
}
