import { isJsonObject, type JsonObject, type JsonValue } from '#base/json.ts';
import type { InputRules, Template, TemplateInput } from '#core/automation-template/template.ts';
import type { TemplateMessages } from '#core/automation-template/template-registry.ts';
import { templateMessages as english } from '#words/en/template-messages.ts';
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

/** A template that comes with the hub, with what its automations tell in these words, by their ids; `undefined`: English. */
export function saidIn(own: TemplateMessages | undefined, template: Template): Template {
  if (own === undefined) return template;
  const words = new Map<JsonValue, string | undefined>(Object.entries(english).map(([id, text]) => [text, own[id]]));
  const said = (node: JsonValue): JsonValue => {
    if (Array.isArray(node)) return node.map((item: JsonValue) => said(item));
    if (isJsonObject(node)) return saidObject(node);
    return words.get(node) ?? node;
  };
  const saidObject = (node: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(node).map(([name, item]) => [name, said(item)]));
  return { ...template, definition: saidObject(template.definition) };
}
