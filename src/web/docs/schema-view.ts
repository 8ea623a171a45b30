import { type Child, code, disclosure, element, inline } from './element.ts';
import { nameOfReference, type OpenApi, resolve, type Schema } from './open-api.ts';

/** A schema: one line with its type, then its fields if it has any. */
export function schemaView(api: OpenApi, schema: Schema): HTMLElement {
  return element('div', { class: 'schema', lang: 'en' }, [
    element('p', {}, [typeOf(schema), ...limitsOf(schema)]),
    ...inside(api, schema),
  ]);
}

/** Its parts: fields, items, the members of a choice. */
function inside(api: OpenApi, given: Schema): readonly Child[] {
  const schema = resolve(api, given);
  const parts = partsOf(schema).filter((part) => !isNull(part));
  if (schema.properties !== undefined && parts.length === 0) return [fieldsView(api, schema)];
  if (schema.items !== undefined) return inside(api, schema.items);
  if (typeof schema.additionalProperties === 'object') return inside(api, schema.additionalProperties);
  const [only, ...more] = parts;
  if (only !== undefined && more.length === 0) return inside(api, only);
  return parts.filter((part) => hasInside(api, part)).map((part) => nested(api, part, titleOf(api, part)));
}

function fieldsView(api: OpenApi, { properties = {}, required = [] }: Schema): HTMLElement {
  const items = Object.entries(properties).map(([name, field]) => {
    const { description } = { ...resolve(api, field), ...field };
    return element('li', {}, [
      code(name),
      ' ',
      element('span', { class: 'type' }, [typeOf(field)]),
      required.includes(name) ? null : element('span', { class: 'note' }, [' optional']),
      ...limitsOf(field),
      description === undefined ? null : element('p', {}, inline(description)),
      hasInside(api, field) ? nested(api, field, `fields of ${name}`) : null,
    ]);
  });
  return element('ul', { class: 'fields' }, items);
}

/** Filled when it is opened, so that a schema may contain itself. */
function nested(api: OpenApi, schema: Schema, title: string): HTMLElement {
  return disclosure({ class: 'nested' }, [title], () => inside(api, schema));
}

function hasInside(api: OpenApi, given: Schema): boolean {
  const schema = resolve(api, given);
  if (schema.properties !== undefined) return true;
  const { items, additionalProperties } = schema;
  const inner = [items, additionalProperties, ...partsOf(schema)].filter((part) => typeof part === 'object');
  return inner.some((part) => hasInside(api, part));
}

function titleOf(api: OpenApi, schema: Schema): string {
  const type = resolve(api, schema).properties?.['type'];
  const [word, ...others] = (type === undefined ? undefined : resolve(api, type).enum) ?? [];
  return typeof word === 'string' && others.length === 0 ? word : typeOf(schema);
}

function partsOf({ anyOf, oneOf, allOf }: Schema): readonly Schema[] {
  return anyOf ?? oneOf ?? allOf ?? [];
}

function isNull({ type }: Schema): boolean {
  return type === 'null';
}

const MAX_NAMES = 6;

/** The type in a few words, such as `array of Device or null`. */
export function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return nameOfReference(schema.$ref);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const parts = partsOf(schema);
  if (parts.length > 0) {
    const names = [...new Set(parts.map(typeOf))];
    return names.length > MAX_NAMES ? `one of ${names.length} kinds` : names.join(' or ');
  }
  if (schema.type === 'array') return schema.items === undefined ? 'array' : `array of ${typeOf(schema.items)}`;
  if (schema.type === undefined) return 'any value';
  return [schema.type].flat().join(' or ');
}

function limitsOf(schema: Schema): readonly Child[] {
  const { format, minimum, maximum, minLength, maxLength, minItems, maxItems } = schema;
  const limits = [
    format,
    rangeOf('', minimum, maximum),
    rangeOf(' characters', minLength, maxLength),
    rangeOf(' items', minItems, maxItems),
    schema.default === undefined ? undefined : `default ${JSON.stringify(schema.default)}`,
  ].filter((limit) => limit !== undefined);
  return limits.length === 0 ? [] : [element('span', { class: 'note' }, [` ${limits.join(', ')}`])];
}

function rangeOf(unit: string, min?: number, max?: number): string | undefined {
  if (min === undefined && max === undefined) return undefined;
  if (min === undefined) return `at most ${max}${unit}`;
  return max === undefined ? `at least ${min}${unit}` : `${min} to ${max}${unit}`;
}
