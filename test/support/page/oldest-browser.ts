/*
 * What none of Safari 15.0, Chrome 90 and Firefox 90 can be counted on to have, from the compatibility data of MDN (2026-10):
 * `src/web/build.mjs` names these browsers.
 */
const LACKING = [
  ...['at', 'findLast', 'findLastIndex', 'toReversed', 'toSorted', 'toSpliced', 'with'].map(
    (name) => `Array.prototype.${name}`,
  ),
  ...['at', 'isWellFormed', 'toWellFormed'].map((name) => `String.prototype.${name}`),
  ...['union', 'intersection', 'difference', 'symmetricDifference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom'].map(
    (name) => `Set.prototype.${name}`,
  ),
  'Array.fromAsync',
  'Object.hasOwn',
  'Object.groupBy',
  'Map.groupBy',
  'Promise.withResolvers',
  'Promise.try',
  'Intl.supportedValuesOf',
  'URL.canParse',
  'URL.parse',
  'AbortSignal.any',
  'AbortSignal.timeout',
  'AbortSignal.prototype.throwIfAborted',
  'crypto.__proto__.randomUUID',
  'HTMLFormElement.prototype.requestSubmit',
  'HTMLInputElement.prototype.showPicker',
  'Document.prototype.startViewTransition',
  'structuredClone',
  'Iterator',
];

/** Takes from the page what the oldest browsers lack; dialogs, idle callbacks and channels between tabs stay, which it asks for before it uses them. */
export const AS_OLDEST_BROWSER = LACKING.map((name) => `try { delete ${name} } catch {}`).join(';');
