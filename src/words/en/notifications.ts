const DIGEST =
  '{critical} critical, {warning} warnings, {info} for information. Too many came in a short time, so these are not shown one by one.';
const AMONG = 'Among the devices: {devices}.';

/**
 * The hub says these by itself, by id. Where an entry has no text, the text comes from elsewhere: the failure that it
 * tells.
 */
export const notificationTexts = {
  water: { title: 'Water: {device}', text: 'The sensor reports water.' },
  smoke: { title: 'Smoke: {device}', text: 'The detector reports smoke.' },
  carbon_monoxide: {
    title: 'Carbon monoxide: {device}',
    text: 'The detector reports carbon monoxide. It has no smell: get everyone out and let air in.',
  },
  gas: { title: 'Gas: {device}', text: 'The detector reports gas.' },
  water_inside: { title: 'Water in the home', text: 'A sensor reports water.' },
  smoke_inside: { title: 'Smoke in the home', text: 'A detector reports smoke.' },
  carbon_monoxide_inside: {
    title: 'Carbon monoxide in the home',
    text: 'A detector reports carbon monoxide. It has no smell: get everyone out and let air in.',
  },
  gas_inside: { title: 'Gas in the home', text: 'A detector reports gas.' },
  lock_jammed: { title: '{device} is jammed', text: 'The lock could not move its bolt all the way.' },
  battery_low: { title: 'Battery low: {device}', text: 'Charge or replace it soon.' },
  device_offline: {
    title: '{device} has been offline for a day',
    text: 'The hub cannot reach it. Look at its power and whether it is still in reach.',
  },
  integration_down: {
    title: '{integration} has not been connected for five minutes',
    text: 'Its devices cannot be reached.',
  },
  battery_low_many: { title: '{count} batteries are low', text: '{which}' },
  device_offline_many: { title: '{count} devices have been offline for a day', text: '{which}' },
  integration_down_many: { title: '{count} integrations are not connected', text: '{which}' },
  integration_failed: { title: '{integration} has not been connected for five minutes' },
  backup_failed: { title: 'The last backup failed' },
  disk_nearly_full: {
    title: 'The disk is nearly full',
    text: '{free_mib} MiB are free. A full disk stops backups and history.',
  },
  history_paused: {
    title: 'The history is paused',
    text: 'The disk takes no writes, so values of devices are not recorded now.',
  },
  too_much_for_day: {
    title: '{name} reports more than can be recorded',
    text: 'Its values are shown, but those of the rest of this day are missing in the history.',
  },
  too_much_for_month: {
    title: '{name} reports more than can be recorded',
    text: 'Its values are shown, but those of the rest of this month are missing in the history. Let it be recorded less often, or let the history take more room.',
  },
  automation_looped: {
    title: '{automation} was stopped',
    text: 'It started again and again. It is stopped for {for_s}.',
  },
  automation_circled: {
    title: '{automation} was stopped',
    text: 'Automations started each other again and again: {way}. It is stopped for {for_s}.',
  },
  automation_fought: {
    title: '{automation} was stopped',
    text: 'It and others moved {device} back and forth. It is stopped for {for_s}.',
  },
  signer_gone: {
    title: '{automation} was suspended',
    text: 'The person who signed it, or their API token, is gone. It runs again once somebody with the rights signs it.',
  },
  signer_lacks_right: {
    title: '{automation} was suspended',
    text: 'The person who signed it lacks a right that it needs. It runs again once somebody with the rights signs it.',
  },
  digest: { title: '{count} more notifications from {name}', text: DIGEST },
  digest_of_one: { title: '{count} more notification from {name}', text: DIGEST },
  digest_among: { title: '{count} more notifications from {name}', text: `${DIGEST} ${AMONG}` },
  digest_of_one_among: { title: '{count} more notification from {name}', text: `${DIGEST} ${AMONG}` },
  test: { title: 'This is a test', text: 'Your hub can send notifications here.' },
} as const;
