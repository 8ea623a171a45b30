/** A value cannot be said to the node, such as a date that is none. */
export class NoSuchValue extends Error {}
