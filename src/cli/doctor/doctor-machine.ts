import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs';
import { errnoOf } from '#base/errno.ts';
import { describeSource, type Config } from '#config/config.ts';
import { OPTION_KEYS } from '#config/option-table.ts';
import { askTimedatectl, hasTimesyncdMark } from '#systemd/time-sync.ts';
import type { Finding } from '#core/past/hour/history-check.ts';

const MIB = 1024 * 1024;

/** Every option, its value and where that came from. */
export function checkConfiguration(config: Config): Finding {
  const text = config.file === null ? 'no file, defaults and environment' : config.file;
  const details = OPTION_KEYS.map(
    (key) => `${key} = ${showValue(config.values[key])}  (${describeSource(config.sources[key])})`,
  );
  return { level: 'ok', subject: 'configuration', text, details };
}

function showValue(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Whether the state folder exists, can be used, is closed to other users and has free space. */
export function checkStateFolder({ stateDir }: Config): Finding {
  const subject = 'state folder';
  if (!existsSync(stateDir)) {
    return {
      level: 'warn',
      subject,
      text: `${stateDir} does not exist yet`,
      advice: 'the hub makes it at its first start',
    };
  }
  try {
    accessSync(stateDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const text = `${stateDir} cannot be used (${errnoOf(error)})`;
    return { level: 'fail', subject, text, advice: 'run this as root, or as the user of the hub' };
  }
  const { mode } = statSync(stateDir);
  const { bavail, bsize } = statfsSync(stateDir);
  const free = bavail * bsize;
  const text = `${stateDir}, ${Math.floor(free / MIB)} MiB free`;
  if (free < 20 * MIB) return { level: 'fail', subject, text, advice: 'make room: changes can no longer be saved' };
  if (free < 200 * MIB) return { level: 'warn', subject, text, advice: 'make room soon' };
  if ((mode & 0o077) !== 0) {
    return { level: 'warn', subject, text: `${text}, open to other users`, advice: `chmod 700 ${stateDir}` };
  }
  return { level: 'ok', subject, text };
}

/** Whether the time of day can be trusted. The hub runs without it; only the times that it shows are then wrong. */
export async function checkClock(wallMs: number): Promise<Finding> {
  const subject = 'clock';
  const now = new Date(wallMs).toISOString();
  const advice = 'the hub works, but shows wrong times: set up a time service, such as systemd-timesyncd or chrony';
  if (hasTimesyncdMark()) return { level: 'ok', subject, text: `${now}, synchronised` };
  try {
    if (await askTimedatectl()) return { level: 'ok', subject, text: `${now}, synchronised` };
    return { level: 'warn', subject, text: `${now}, not synchronised`, advice };
  } catch (error) {
    const reason = errnoOf(error) ?? 'failed';
    return { level: 'warn', subject, text: `${now}, perhaps not synchronised (timedatectl: ${reason})`, advice };
  }
}
