import type { Config } from '#config/config.ts';
import { isOptionKey, type OptionKey } from '#config/option-table.ts';
import { KINDS } from '#integrations/table.ts';

/** An option of the configuration with its value; `null` where it is switched off or not set. */
type NamedOption = { readonly key: OptionKey; readonly value: string | null };

/** The MQTT broker of the configuration, by the options that its kind names. */
export type NamedBroker = {
  readonly name: string;
  readonly url: NamedOption;
  readonly passwordFile: NamedOption;
  /** The kinds that the configuration lets speak through it. */
  readonly users: readonly string[];
};

export function namedBroker({ values }: Pick<Config, 'values'>): NamedBroker {
  const kind = KINDS.find(({ isBroker }) => isBroker === true);
  const option = (type: 'url' | 'secret'): NamedOption => {
    const [field = ''] = Object.entries(kind?.settings ?? {}).find(([, one]) => one.type === type) ?? [];
    const key = kind?.config?.[field] ?? '';
    if (!isOptionKey(key)) throw new Error(`no option of the configuration is the ${type} of a broker`);
    return { key, value: values[key] as string | null };
  };
  const users = KINDS.filter(
    ({ config, settings }) =>
      config !== undefined && Object.values(settings).some((field) => field.type === 'link' && field.kind === kind?.id),
  );
  return {
    name: kind?.name ?? '',
    url: option('url'),
    passwordFile: option('secret'),
    users: users.map(({ name }) => name),
  };
}
