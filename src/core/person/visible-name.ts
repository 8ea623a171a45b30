const VISIBLE = /[^\p{Z}\p{C}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether there is anything to see of a name: one of blanks, joiners and fillers alone looks like none. */
export function isVisibleName(name: string): boolean {
  return VISIBLE.test(name);
}
