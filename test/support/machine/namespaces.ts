import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** A network namespace: a machine of its own as far as networks go. */
export type Namespace = {
  readonly name: string;
  /** Runs `ip` there once for each line. */
  readonly ip: (...lines: readonly string[]) => void;
  readonly sysctl: (...settings: readonly string[]) => void;
  /** Runs a command there and returns what it printed. */
  readonly run: (command: string, args: readonly string[]) => string;
  readonly start: (command: string, args: readonly string[], env: Readonly<Record<string, string>>) => ChildProcess;
};

export type Namespaces<Name extends string> = Readonly<Record<Name, Namespace>> & { readonly remove: () => void };

/** Makes namespaces with loopback up and no duplicate address detection, so that addresses are there at once. */
export function createNamespaces<Name extends string>(...names: readonly Name[]): Namespaces<Name> {
  const made = new Map<string, Namespace>();
  const remove = (): void => {
    for (const { name } of made.values()) execFileSync('ip', ['netns', 'delete', name]);
  };
  try {
    for (const short of names) made.set(short, createNamespace(`hearthd-${process.pid}-${short}`));
  } catch (cause) {
    remove();
    throw cause;
  }
  return { ...(Object.fromEntries(made) as Record<Name, Namespace>), remove };
}

function createNamespace(name: string): Namespace {
  execFileSync('ip', ['netns', 'add', name]);
  // Beside PATH nothing is inherited: a hub refuses options that it does not know, such as those of a campaign.
  const env = { PATH: process.env['PATH'] };
  const run: Namespace['run'] = (command, args) =>
    execFileSync('ip', ['netns', 'exec', name, command, ...args], { env, encoding: 'utf8' });
  const namespace: Namespace = {
    name,
    run,
    ip: (...lines) => {
      for (const line of lines) execFileSync('ip', ['-n', name, ...line.split(' ')]);
    },
    sysctl: (...settings) => void run('sysctl', ['-qw', ...settings]),
    start: (command, args, more) =>
      spawn('ip', ['netns', 'exec', name, command, ...args], { env: { ...env, ...more } }),
  };
  namespace.sysctl('net.ipv6.conf.all.accept_dad=0', 'net.ipv6.conf.default.accept_dad=0');
  namespace.ip('link set lo up');
  return namespace;
}

/** A cable between two namespaces. */
export function connectNamespaces(left: [Namespace, string], right: [Namespace, string]): void {
  const [leftSpace, leftName] = left;
  const [rightSpace, rightName] = right;
  leftSpace.ip(`link add ${leftName} type veth peer name ${rightName} netns ${rightSpace.name}`);
}

/** Runs a file of Node.js there until it ends; resolves with what it printed. */
export async function runIn(space: Namespace, file: string, args: readonly string[]): Promise<string> {
  const child = space.start(process.execPath, [file, ...args], {});
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data: Buffer) => (printed += String(data)));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${printed}`);
  return printed;
}
