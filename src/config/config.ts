import type { LogLevel } from '#base/log.ts';
import type { OptionKey, OptionValues } from './option-table.ts';

export type ConfigSource =
  | { readonly kind: 'default' }
  | { readonly kind: 'file'; readonly path: string; readonly line: number }
  | { readonly kind: 'environment'; readonly variable: string }
  | { readonly kind: 'flag'; readonly flag: string };

export type NetworkConfig = {
  readonly interfaces: readonly string[];
  readonly exclude: readonly string[];
  readonly extraSubnets: readonly string[];
  readonly allowGua: boolean;
  readonly allowCgnat: boolean;
  readonly denyGateway: boolean;
  readonly hosts: readonly string[];
  readonly origins: readonly string[];
};

/** All options with their values, checked and frozen. Paths are absolute. */
export type Config = {
  readonly stateDir: string;
  readonly runtimeDir: string;
  readonly port: number;
  readonly simulate: boolean;
  readonly logLevel: LogLevel;
  readonly network: NetworkConfig;
  /** The same values by key, for code that walks the table of options. */
  readonly values: OptionValues;
  readonly sources: Readonly<Record<OptionKey, ConfigSource>>;
  readonly file: string | null;
};

export function controlSocketPath(config: Pick<Config, 'runtimeDir'>): string {
  return `${config.runtimeDir}/control.sock`;
}

/** Folder of the keys and the claim code: outside of the database, so that no backup holds them. */
export function secretsFolder(config: Pick<Config, 'stateDir'>): string {
  return `${config.stateDir}/secrets`;
}

type ConfigOrigin = Pick<Config, 'sources' | 'file'>;

export function configFromValues(values: OptionValues, { sources, file }: ConfigOrigin): Config {
  return Object.freeze({
    stateDir: values.state_dir,
    runtimeDir: values.runtime_dir,
    port: values.port,
    simulate: values.simulate,
    logLevel: values.log,
    network: Object.freeze({
      interfaces: values['network.interfaces'],
      exclude: values['network.exclude'],
      extraSubnets: values['network.extra_subnets'],
      allowGua: values['network.allow_gua'],
      allowCgnat: values['network.allow_cgnat'],
      denyGateway: values['network.deny_gateway'],
      hosts: values['network.hosts'],
      origins: values['network.origins'],
    }),
    values: Object.freeze(values),
    sources: Object.freeze(sources),
    file,
  });
}

/** In words, as doctor and the list of problems show it. */
export function describeSource(source: ConfigSource): string {
  if (source.kind === 'file') return `${source.path}:${source.line}`;
  if (source.kind === 'environment') return source.variable;
  return source.kind === 'flag' ? `--${source.flag}` : 'default';
}
