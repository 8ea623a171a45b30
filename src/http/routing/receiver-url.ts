import { type FaultWords, faultWords } from '#words/faults.ts';
import { isIP } from 'node:net';
import type { Caller } from '#auth/caller.ts';
import { type FieldError, fieldError } from '#base/hub-error.ts';
import { ownsHub } from '#http/rights/access.ts';

export type AddressRules = {
  /** For an address; each connection checks what a host name stands for. */
  readonly isLanAddress: (address: string) => boolean;
  /** Whether an address belongs to this machine itself. */
  readonly isOwnAddress: (address: string) => boolean;
};

/** `host` as sockets take it: an IPv6 address without its brackets. */
export type ReceiverUrl = { readonly href: string; readonly host: string };

/** A URL to which the hub sends. Only an owner's URL may lead to this machine itself. */
export type Receiver = { readonly url: string; readonly mayReachHub: boolean };

type ReceiverUrlDeps = AddressRules & {
  readonly caller: Caller;
  readonly errors: FieldError[];
  /** What the URL is, or what it must be. */
  readonly readUrl: (text: string) => ReceiverUrl | FaultWords;
};

/** The URL of a receiver that a caller sets in the field `/url`. Adds to `errors` what is wrong with it. */
export function readReceiverUrl(
  text: string,
  old: { readonly url: string | null; readonly mayReachHub: boolean },
  { isLanAddress, isOwnAddress, caller, errors, readUrl }: ReceiverUrlDeps,
): Receiver {
  const refuse = (...why: FaultWords): void => void errors.push(fieldError('/url', 'INVALID_VALUE', ...why));
  const url = readUrl(text);
  if (!('host' in url)) {
    refuse(...url);
    return { url: '', mayReachHub: false };
  }
  const { host, href } = url;
  const mayReachHub = ownsHub(caller) || (old.mayReachHub && href === old.url);
  if (isIP(host) !== 0 && !isLanAddress(host)) refuse(...faultWords('not_in_lan'));
  // Each connection checks what other names stand for.
  const isOwn = isIP(host) === 0 ? /(^|\.)localhost\.?$/.test(host) : isOwnAddress(host);
  if (isOwn && !mayReachHub) refuse(...faultWords('own_address'));
  return { url: href, mayReachHub };
}
