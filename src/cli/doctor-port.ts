import type { Finding } from './finding.ts';
import { findPortHolder } from './port-holder.ts';

/** Whether the API's port is the hub's, or free for it. `hubPid` is the running hub's. */
export function checkPort(port: number, hubPid: number | null): Finding {
  const subject = 'port';
  const holder = findPortHolder(port);
  if (holder === undefined) {
    if (hubPid === null || port === 0) return { level: 'ok', subject, text: `${port} is free` };
    const text = `the hub is running, but nobody listens on ${port}`;
    return {
      level: 'warn',
      subject,
      text,
      advice: 'the machine has no LAN address, or the hub was started with another port',
    };
  }
  if (holder.pid !== null && holder.pid === hubPid) return { level: 'ok', subject, text: `${port} is held by the hub` };
  const who = holder.pid === null ? 'a process of another user' : `${holder.name} (process ${holder.pid})`;
  if (holder.pid === null && hubPid !== null)
    return { level: 'ok', subject, text: `${port} is held by ${who}, likely the hub` };
  return { level: 'fail', subject, text: `${port} is held by ${who}`, advice: 'stop it, or set another port' };
}
