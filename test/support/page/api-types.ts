import { join } from 'node:path';
import type { OpenApiDocument } from '#http/reference/openapi.ts';

type Schema = {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly 'x-extensible-enum'?: readonly unknown[];
  readonly 'x-known'?: Schema;
  readonly 'x-types'?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
};

export const API_TYPES_PATH = join(import.meta.dirname, '../../../src/web/client/api.ts');

const HEAD = `// Made from the OpenAPI document by \`npm run openapi\`. Do not edit.
/* oxlint-disable eslint/max-lines */

/**
 * English of the hub. To the compiler it is a symbol: it fits into no text and no element. A words function of
 * \`src/web/strings\` makes words of the page's language from it.
 */
export type HubText = symbol;
`;

/** The hub says in English what stands in fields of these names, unless it is listed below. */
const HUB_TEXT_FIELDS: ReadonlySet<string> = new Set(
  'about detail help hint label message pairing_hint reason removal_hint sentence text title'.split(' '),
);

/** These say something in English as well. */
const HUB_TEXTS: ReadonlySet<string> = new Set(
  [
    ['AutomationTemplate', 'name description'],
    ['AutomationTemplateSummary', 'name description'],
    ['Integration', 'name'],
    ['IntegrationKind', 'name'],
  ].flatMap(([type, fields = '']) => fields.split(' ').map((field) => `${type}.${field}`)),
);

/** What people, makers and scripts wrote, and ids of reasons. It may only become less. */
export const NO_HUB_TEXTS: ReadonlySet<string> = new Set([
  'AutomationTemplateInputImport.hint',
  'AutomationTemplateInputImport.label',
  'Availability.reason',
  'BridgeFabric.label',
  'HookCalled.reason',
  'NotificationAction.label',
  'NotificationCreate.text',
  'NotificationCreate.title',
  'NotificationCreateAction.label',
  'NotifyStep.text',
  'NotifyStep.title',
  'ProviderCommandAnswer.reason',
  'StopStep.reason',
]);

/**
 * The page comes with its hub, so it knows all words and events that there are: to it, lists are closed.
 *
 * TypeScript for every named schema of the document, without its texts. Not by `openapi-typescript`: that needs the
 * compiler API of TypeScript 5, which TypeScript 7 no longer has.
 */
export function apiTypes({ components }: OpenApiDocument): string {
  const types = Object.entries(components.schemas as Readonly<Record<string, Schema>>).map(
    ([name, schema]) => `export type ${name} = ${typeOf(branded(name, schema), '')};\n`,
  );
  return [HEAD, ...types].join('\n');
}

/** A schema whose English texts have the type of those. */
function branded(type: string, schema: Schema): Schema {
  if (schema.properties === undefined) return schema;
  const fields = Object.entries(schema.properties).map(([name, field]) => {
    const place = `${type}.${name}`;
    const isText = HUB_TEXTS.has(place) || (HUB_TEXT_FIELDS.has(name) && !NO_HUB_TEXTS.has(place));
    return [name, isText ? asHubText(field) : field] as const;
  });
  return { ...schema, properties: Object.fromEntries(fields) };
}

function asHubText(field: Schema): Schema {
  if (field.enum !== undefined || field['x-extensible-enum'] !== undefined || field.const !== undefined) return field;
  // A field that may be anything in an event is a text or nothing here.
  if (field.type === undefined && field.anyOf === undefined && field.$ref === undefined) {
    return { ...field, type: ['HubText', 'null'] };
  }
  return {
    ...field,
    ...(field.type === undefined
      ? {}
      : { type: [field.type].flat().map((one) => (one === 'string' ? 'HubText' : one)) }),
    ...(field.anyOf === undefined ? {} : { anyOf: field.anyOf.map(asHubText) }),
    ...(field.items === undefined ? {} : { items: asHubText(field.items) }),
  };
}

function typeOf(schema: Schema, indent: string): string {
  if (schema['x-types'] !== undefined) return typeOf({ type: schema['x-types'] }, indent);
  if (schema.$ref !== undefined) return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
  if (schema.const !== undefined) return literal(schema.const);
  if (schema['x-known'] !== undefined) return typeOf(schema['x-known'], indent);
  const words = schema.enum ?? schema['x-extensible-enum'];
  if (words !== undefined) return words.map(literal).join(' | ');
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return choices.map((choice) => typeOf(choice, indent)).join(' | ');
  if (schema.type === undefined) return 'unknown';
  return [schema.type]
    .flat()
    .map((type) => plainType(type, schema, indent))
    .join(' | ');
}

function plainType(type: string, schema: Schema, indent: string): string {
  switch (type) {
    case 'array': {
      const item = typeOf(schema.items ?? {}, indent);
      return item.includes(' | ') || item.startsWith('readonly ') ? `readonly (${item})[]` : `readonly ${item}[]`;
    }
    case 'object':
      return objectType(schema, indent);
    case 'integer':
      return 'number';
    default:
      return type;
  }
}

/** An answer may have more fields than the document names: what reads it does not see them. */
function objectType({ properties, required = [], additionalProperties }: Schema, indent: string): string {
  if (properties === undefined) {
    const value = typeof additionalProperties === 'object' ? typeOf(additionalProperties, indent) : 'unknown';
    return `Readonly<Record<string, ${value}>>`;
  }
  const inner = `${indent}  `;
  const fields = Object.entries(properties).map(
    ([name, field]) => `${inner}readonly ${name}${required.includes(name) ? '' : '?'}: ${typeOf(field, inner)};\n`,
  );
  return `{\n${fields.join('')}${indent}}`;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? `'${value}'` : String(value);
}
