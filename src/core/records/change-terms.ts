/** The terms must hold for a requested change. They are checked right before it is written. */
export type ChangeTerms<Subject = void> = {
  readonly ifRevision?: number | undefined;
  /** Throws HubError if the caller may not make this change any more. Absent for changes that the hub makes by itself. */
  readonly authorize?: (subject: Subject) => void;
};

/** A change that came over the network: its caller must still be allowed to make it when it is written. */
export type AuthorizedTerms<Subject = void> = ChangeTerms<Subject> & {
  readonly authorize: (subject: Subject) => void;
};
