/** What must hold for a change that somebody asked for. It is looked at right before the change is written. */
export type ChangeGiven<Subject = void> = {
  /** Revision on which the change is based. */
  readonly ifRevision?: number | undefined;
  /** Throws HubError where whoever asked may not make this change any more. Absent for what the hub does by itself. */
  readonly authorize?: (subject: Subject) => void;
};

/** A change that came over the network: whoever asked for it must still be allowed to when it is written. */
export type AuthorizedChange<Subject = void> = ChangeGiven<Subject> & {
  readonly authorize: (subject: Subject) => void;
};
