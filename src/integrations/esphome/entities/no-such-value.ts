/** What a person gave that cannot be said to the node, such as a date that is none. */
export class NoSuchValue extends Error {}
