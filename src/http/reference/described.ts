import { z } from 'zod/mini';

/**
 * The same schema, with what the OpenAPI document says of it. Not for one that stands in several places: it would be
 * described in all of them.
 */
export function described<Schema extends z.core.$ZodType>(description: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}
