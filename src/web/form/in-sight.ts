/** As many of a long list as a phone draws at once, and all that are chosen: those stay in sight. In the same order. */
export function inSight<One>(list: readonly One[], isChosen: (one: One) => boolean, most: number): readonly One[] {
  let left = most;
  return list.filter((one) => isChosen(one) || left-- > 0);
}
