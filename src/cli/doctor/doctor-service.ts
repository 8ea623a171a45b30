import type { UnitState } from '#systemd/unit-state.ts';
import { EXIT } from '#cli/exit-code.ts';
import type { Finding } from './finding.ts';

export const UNIT = 'hearthd.service';

const LOG = `journalctl -u ${UNIT} -n 50`;
const subject = 'service';

/** The state of the hub's unit in systemd. */
export function checkService({ active, sub, result, exitStatus, restarts, statusText, file }: UnitState): Finding {
  const ended = result === 'exit-code' ? `exit code ${exitStatus}` : result;
  if (active === 'failed') {
    // The configuration is good by now: a bad one would have ended this program before.
    const advice = exitStatus === EXIT.config ? `${LOG}, then systemctl restart hearthd` : LOG;
    return { level: 'fail', subject, text: `failed (${ended})`, advice };
  }
  if (sub === 'auto-restart' || sub === 'auto-restart-queued') {
    const text = `keeps ending (${ended}), restarted ${times(restarts)}`;
    return { level: 'fail', subject, text, advice: LOG };
  }
  if (file === 'masked') {
    return { level: 'warn', subject, text: 'is masked', advice: 'systemctl unmask hearthd' };
  }
  if (active === 'inactive') {
    const advice = `systemctl ${file === 'enabled' ? 'start' : 'enable --now'} hearthd`;
    return { level: 'warn', subject, text: 'is stopped', advice };
  }
  const text = [active, statusText].filter((part) => part !== '').join(', ');
  if (file !== 'enabled') {
    const advice = 'systemctl enable hearthd';
    return { level: 'warn', subject, text: `${text}, but is not started with the machine`, advice };
  }
  return {
    level: 'ok',
    subject,
    text: restarts === 0 ? text : `${text}; restarted ${times(restarts)} since its start`,
  };
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
