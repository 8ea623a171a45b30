import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export type UnitState = {
  /** `active`, `activating`, `failed`, `inactive`, … */
  readonly active: string;
  /** `running`, `auto-restart`, `dead`, … */
  readonly sub: string;
  /** How it ended last: `success`, `exit-code`, `watchdog`, … */
  readonly result: string;
  readonly exitStatus: number;
  readonly restarts: number;
  readonly statusText: string;
  /** `enabled`, `disabled`, `masked`, … */
  readonly file: string;
  /** Subnets that the kernel lets through; `null` if it does not filter. */
  readonly subnets: readonly string[] | null;
  /** Ranges of TCP ports that may be opened; `null` if all may. */
  readonly ports: readonly (readonly [number, number])[] | null;
  /** Folders, beside the unit's own, that the service may write to. */
  readonly writable: readonly string[];
};

const PROPERTIES =
  'LoadState,ActiveState,SubState,Result,ExecMainStatus,NRestarts,StatusText,UnitFileState,' +
  'IPAddressAllow,IPAddressDeny,SocketBindAllow,SocketBindDeny,ReadWritePaths';
const runFile = promisify(execFile);

/** `undefined` if the unit does not exist or systemd does not run. */
export async function readUnitState(unit: string): Promise<UnitState | undefined> {
  try {
    const { stdout } = await runFile('systemctl', ['show', unit, `--property=${PROPERTIES}`], {
      timeout: 5_000,
    });
    return decodeUnitState(stdout);
  } catch (error) {
    // A container: systemctl is missing, or systemd does not run.
    if ('code' in (error as object)) return undefined;
    throw error;
  }
}

/** Reads the output of `systemctl show`. */
export function decodeUnitState(text: string): UnitState | undefined {
  const values = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, key, value = ''] = /^(\w+)=(.*)$/.exec(line) ?? [];
    if (key !== undefined) values.set(key, [...(values.get(key) ?? []), value]);
  }
  const first = (key: string): string => values.get(key)?.[0] ?? '';
  const words = (key: string): string[] => (values.get(key) ?? []).join(' ').split(' ').filter(Boolean);
  if (first('LoadState') === 'not-found' || first('LoadState') === '') return undefined;
  return {
    active: first('ActiveState'),
    sub: first('SubState'),
    result: first('Result'),
    exitStatus: Number(first('ExecMainStatus')),
    restarts: Number(first('NRestarts')),
    statusText: first('StatusText'),
    file: first('UnitFileState'),
    subnets: words('IPAddressDeny').length === 0 ? null : words('IPAddressAllow'),
    ports: words('SocketBindDeny').length === 0 ? null : words('SocketBindAllow').flatMap(portsFrom),
    writable: words('ReadWritePaths').map((path) => path.replace(/^[-+]+/, '')),
  };
}

/** `tcp:80`, which systemd 257 prints as `tcp80`, `ipv4:tcp:1-1024`, `tcp` and `any`; nothing for other protocols. */
function portsFrom(rule: string): [number, number][] {
  const [, from, to = from] = /^(?:any|(?:(?:ipv[46]):?)?(?:tcp)?:?(?:(\d+)(?:-(\d+))?)?)$/.exec(rule) ?? ['', 'none'];
  if (from === 'none') return [];
  return from === undefined ? [[0, 65_535]] : [[Number(from), Number(to)]];
}
