import type { BinaryOperator } from '#integrations/home-assistant-discovery/python/number.ts';
import type { Order } from '#integrations/home-assistant-discovery/python/compare.ts';
import type { Value } from '#integrations/home-assistant-discovery/python/value.ts';

export type Comparison = Order | '==' | '!=' | 'in' | 'not in';

export type CallArguments = {
  readonly positional: readonly Expression[];
  readonly named: readonly (readonly [string, Expression])[];
};

export type Expression =
  | { readonly type: 'constant'; readonly value: Value }
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'list' | 'tuple'; readonly items: readonly Expression[] }
  | { readonly type: 'dict'; readonly pairs: readonly (readonly [Expression, Expression])[] }
  | { readonly type: 'attribute'; readonly of: Expression; readonly name: string }
  | { readonly type: 'item'; readonly of: Expression; readonly key: Expression }
  | { readonly type: 'slice'; readonly of: Expression; readonly parts: readonly (Expression | null)[] }
  | { readonly type: 'call'; readonly of: Expression; readonly args: CallArguments }
  | { readonly type: 'filter'; readonly of: Expression | null; readonly name: string; readonly args: CallArguments }
  | { readonly type: 'test'; readonly of: Expression; readonly name: string; readonly args: CallArguments }
  | {
      readonly type: 'binary';
      readonly operator: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly type: 'unary'; readonly operator: '-' | '+'; readonly of: Expression }
  | { readonly type: 'not'; readonly of: Expression }
  | { readonly type: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly type: 'join'; readonly parts: readonly Expression[] }
  | {
      readonly type: 'compare';
      readonly first: Expression;
      readonly others: readonly (readonly [Comparison, Expression])[];
    }
  | { readonly type: 'choice'; readonly test: Expression; readonly yes: Expression; readonly no: Expression | null };

export type Target =
  | { readonly type: 'name'; readonly name: string }
  | { readonly type: 'member'; readonly of: string; readonly name: string }
  | { readonly type: 'tuple'; readonly items: readonly Target[] };

export type Statement =
  | { readonly type: 'data'; readonly text: string }
  | { readonly type: 'print'; readonly value: Expression }
  | {
      readonly type: 'if';
      readonly branches: readonly (readonly [Expression, readonly Statement[]])[];
      readonly otherwise: readonly Statement[];
    }
  | {
      readonly type: 'for';
      readonly target: Target;
      readonly over: Expression;
      readonly only: Expression | null;
      readonly body: readonly Statement[];
      readonly otherwise: readonly Statement[];
    }
  | { readonly type: 'set'; readonly target: Target; readonly value: Expression }
  | {
      readonly type: 'set-block';
      readonly target: Target;
      readonly filter: Expression | null;
      readonly body: readonly Statement[];
    }
  | { readonly type: 'break' | 'continue' };
