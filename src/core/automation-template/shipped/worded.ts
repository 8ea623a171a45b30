import type { InputRules, Template, TemplateInput } from '#core/automation-template/template.ts';
import { templateTexts } from '#words/en/templates.ts';

type Texts = typeof templateTexts;
type InputsOf<Id extends keyof Texts> = Readonly<Record<keyof Texts[Id]['inputs'], InputRules>>;
type InputTexts = Readonly<Record<string, Pick<TemplateInput, 'label' | 'hint' | 'default'>>>;

/** A template that comes with the hub, with its words in English. */
export function worded<Id extends keyof Texts>(
  id: Id,
  { version, inputs, definition }: Pick<Template, 'version' | 'definition'> & { readonly inputs: InputsOf<Id> },
): Template {
  const { name, description, inputs: texts } = templateTexts[id];
  const rules = Object.entries<InputRules>(inputs);
  const said = Object.fromEntries(rules.map(([key, own]) => [key, { ...(texts as InputTexts)[key], ...own }]));
  return { id, version, name, description, inputs: said as Template['inputs'], definition };
}
