/** The longest pairing time, in seconds: Zigbee has one byte for it, in which 255 means "for ever". */
export const MAX_PAIRING_S = 254;
