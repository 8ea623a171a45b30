import type { JsonValue } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { type SecretFiles, keepFailure } from '#base/secret-files.ts';

/** A secret with the value of the field that it is bound to. */
type BoundSecret = { readonly text: string; readonly boundTo: string };

/**
 * The secrets of instances. Each is a file beside the database and in no backup. It also holds the value for which it
 * was given, so that no restored backup can have it sent elsewhere.
 */
export type InstanceSecrets = ReturnType<typeof createInstanceSecrets>;

/** `name` begins the names of both files; `old` is the file in use. */
type SecretPlace = { readonly name: string; readonly old: string | undefined };

export function secretName(instance: string, field: string): string {
  return `integration.${instance}.${field}`;
}

/** The text of a bound value. */
export function boundText(value: JsonValue): string {
  if (value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export function createInstanceSecrets(files: SecretFiles, log: Log) {
  return {
    /** `undefined` if there is none that can be read. */
    read: async (file: string): Promise<BoundSecret | undefined> => {
      try {
        const content = (await files.read(file))?.toString('utf8');
        return content === undefined ? undefined : secretFrom(content);
      } catch (cause) {
        log.warn('a secret cannot be read and counts as not set', { file, cause });
        return undefined;
      }
    },
    /**
     * On disk once resolved, under the other one of the field's two names than `old`: that one stays until the record
     * names the new one. Resolves with the name.
     */
    write: async ({ name, old }: SecretPlace, { text, boundTo }: BoundSecret): Promise<string> => {
      const fresh = old === `${name}.a` ? `${name}.b` : `${name}.a`;
      try {
        await files.write(fresh, Buffer.from(`${text}\n${boundTo}\n`));
      } catch (cause) {
        throw keepFailure('secret', cause);
      }
      return fresh;
    },
    /** Only logs a failure: the record does not name the file any more. */
    remove: async (file: string): Promise<void> => {
      try {
        await files.remove(file);
      } catch (cause) {
        log.warn('the file of an old secret could not be removed', { file, cause });
      }
    },
  };
}

/** The last line is the bound value, which has one line; what is before it is the secret. */
function secretFrom(content: string): BoundSecret | undefined {
  const lines = content.replace(/\n$/, '').split('\n');
  const boundTo = lines.length < 2 ? undefined : lines.pop();
  return boundTo === undefined ? undefined : { text: lines.join('\n'), boundTo };
}
