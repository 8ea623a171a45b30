import { z } from 'zod/mini';

/** The schema with a description of this one field, for the OpenAPI document. Other fields of the same schema keep theirs. */
export function described<Schema extends z.core.$ZodType>(description: string, schema: Schema): Schema {
  const own = z.core.clone(schema);
  z.globalRegistry.add(own, { ...z.globalRegistry.get(schema), description });
  return own;
}
