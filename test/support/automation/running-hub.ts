import type { JsonObject, JsonValue } from '#base/json.ts';
import { readDefinition } from '#core/automation/document/read-definition.ts';
import type { AutomationRecord, Signer } from '#core/automation/registry/automation-record.ts';
import { findIdWith } from '#core/automation/registry/references.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import { DIRECT } from '#core/cause/cause.ts';
import type { Command } from '#core/command/command.ts';
import type { CommandRequests, CommandTerms } from '#core/command/command-terms.ts';
import type { Device } from '#core/device/device.ts';
import { openWholeHub, type Person } from '#test/support/hub/whole-hub.ts';

/** The whole hub with the simulated home, and an owner whose automations run in it. */
export async function openRunningHub(how: Parameters<typeof openWholeHub>[0] = {}) {
  const hub = await openWholeHub(how);
  const { home } = hub;
  const owner = await hub.addPerson('ada', 'owner');
  const given: Command[] = [];
  home.events.subscribe((event) => {
    if (event.type === 'command.changed' && event.command.createdBy.type === 'automation') given.push(event.command);
  });
  const signerOf = ({ user, sessionId }: Person): Signer => ({
    user: { id: user.id, name: user.name },
    via: { type: 'session', id: sessionId },
    signedAtMs: Date.now(),
  });
  const device = (selector: string): Device => {
    const found = home.devices.findDevice(selector);
    if (found === undefined) throw new Error(`there is no ${selector}`);
    return found;
  };
  return {
    ...hub,
    owner,
    signerOf,
    device,
    add: async (name: string, document: JsonObject, signer = signerOf(owner)): Promise<AutomationRecord> => {
      const { definition, errors } = readDefinition(document, findIdWith(home.automations.findTarget));
      if (definition === undefined) throw new Error(JSON.stringify(errors));
      const details = { name, description: '', roomId: null, labels: [], enabled: true };
      return home.automations.create({ ...details, definition, template: null, signer, note: null });
    },
    /** A person commands it. */
    commandFor: (selector: string, set: JsonObject): [CommandRequests, CommandTerms] => [
      new Map([[device(selector), { set }]]),
      {
        isForOne: true,
        transitionMs: null,
        expiresInS: null,
        issuer: { type: 'session', id: owner.sessionId, userId: owner.user.id },
        cause: DIRECT,
        authorize: () => undefined,
      },
    ],
    /** A device says something by itself. */
    report: (selector: string, values: Record<string, JsonValue>): void => {
      const { integration, externalId } = device(selector);
      home.devices.reportsOf(integration).reportValues(externalId, new Map(Object.entries(values)));
    },
    value: (selector: string, key: string): JsonValue => device(selector).states.get(key)?.value ?? null,
    /** Each command of automations by its newest status: `kitchen-ceiling on=true confirmed`. */
    sent: (): readonly string[] =>
      [...new Map(given.map((command) => [command.id, command])).values()].flatMap(({ results }) =>
        results.map(({ selector, feature, requested, status }) => {
          return `${selector} ${feature.key}=${JSON.stringify(requested)} ${status}`;
        }),
      ),
    runs: (): readonly AutomationRun[] => home.runHistory.runs.list({}, { after: null, limit: 100 }).runs.toReversed(),
    /** Resolves once it holds; looks after each event of the home. */
    until: (holds: () => boolean): Promise<void> =>
      new Promise((resolve) => {
        const look = (): void => {
          if (!holds()) return;
          stop();
          resolve();
        };
        const stop = home.events.subscribe(() => queueMicrotask(look));
        queueMicrotask(look);
      }),
  };
}
