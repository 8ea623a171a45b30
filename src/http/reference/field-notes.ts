/** What a schema or a field of it means, by name and by name and field. The schemas themselves say the rest. */
export const FIELD_NOTES: Readonly<Record<string, string>> = {
  Command: 'What was asked of devices, and what became of it.',
  'Command.device': 'Selector; `null` in a command for several devices.',
  'Command.status':
    '`queued` → `sent` → `confirmed`, or `unconfirmed` (no report came in time), `failed`, `superseded` (by a newer command), `expired`.',
  'Command.evidence': 'The best that is known of its arrival; only `state_report` is the device’s own word.',
  'CommandResult.device': 'Selector; only in a command for several devices.',
  'CommandResult.reason': 'Why it failed, for people.',
  'CommandResult.requested': 'The value that was asked for.',
  'CommandResult.observed': 'The value that the device reports.',
  DeliveryBody: 'What a webhook is told: the body of the long poll, and `hub.test`.',
  'DeliveryBody.cursor': 'Everything up to here was looked at.',
  Event:
    'Of a stream, where the fields of a frame are `id`, `event` (here `type`) and `data`, of a long poll or of a delivery to a webhook. `hub.heartbeat` and `hub.snapshot` come in a stream alone, `hub.test` comes to a webhook alone.',
  HubGapEvent: 'Events between the two cursors are lost to this client; in a stream a snapshot follows.',
  HubSnapshotEvent: 'The home as it was at `cursor`, in parts.',
  FeatureOccurredEvent:
    'Something that happened and is over, as the press of a button. Never sent when older than 5 s.',
};
