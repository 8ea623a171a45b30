import { isList, isObject, type Json, type JsonObject } from '#web/rule/sentence/json.ts';

/** The page reads a file that was chosen only so far: the hub judges the rest. */
export type TransferFile =
  | { readonly kind: 'bundle'; readonly body: JsonObject }
  | { readonly kind: 'template'; readonly body: JsonObject }
  | { readonly kind: 'fault'; readonly fault: 'large' | 'no_json' | 'unknown' };

/** No export is larger. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;

export async function readTransferFile(file: Pick<File, 'size' | 'text'>): Promise<TransferFile> {
  if (file.size > MAX_FILE_BYTES) return { kind: 'fault', fault: 'large' };
  let json: Json;
  try {
    json = JSON.parse(await file.text()) as Json;
  } catch (cause) {
    if (cause instanceof SyntaxError) return { kind: 'fault', fault: 'no_json' };
    throw cause;
  }
  if (isObject(json) && isList(json['automations'])) return { kind: 'bundle', body: json };
  if (isObject(json) && isObject(json['definition'])) return { kind: 'template', body: json };
  return { kind: 'fault', fault: 'unknown' };
}

/** The things that are not found, each once, by the name that `map` gives it. */
export function askedOf<Foreign extends { readonly kind: string; readonly id: string }>(
  unresolved: readonly Foreign[],
): ReadonlyMap<string, Foreign> {
  return new Map(unresolved.map((one) => [`${one.kind}/${one.id}`, one]));
}

/** A template without what only this home has to do with: which devices fit, and what was made of it. */
export function templateFile({ id, version, name, description, inputs, definition }: JsonObject): JsonObject {
  const asked = Object.entries(isObject(inputs) ? inputs : {}).map(([one, input]): [string, Json] => {
    const { fits: _fits, ...rest } = isObject(input) ? input : {};
    return [one, rest];
  });
  return { id, version, name, description, inputs: Object.fromEntries(asked), definition } as JsonObject;
}
