import type { TurnQueue } from '#base/turn-queue.ts';
import { type Cause, changeCause } from '#core/cause/cause.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { HomeEvent } from '#core/event/event.ts';
import { type KeyedStore, openKeyedRecords } from '#core/records/keyed-records.ts';
import type { ChangeTerms } from '#core/records/change-terms.ts';
import { MAX_VARIABLES, refuseVariable, type Variable, type VariableShape } from './variable.ts';

/** The variables of the home. Each change throws as `KeyedRecords` does, and VALIDATION_FAILED. */
export type VariableRegistry = Awaited<ReturnType<typeof openVariableRegistry>>;

type VariableChange = Partial<Pick<Variable, 'name' | 'min' | 'max' | 'options'>>;

type VariableRegistryDeps = {
  readonly store: KeyedStore<Variable>;
  readonly turn: TurnQueue;
  readonly nowMs: () => number;
  readonly emit: (event: HomeEvent) => void;
};

export async function openVariableRegistry(deps: VariableRegistryDeps) {
  const { nowMs, emit } = deps;
  const records = await openKeyedRecords({ ...deps, noun: 'variable', maxCount: MAX_VARIABLES });
  const save = async (
    key: string,
    change: (old: Variable) => Variable,
    { cause = null, ...terms }: ChangeTerms & { readonly cause?: Cause | null } = {},
  ): Promise<Variable> => {
    let old: Variable | undefined;
    const variable = await records.change(key, (present) => change((old = present)), terms);
    if (variable !== old) emit({ type: 'variable.changed', variable, isGone: false, ...(cause && { cause }) });
    return variable;
  };
  return {
    /** By key. */
    variables: records.all,
    findVariable: records.find,
    addVariable: async (
      { key, name, value, ...shape }: VariableShape & Pick<Variable, 'key' | 'name'> & { readonly value: unknown },
      terms?: ChangeTerms,
    ): Promise<Variable> => {
      refuseVariable(shape, value);
      const variable = { key, name, ...shape, value, changedAtMs: nowMs(), changedBy: null, revision: 1 };
      await records.add(variable, terms);
      emit({ type: 'variable.changed', variable, isGone: false });
      return variable;
    },
    setVariable: (
      key: string,
      {
        value,
        by,
        cause = null,
      }: {
        readonly value: unknown;
        readonly by: Issuer;
        /** `null` or absent: `by` did it by hand, or a script did. */
        readonly cause?: Cause | null;
      },
      terms?: ChangeTerms,
    ): Promise<Variable> =>
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
    changeVariable: (key: string, change: VariableChange, terms?: ChangeTerms): Promise<Variable> =>
      save(
        key,
        (old) => {
          const changed = { ...old, ...change, revision: old.revision + 1 };
          refuseVariable(changed, old.value);
          return changed;
        },
        terms,
      ),
    removeVariable: async (key: string, terms?: ChangeTerms): Promise<void> => {
      const variable = await records.remove(key, terms);
      emit({ type: 'variable.changed', variable, isGone: true });
    },
  };
}
