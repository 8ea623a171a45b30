import type { Audit } from '#auth/audit/audit.ts';
import type { AuditEvent } from '#auth/audit/audit-entry.ts';
import type { Command, CommandResult } from '#core/command/command.ts';
import type { DeviceRegistry } from '#core/device/device-registry.ts';
import { isSensitiveRequest } from '#core/device/sensitive.ts';
import { auditedCaller } from '#http/routing/audited-routes.ts';
import { callerOf } from '#http/rights/access.ts';
import type { RouteRequest } from '#http/routing/route.ts';

type Deps = { readonly audit: Audit; readonly registry: Pick<DeviceRegistry, 'findDevice'> };
type CallerRequest = Pick<RouteRequest<unknown, unknown>, 'caller' | 'peer'>;

/**
 * Notes what a command that was just accepted sends to each lock, alarm or valve. Resolves when that is on disk.
 */
export function noteSensitive(deps: Deps, request: CallerRequest, command: Command): Promise<void> {
  const caller = callerOf(request);
  return noteSensitiveBy(deps, { peer: request.peer, userId: caller.user.id, ...auditedCaller(caller) }, command);
}

/** The same for a command that no request gave. `through` is who asked for it, where the caller does not say it. */
export async function noteSensitiveBy(
  { audit, registry }: Deps,
  by: Pick<AuditEvent, 'peer' | 'userId' | 'sessionId' | 'apiTokenId'>,
  { results, through = '' }: Pick<Command, 'results'> & { readonly through?: string },
): Promise<void> {
  const noted = [...new Set(results.map(({ deviceId }) => deviceId))].map(async (id) => {
    const device = registry.findDevice(id);
    const wanted = results.filter(
      ({ deviceId, status }) => deviceId === id && (status === 'queued' || status === 'failed'),
    );
    if (wanted.length === 0) return;
    const keys = wanted.map(({ feature }) => feature.key);
    if (device === undefined || !isSensitiveRequest(device, keys)) return;
    const detail = `${wanted.map(wordOf).join(',')} ${device.selector}${through}`;
    await audit.record({ type: 'command.given', ...by, detail });
  });
  await Promise.all(noted);
}

/** Shows only booleans and the device's enum options as values: a text or a number could be the code of a lock. */
function wordOf({ feature: { key, valueType }, requested }: CommandResult): string {
  const isWord = typeof requested === 'boolean' || (typeof requested === 'string' && valueType === 'enum');
  return isWord ? `${key}=${requested}` : key;
}
