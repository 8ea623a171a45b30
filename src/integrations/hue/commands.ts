import { HubError } from '#base/hub-error.ts';
import type { HttpAnswer } from '#base/network/lan-ports.ts';
import type { DeviceCommand, SendEvidence } from '#core/command/command-way.ts';
import type { DeviceSink } from '#integrations/integration.ts';
import type { Bridge, BridgeRequest } from '#integrations/hue/clip/bridge.ts';
import { commandFailure, PeerFault } from '#integrations/peer/peer-fault.ts';
import { refuseUnfit } from '#integrations/peer/source.ts';
import { readRemarks } from '#integrations/hue/clip/clip-message.ts';
import { chooseGroups, type LightGroup } from '#integrations/hue/resources/light-groups.ts';
import { type Put, putsFromCommand } from './payload.ts';
import type { Reporting } from './reporting.ts';
import { createSendOrder } from './send-order.ts';
import type { Lane } from '#integrations/hue/clip/request-turns.ts';

export type Commands = ReturnType<typeof createCommands>;

type CommandsDeps = {
  readonly bridge: Pick<Bridge, 'send'>;
  readonly reporting: Reporting;
  readonly sink: Pick<DeviceSink, 'reportCommandFailure'>;
  /**
   * Called after the bridge has taken a command, so that its effect is read if no report comes. None comes for values
   * that are no news.
   */
  readonly onTaken: (isNews: boolean) => void;
  /** Called with what ends the link, which a command may be the first to notice. */
  readonly onLost: (fault: PeerFault) => void;
  /** The signal of the run: nothing is sent after its end. */
  readonly signal: AbortSignal;
};

/** One command with its requests, checked against the device's features. */
type Plan = { readonly externalId: string; readonly puts: readonly Put[] };

export function createCommands(deps: CommandsDeps) {
  const { reporting, sink } = deps;
  const { ask, sendPut, sendToGroup, endAll } = createPutSender(deps);
  const planOf = (command: DeviceCommand): Plan => {
    const device = reporting.inventory().devices.get(command.externalId);
    if (device === undefined) throw new HubError('NOT_FOUND', 'The bridge has no such device.');
    refuseUnfit(device.description.features, command);
    const { puts, sent } = putsFromCommand(command, device);
    // Noted before it is sent, because the report may be faster than the answer.
    reporting.noteSent(device, sent);
    return { externalId: command.externalId, puts };
  };
  const sendPuts = async (externalId: string, puts: readonly Put[]): Promise<SendEvidence> => {
    const outcomes = await Promise.allSettled(puts.map((put) => sendPut(externalId, put)));
    const failed = outcomes.flatMap((outcome, index) => {
      const put = puts[index];
      return outcome.status === 'rejected' && put !== undefined ? [{ put, cause: outcome.reason as unknown }] : [];
    });
    const [first] = failed;
    if (first !== undefined && failed.length === puts.length) throw first.cause;
    for (const { put, cause } of failed) {
      const reason = cause instanceof HubError ? cause.message : 'The integration failed.';
      sink.reportCommandFailure(externalId, put.keys, reason);
    }
    return 'transport_ack';
  };
  /** Sends by groups of the bridge what goes to whole groups, and says for each request by which sending it went. */
  const sendByGroups = (puts: readonly MemberPut[]): ReadonlyMap<Put, Promise<void>> => {
    const lightPuts = puts.filter(([, { resourceType }]) => resourceType === 'light');
    const groups = chooseGroups(
      lightPuts.map(([, { resourceId, body }]) => ({ lightId: resourceId, body })),
      reporting.inventory().groups,
    );
    const sends = new Map<Put, Promise<void>>();
    for (const group of groups) {
      const members = lightPuts.filter(([, { resourceId }]) => group.lightIds.has(resourceId));
      const sending = sendToGroup(group, members);
      for (const [, put] of members) sends.set(put, sending);
    }
    return sends;
  };

  return {
    send: async (command: DeviceCommand): Promise<SendEvidence> => sendPuts(command.externalId, planOf(command).puts),
    sendGroup: (commands: readonly DeviceCommand[]): readonly Promise<SendEvidence>[] => {
      const plans = commands.map((command) => settled(() => planOf(command)));
      const sends = sendByGroups(
        plans.flatMap((plan) =>
          'value' in plan ? plan.value.puts.map((put): MemberPut => [plan.value.externalId, put]) : [],
        ),
      );
      return plans.map(async (plan) => {
        if (!('value' in plan)) throw plan.error;
        const { externalId, puts } = plan.value;
        const single = puts.filter((put) => !sends.has(put));
        const [evidence] = await Promise.all([
          sendPuts(externalId, single),
          ...puts.flatMap((put) => sends.get(put) ?? []),
        ]);
        return evidence;
      });
    },
    removeDevice: async (externalId: string): Promise<void> => {
      refuseAnswer(await ask('light', { method: 'DELETE', path: `device/${encodeURIComponent(externalId)}` }));
    },
    /** What has not been sent yet never is. */
    endAll,
    search: async (): Promise<void> => {
      const { discoveryId } = reporting.inventory();
      if (discoveryId === null) throw new HubError('NOT_SUPPORTED', 'This bridge cannot be asked to search.');
      const body = { action: { action_type: 'search' } };
      refuseAnswer(
        await ask('light', { method: 'PUT', path: `zigbee_device_discovery/${discoveryId}`, body: () => body }),
      );
    },
  };
}

