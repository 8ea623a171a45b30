import { z } from 'zod/mini';

/**
 * Adds a description to a schema, for the OpenAPI document. Not for a schema that several fields share: all of them
 * would get the description.
 */
export function described<Schema extends z.core.$ZodType>(description: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}
