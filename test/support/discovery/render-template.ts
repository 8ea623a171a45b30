import { TemplateFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/template/json.ts';
import {
  compileTemplate,
  type Rendered,
  type Template,
  type Variables,
} from '#integrations/home-assistant-discovery/template/template.ts';
import type { Surroundings, Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { BERLIN } from '#test/support/discovery/berlin.ts';

/** What a template makes of variables; a template that is refused is a fault as well. */
export function renderTemplate(source: string, variables: Variables, around: Surroundings = BERLIN): Rendered {
  const template = compiled(source);
  return 'fault' in template ? template : template.render(variables, around);
}

function compiled(source: string): Template | Extract<Rendered, { readonly fault: unknown }> {
  try {
    return compileTemplate(source);
  } catch (cause) {
    if (cause instanceof TemplateFault) return { fault: cause.kind, message: cause.message };
    throw cause;
  }
}

/** As a message of this payload has them. */
export function variablesOfPayload(payload: string): Variables {
  const json = valueFromJson(payload);
  return new Map<string, Value>([['value', payload], ...(json === undefined ? [] : [['value_json', json] as const])]);
}
