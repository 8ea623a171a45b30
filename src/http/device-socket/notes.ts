import type { Note } from '#http/note/note.ts';

export const followSleepingDevice: Note = () => ({
  description:
    'A WebSocket (RFC 6455) that a Shelly device with a battery opens when it wakes, as its setting "Outbound WebSocket" says. It needs no token, and serves only devices that were set up as ones that sleep: the first message must name one in `src` within 5 s, or the hub closes with the code 1008. Messages have at most 128 KiB. An address may have 4 such connections, and open 8 at once and then one every 2 s; the hub has 64. It is for devices: clients follow events.',
  problems: ['UPGRADE_REQUIRED', 'TOO_MANY_REQUESTS', 'OVERLOADED'],
});
