import { type Config } from '#config/config.ts';
import { isOptionKey, type OptionKey, optionOf } from '#config/option-table.ts';
import type { JsonValue } from '#base/json.ts';
import type { FixedInstance, FixedValue } from '#integrations/instances/instance-view.ts';
import type { IntegrationKind } from '#integrations/kind.ts';

/** What the configuration fixes of the first instance of each kind. */
export function fixedInstances(config: Config, kinds: readonly IntegrationKind[]): readonly FixedInstance[] {
  return kinds.flatMap((kind) => {
    const options = Object.entries(kind.config ?? {}).flatMap(([field, key]) => {
      const fixed = key === undefined || !isOptionKey(key) ? undefined : fixedValue(config, key);
      return fixed === undefined ? [] : [[field, fixed] as const];
    });
    const settings = Object.fromEntries(options.filter(([field]) => field !== 'enabled'));
    const enabled = enabledFrom(options);
    if (enabled === null && Object.keys(settings).length === 0) return [];
    return [{ id: kind.firstId ?? kind.id, kind: kind.id, enabled, settings }];
  });
}

function fixedValue({ values, sources }: Config, key: OptionKey): FixedValue | undefined {
  const source = sources[key];
  if (source.kind === 'default') return undefined;
  // The path of the file is left out, because the API shows this text.
  const by =
    source.kind === 'file' ? `${key} in the configuration file` : `${optionOf(key).variable} in the environment`;
  return { value: values[key] as JsonValue, by };
}

/** An option that says `off` switches the instance off; one that puts it there switches it on. */
function enabledFrom(options: readonly (readonly [field: string, fixed: FixedValue])[]): FixedInstance['enabled'] {
  const off = options.find(([, { value }]) => value === null);
  if (off !== undefined) return { value: false, by: off[1].by };
  const there = options.find(([field, { value }]) => field === 'enabled' && value === true);
  return there === undefined ? null : { value: true, by: there[1].by };
}
