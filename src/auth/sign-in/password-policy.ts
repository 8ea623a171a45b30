import { readFileSync } from 'node:fs';
import { faultWords } from '#words/faults.ts';
import { limit } from '#words/limits.ts';
import type { Wording } from '#words/texts.ts';

/** Why a password was refused. `guessable` covers what more length does not cure. */
type PasswordFault = {
  readonly code: 'too_short' | 'too_long' | 'not_text' | 'guessable';
  readonly message: string;
  readonly reason: Wording;
};

const fault = (code: PasswordFault['code'], message: string, reason: Wording): PasswordFault => ({
  code,
  message,
  reason,
});

export const MIN_PASSWORD_LENGTH = 10;
export const MAX_PASSWORD_LENGTH = 256;

const PRODUCT_NAMES = ['hearthd', 'hearth'];
// Shorter names occur inside too many ordinary words.
const MIN_NAME_LENGTH = 3;
const MAX_DECORATION = 4;

/**
 * The rules of NIST 800-63B-4: length in code points of the NFC form and a blocklist, no rules of composition. `names`
 * are texts that an attacker knows (e-mail address, person, host, hub): they do not count towards the length. A common
 * password with up to four digits or signs around it still counts as common.
 */
export function findPasswordFault(password: string, names: readonly string[]): PasswordFault | undefined {
  // A lone surrogate has no UTF-8 form, so different passwords would get the same hash.
  if (/\p{Surrogate}/u.test(password)) return fault('not_text', ...faultWords('not_unicode'));
  const folded = password.normalize('NFC').toLowerCase();
  const length = countCodePoints(password.normalize('NFC'));
  if (length < MIN_PASSWORD_LENGTH) {
    const message = `A password needs at least ${MIN_PASSWORD_LENGTH} characters.`;
    return fault('too_short', message, limit('least', { least: MIN_PASSWORD_LENGTH }));
  }
  if (length > MAX_PASSWORD_LENGTH) {
    const message = `A password has at most ${MAX_PASSWORD_LENGTH} characters.`;
    return fault('too_long', message, limit('most', { most: MAX_PASSWORD_LENGTH }));
  }
  const rest = withoutNames(folded, names);
  if (countCodePoints(rest) < MIN_PASSWORD_LENGTH && rest !== folded) {
    return fault('guessable', ...faultWords('weak_names', { least: MIN_PASSWORD_LENGTH }));
  }
  const isCommon = readCommonPasswords();
  if ([folded, coreOf(folded), rest].some(isCommon)) {
    return fault('guessable', ...faultWords('weak_common'));
  }
  return undefined;
}

/** The password without leading and trailing digits and signs, or unchanged if those are more than `MAX_DECORATION`. */
function coreOf(folded: string): string {
  const core = folded.replace(/^[^\p{L}]+/u, '').replace(/(?<![^\p{L}])[^\p{L}]+$/u, '');
  return countCodePoints(folded) - countCodePoints(core) <= MAX_DECORATION ? core : folded;
}

function withoutNames(folded: string, names: readonly string[]): string {
  const words = [...PRODUCT_NAMES, ...names.flatMap(wordsOf)].sort((left, right) => right.length - left.length);
  return words.reduce((rest, word) => rest.replaceAll(word, ''), folded);
}

/** The whole name and its parts, without the last label of a domain, which is part of too many words. */
function wordsOf(name: string): string[] {
  const folded = name.normalize('NFC').toLowerCase();
  const parts = folded.replace(/\.[^.@\s]*$/, '').split(/[^\p{L}\p{N}]+/u);
  return [folded, ...parts].filter((word) => countCodePoints(word) >= MIN_NAME_LENGTH);
}

function countCodePoints(text: string): number {
  return Array.from(text).length;
}

/**
 * Returns a test whether a lower-case password is on the list. The list is read for each check and not kept in memory:
 * passwords are set a few times in a hub's life.
 */
function readCommonPasswords(): (password: string) => boolean {
  const list = readFileSync(new URL('./common-passwords.txt', import.meta.url), 'utf8');
  return (password) => !password.includes('\n') && list.includes(`\n${password}\n`);
}
