/*
 * What the oldest browsers that `build.mjs` names do not have of the library, in the words of this page. The build makes
 * old syntax of new, and no old functions of new ones: `lib` in `tsconfig.json` refuses those.
 */

export function lastOf<Item>(list: readonly Item[]): Item | undefined {
  return list[list.length - 1];
}

export function hasOwn(object: object, name: PropertyKey): boolean {
  return Object.prototype.hasOwnProperty.call(object, name);
}
