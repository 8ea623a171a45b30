import { isJsonObject } from '#base/json.ts';
import type { Definition } from '#core/automation/document/definition.ts';

/** What conditions, operands and triggers of the sun need of the home, with pointers to where they say so. */
type OperandNeeds = {
  /** Variables of the home: not the document's own ones, nor those of a round of `for_each`. */
  readonly variables: readonly { readonly pointer: string; readonly key: string }[];
  /** What is unknown without the location of the home, and does not say what holds then. */
  readonly sun: readonly string[];
};

/**
 * The document was read before, so that all in it has its form. An operand differs from a plain value as it does for
 * the compiler. A name that any `for_each` gives counts as one of the document.
 */
export function operandNeeds(definition: Definition): OperandNeeds {
  const own = new Set(Object.keys(definition.variables));
  const variables: { pointer: string; key: string }[] = [];
  const sun: string[] = [];
  const visit = (node: unknown, pointer: string, isSunNeeded: boolean): void => {
    if (Array.isArray(node)) {
      for (const [index, one] of node.entries()) visit(one, `${pointer}/${index}`, isSunNeeded);
    }
    if (!isJsonObject(node)) return;
    const members = Object.entries(node);
    const { variable, sun: ofSun, if_unknown: ifUnknown, for_each: each } = node;
    if (members.length === 1 && 'value' in node) return;
    if (typeof variable === 'string' && members.length === 1)
      variables.push({ pointer: `${pointer}/variable`, key: variable });
    if (isJsonObject(variable) && typeof variable['variable'] === 'string') {
      variables.push({ pointer: `${pointer}/variable/variable`, key: variable['variable'] });
    }
    if (isJsonObject(each) && typeof each['variable'] === 'string') own.add(each['variable']);
    const needsSun = isSunNeeded && ifUnknown === undefined;
    if (needsSun && (isJsonObject(ofSun) || ofSun === 'elevation')) sun.push(`${pointer}/sun`);
    if (node['type'] === 'sun') sun.push(pointer);
    for (const [name, member] of members) {
      visit(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, needsSun && name !== 'coalesce');
    }
  };
  const { variables: ofDocument, triggers, conditions, steps } = definition;
  for (const [name, part] of Object.entries({ variables: ofDocument, triggers, conditions, steps })) {
    visit(part, `/${name}`, true);
  }
  return { variables: variables.filter(({ key }) => !own.has(key)), sun };
}
