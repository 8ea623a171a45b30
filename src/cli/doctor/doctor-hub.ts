import type { HubAdmin, HubStatus } from '#control/hub-admin.ts';
import type { CommandCall } from '#cli/command.ts';
import { EXIT } from '#cli/exit-code.ts';
import { failureFrom } from '#cli/failure.ts';
import type { Finding } from '#core/past/hour/history-check.ts';
import { withHubAdmin } from '#cli/state/hub-access.ts';

type HubFindings = { readonly findings: readonly Finding[]; readonly pid: number | null };

/** Asks the running hub about itself and its database, or looks at the database where no hub runs. */
export async function checkHub(call: CommandCall, startAdvice: string): Promise<HubFindings> {
  const { version } = call;
  try {
    return await withHubAdmin(call, async (admin) => {
      const status = await admin.status();
      const findings = [
        describeStatus(status, version, startAdvice),
        ...describeName(status),
        ...describeReception(status),
        ...describeIntegrations(status),
        ...describeAutomations(status),
        await describeDatabase(admin),
      ];
      return { findings, pid: status?.pid ?? null };
    });
  } catch (error) {
    const { exitCode, message } = failureFrom(error);
    // A hub that was never started is not broken.
    const level = exitCode === EXIT.noInput ? 'warn' : 'fail';
    return { findings: [{ level, subject: 'hub', text: message }], pid: null };
  }
}

function describeStatus(status: HubStatus | null, version: string, startAdvice: string): Finding {
  const subject = 'hub';
  if (status === null) return { level: 'warn', subject, text: 'is not running', advice: startAdvice };
  const where = status.addresses.length === 0 ? 'on no address yet' : `on ${status.addresses.join(', ')}`;
  const text = `version ${status.version} is running (process ${status.pid}) ${where}`;
  if (status.version !== version)
    return { level: 'warn', subject, text, advice: `restart it: this is version ${version}` };
  if (status.addresses.length === 0) {
    return { level: 'warn', subject, text, advice: 'connect the machine to the LAN, or see network.interfaces' };
  }
  return { level: 'ok', subject, text };
}

/** A hub of an earlier version does not report its name. */
function describeName(status: Partial<HubStatus> | null): Finding[] {
  const { host, conflict } = status ?? {};
  if (host === undefined) return [];
  const subject = 'name';
  const text = host === null ? 'none is advertised' : `advertised as ${host}`;
  if (conflict === undefined || conflict === null) return [{ level: 'ok', subject, text }];
  const advice = 'find out what that host is; the hub asks for its first name again by itself';
  return [{ level: 'warn', subject, text: `${text}: ${conflict.holder} claims to be ${conflict.name}`, advice }];
}

function describeReception(status: Pick<HubStatus, 'mdns'> | null): Finding[] {
  const lastMs = status?.mdns?.lastMs;
  if (lastMs === undefined) return [];
  const subject = 'discovery';
  if (lastMs !== null) {
    return [{ level: 'ok', subject, text: `another machine was heard over mDNS ${Math.round(lastMs / 1_000)} s ago` }];
  }
  const text = 'no other machine was heard over mDNS since the start of the hub';
  const advice =
    'devices are not found by themselves: see that the network passes multicast (UDP port 5353) to this machine';
  return [{ level: 'warn', subject, text, advice }];
}

function describeIntegrations(status: HubStatus | null): Finding[] {
  return (status?.integrations ?? []).map(({ id, state, code, error, udpPort }) => {
    const isHeld = code === 'SAFE_MODE';
    const where = udpPort === undefined ? state : `${state}, UDP port ${udpPort}`;
    return {
      level: isHeld ? 'fail' : error === null ? 'ok' : 'warn',
      subject: id,
      text: error === null ? where : `${where}: ${error}`,
      ...(isHeld ? { advice: `start it on its page, or with PATCH /api/v1/integration/${id} {"enabled": true}` } : {}),
    };
  });
}

function describeAutomations(status: HubStatus | null): Finding[] {
  if (status?.areAutomationsPutOff !== true) return [];
  const text = 'none runs: the hub ended three times within an hour while it dealt with them';
  const advice =
    'disable or remove the one that did it, then run the others again on the page Health, or with POST /api/v1/automation/resume_all';
  return [{ level: 'fail', subject: 'automations', text, advice }];
}

async function describeDatabase(admin: HubAdmin): Promise<Finding> {
  const { level, detail, lastBackupAt } = await admin.checkDatabase();
  const text = `${detail}; last backup: ${lastBackupAt ?? 'none yet'}`;
  if (level !== 'fail') return { level, subject: 'database', text };
  const advice = 'make room or repair the disk; a restart falls back to the newest good backup';
  return { level, subject: 'database', text, advice };
}
