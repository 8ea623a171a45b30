import { UTF_8 } from '#integrations/home-assistant-discovery/bytes/encoding.ts';
import { valueFromJson } from '#integrations/home-assistant-discovery/bytes/json-reader.ts';
import type { ZoneOffset } from '#integrations/home-assistant-discovery/python/moment.ts';
import type { Value } from '#integrations/home-assistant-discovery/python/value.ts';
import type { Rendered, Rendering } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import { compileTemplate, type Template } from './template.ts';

/** Renders whatever it is given. Templates that it has seen are kept, up to this number of characters. */
export function createInterpreter(zoneOffset: ZoneOffset): (rendering: Rendering) => Rendered {
  const known = new Map<string, ReturnType<typeof compileTemplate>>();
  let characters = 0;
  let now = 0;
  return ({ source, payload, more, nowMs }) => {
    now = nowMs;
    let template = known.get(source);
    if (template === undefined) {
      template = compileTemplate(source, { nowMs: () => now, zoneOffset });
      characters += source.length;
      if (characters > MOST_CHARACTERS) {
        known.clear();
        characters = source.length;
      }
      known.set(source, template);
    }
    return 'fault' in template ? template : rendered(template, payload, more);
  };
}

const MOST_CHARACTERS = 262_144;

function rendered(template: Template, payload: Rendering['payload'], more: Rendering['more']): Rendered {
  const variables = new Map<string, Value>(more);
  if (payload !== null) {
    const bytes = typeof payload === 'string' ? null : Buffer.from(payload);
    variables.set('value', bytes === null ? String(payload) : { kind: 'bytes', bytes });
    // JSON is UTF-8 also where nothing else is text.
    const json = valueFromJson(bytes === null ? String(payload) : (UTF_8.decode(bytes) ?? ''));
    if (json !== undefined) variables.set('value_json', json);
  }
  return template.render(variables);
}
