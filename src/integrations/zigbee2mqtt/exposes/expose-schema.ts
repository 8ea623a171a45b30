import type { JsonObject } from '#base/json.ts';
import type { Expose } from './definition.ts';

/** The JSON Schema of the value of a composite or list. */
export function schemaOfExpose(expose: Expose): JsonObject {
  const title = expose.label === null ? {} : { title: expose.label };
  const description = expose.description === null ? {} : { description: expose.description };
  return { ...typeOfExpose(expose), ...title, ...description };
}

function typeOfExpose(expose: Expose): JsonObject {
  switch (expose.type) {
    case 'binary':
      return { enum: [expose.valueOn ?? true, expose.valueOff ?? false] };
    case 'numeric':
      return { type: 'number', ...limit('minimum', expose.min), ...limit('maximum', expose.max) };
    case 'enum':
      return { enum: expose.values };
    case 'text':
      return { type: 'string' };
    case 'list':
      return {
        type: 'array',
        ...(expose.itemType === null ? {} : { items: schemaOfExpose(expose.itemType) }),
        ...limit('minItems', expose.lengthMin),
        ...limit('maxItems', expose.lengthMax),
      };
    default: {
      if (expose.features.length === 0) return {};
      const properties = expose.features.map((feature) => [feature.property ?? feature.name, schemaOfExpose(feature)]);
      return { type: 'object', properties: Object.fromEntries(properties) };
    }
  }
}

function limit(name: string, value: number | null): JsonObject {
  return value === null ? {} : { [name]: value };
}
