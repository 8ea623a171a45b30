import { expect, test } from 'vitest';
import { createAlarms } from '#automations/engine/alarms.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import { openTestNotifications } from '#test/core/notification/notification-home.ts';
import { createRecordingLog } from '#test/support/hub/recording-log.ts';

test('what was said of an automation is over once it is removed', async () => {
  const notifications = await openTestNotifications();
  const { log } = createRecordingLog();
  const home = { devices: { findDevice: () => undefined } };
  const alarms = createAlarms({ notifications, automations: { nameOf: () => 'Blinds' }, home, log });
  const id = 'a1' as AutomationId;
  alarms.suspended(id, 'SIGNER_GONE');
  const trip = { automation: id, reason: 'flapping', detail: 'It moved.', chain: [id], forMs: 60_000 } as const;
  alarms.tripped({ kind: 'trip', ...trip });
  await notifications.time.advance(0);
  const open = () => notifications.all().filter(({ resolvedAtMs }) => resolvedAtMs === null);
  expect(open()).toHaveLength(2);
  alarms.removed(id);
  await notifications.time.advance(0);
  expect(open()).toEqual([]);
});
