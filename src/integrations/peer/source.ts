import { validationFailed } from '#base/hub-error.ts';
import { isSameJson, type JsonValue } from '#base/json.ts';
import { findRequestErrors } from '#core/command/command-request.ts';
import type { DeviceCommand } from '#core/command/command-way.ts';
import type { Feature } from '#core/feature/feature.ts';
import { readFeature } from '#core/feature/peer-value.ts';
import type { DeviceSink } from '#integrations/integration.ts';

/** A feature with its place in what a peer says and takes. */
export type Source<Said, Write = never> = {
  readonly feature: Feature;
  /** `null` for what the peer does not know, `undefined` where it says nothing of it. */
  readonly read?: (said: Said) => JsonValue | undefined;
  /** Gets a value that fits the feature. */
  readonly write?: Write;
};

/** A source whose feature has this before its name: what the owner calls a part tells more than its number. */
export function withTitle<Own extends { readonly feature: Feature }>(source: Own, title: string | null): Own {
  if (title === null) return source;
  return { ...source, feature: { ...source.feature, name: `${title}: ${source.feature.name}` } };
}

/** A value was sent for a feature, and the peer's report of it reads as `echo`: 4,000 K is sent as 250 mired. */
export type Sent = { readonly value: JsonValue; readonly echo: JsonValue };

type ReadDeps = {
  readonly sink: Pick<DeviceSink, 'reportRefused'>;
  readonly externalId: string;
  /** By the keys of features. What comes back as it was sent is the value that was asked for. */
  readonly sent?: ReadonlyMap<string, Sent>;
};

/** The values of these features that they can have. What they cannot is refused, and no news. */
export function readSources<Own extends { readonly feature: Feature }>(
  sources: Iterable<Own>,
  read: (source: Own) => JsonValue | undefined,
  { sink, externalId, sent }: ReadDeps,
): ReadonlyMap<string, JsonValue> {
  const values = new Map<string, JsonValue>();
  const onRefused = (key: string, value: JsonValue): void => sink.reportRefused(externalId, key, value);
  for (const source of sources) {
    const { key } = source.feature;
    const value = readFeature(source.feature, () => read(source), onRefused);
    if (value === undefined) continue;
    const last = sent?.get(key);
    values.set(key, last !== undefined && isSameJson(last.echo, value) ? last.value : value);
  }
  return values;
}

/**
 * Throws HubError for a command that does not fit these features, which are those that the kind has now. The hub shows
 * older ones, and has read the command for those, until the new ones are on disk, or for as long as they are too large.
 */
export function refuseUnfit(features: readonly Feature[], command: Pick<DeviceCommand, 'set' | 'action'>): void {
  const errors = findRequestErrors({ features, states: new Map() }, command);
  if (errors.length > 0) throw validationFailed(errors, 'The command does not fit the device.');
}

/**
 * The values of a command with the sources that write them, in the order of the features: what a person says of a switch
 * counts more than that a brightness switches it on. An action has the value `null`.
 */
export function* writesOf<Own extends Source<never, unknown>>(
  { set, action }: Pick<DeviceCommand, 'set' | 'action'>,
  sources: Iterable<Own>,
): Generator<{ readonly source: Own; readonly write: NonNullable<Own['write']>; readonly value: JsonValue }> {
  for (const source of sources) {
    const value = source.feature.key === action ? null : set.get(source.feature.key);
    if (value !== undefined && source.write) yield { source, write: source.write, value };
  }
}