type MemberPut = readonly [externalId: string, put: Put];

/** Sends single requests, and notes what the bridge says of them. */
function createPutSender({ bridge, reporting, sink, onTaken, onLost, signal }: CommandsDeps) {
  const ask = async (lane: Lane, request: BridgeRequest): Promise<HttpAnswer> => {
    try {
      return await bridge.send(lane, request, signal);
    } catch (cause) {
      if (cause instanceof PeerFault && cause.nature !== 'busy') onLost(cause);
      throw commandFailure(cause);
    }
  };
  /** Notes the remarks on a command that the bridge has taken only as far as it could. */
  const noteRemarks = (answer: HttpAnswer, puts: readonly MemberPut[]): void => {
    if (answer.status !== 207) return;
    for (const remark of readRemarks(answer.body)) {
      const failure = failureFrom(remark);
      if (failure === undefined) continue;
      for (const [externalId, put] of puts) {
        if (puts.length > 1 && !remark.includes(put.resourceId)) continue;
        const byKey = reporting.inventory().devices.get(externalId)?.byKey;
        const isMeant = (key: string): boolean => failure.member === null || byKey?.get(key)?.member === failure.member;
        sink.reportCommandFailure(externalId, put.keys.filter(isMeant), failure.reason);
      }
    }
  };
  const order = createSendOrder((path, body) =>
    ask(path.startsWith('grouped_light/') ? 'group' : 'light', { method: 'PUT', path, body }),
  );
  const send = async (path: string, puts: readonly MemberPut[]): Promise<void> => {
    const resourceIds = puts.map(([, { resourceId }]) => resourceId);
    const answer = await order.send({ path, body: puts[0]?.[1].body ?? {}, resourceIds });
    refuseAnswer(answer);
    noteRemarks(answer, puts);
    const areNews = puts.map(([externalId, put]) => reporting.noteTaken(externalId, put.keys));
    onTaken(areNews.every((isNews) => isNews));
  };
  return {
    ask,
    sendPut: (externalId: string, put: Put) => send(`${put.resourceType}/${put.resourceId}`, [[externalId, put]]),
    sendToGroup: (group: LightGroup, members: readonly MemberPut[]) =>
      send(`grouped_light/${group.groupedLightId}`, members),
    endAll: order.endAll,
  };
}

function settled<Value>(make: () => Value): { readonly value: Value } | { readonly error: unknown } {
  try {
    return { value: make() };
  } catch (error) {
    return { error };
  }
}

/** Throws with the bridge's own words if it did not take the command. */
function refuseAnswer({ status, body }: HttpAnswer): void {
  if (status >= 200 && status < 300) return;
  if (status === 404) throw new HubError('COMMAND_FAILED', 'The bridge no longer has this device.');
  const [words] = readRemarks(body);
  const said = words === undefined ? `It answered ${status}.` : `It says: ${words}`;
  throw new HubError('COMMAND_FAILED', `The bridge refused the command. ${said}`);
}

/**
 * Reads a remark of the bridge about a command. The bridge has no codes for them: `device (light) … has communication
 * issues, command (.on) may not have effect`. A remark that the hub does not know ends nothing: the report decides.
 */
function failureFrom(remark: string): { readonly reason: string; readonly member: string | null } | undefined {
  const member = /command \(\.([a-z_]+)/.exec(remark)?.[1] ?? null;
  if (remark.includes('communication issues')) {
    return {
      reason: 'The bridge cannot reach the device now. It may still carry out the command later.',
      member: null,
    };
  }
  if (remark.includes('"soft off"')) {
    return { reason: 'The lamp is off. The bridge changes its color and effects only while it is on.', member };
  }
  return undefined;
}
