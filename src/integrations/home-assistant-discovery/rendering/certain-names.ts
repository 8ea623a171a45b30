import { outside } from '#integrations/home-assistant-discovery/python/fault.ts';
import type { Expression, Statement } from '#integrations/home-assistant-discovery/syntax/tree.ts';

/** What Home Assistant knows of its own home under these names, the hub does not. */
const OF_ITS_HOME: ReadonlySet<string> = new Set(
  'this states is_state is_state_attr state_attr state_translated has_value expand closest distance areas area_id area_name area_entities area_devices floors floor_id floor_name floor_areas floor_entities integration_entities config_entry_attr config_entry_id device_attr device_entities device_id is_device_attr labels label_id label_name label_areas label_devices label_entities issues issue is_hidden_entity'.split(
    ' ',
  ),
);

export function isOfItsHome(name: string): boolean {
  return OF_ITS_HOME.has(name);
}

/** Throws TemplateFault where each rendering has to ask for such a name; a branch that is not taken asks for nothing. */
export function refuseCertainNames(statements: readonly Statement[]): void {
  for (const statement of statements) {
    if (statement.type === 'print' || statement.type === 'set') refuseIn(statement.value);
    else if (statement.type === 'if') statement.branches.slice(0, 1).forEach(([test]) => refuseIn(test));
    else if (statement.type === 'for') refuseIn(statement.over);
  }
}

function refuseIn(expression: Expression): void {
  if (expression.type === 'name' && OF_ITS_HOME.has(expression.name)) throw outside(`'${expression.name}'`);
  const certain =
    expression.type === 'choice'
      ? [expression.test]
      : expression.type === 'and' || expression.type === 'or'
        ? [expression.left]
        : Object.values(expression);
  for (const inner of certain.flat()) if (isExpression(inner)) refuseIn(inner);
}

function isExpression(value: unknown): value is Expression {
  return typeof value === 'object' && value !== null && 'type' in value;
}
