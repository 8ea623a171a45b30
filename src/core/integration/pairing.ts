/** The longest time, in seconds, for which new devices are let in: a Zigbee radio counts in one byte, where 255 is "for ever". */
export const MAX_PAIRING_S = 254;
