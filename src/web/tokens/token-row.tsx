import type { ApiToken } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Ago } from '#web/parts/ago.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { dateWords } from '#web/strings/measure-words.ts';

type Props = {
  readonly token: ApiToken;
  readonly isOwn: boolean;
  readonly onRevoke: (token: ApiToken) => void;
};

/** What a token may do, where, and when it was last used. */
export function TokenRow({ token, isOwn, onRevoke }: Props) {
  const { time } = useHub();
  const { name, scopes, networks, expires_at: expiresAt, last_used_at: usedAt, last_address: address } = token;
  const places = (token.rooms?.length ?? 0) + (token.devices?.length ?? 0);
  const isLimited = token.rooms !== null || token.devices !== null;
  const limits = [
    isLimited ? settingsWords.tokens.places(places) : null,
    token.provider === null ? null : settingsWords.tokens.provides(token.provider),
    networks === null ? null : settingsWords.tokens.from(networks.join(', ')),
    expiryWords(expiresAt, time.nowMs.value),
  ].filter((words) => words !== null);
  return (
    <li class="row row-top">
      <span class="row-text">
        <bdi class="row-title">{name}</bdi>
        <span class="row-note">{scopes.map((scope) => settingsWords.tokens.scopes[scope] ?? scope).join(' · ')}</span>
        {limits.length === 0 ? null : <span class="row-note">{limits.join(' · ')}</span>}
        <span class="row-note">
          {usedAt === null ? (
            settingsWords.tokens.neverUsed
          ) : (
            <>
              {settingsWords.tokens.lastUsed} <Ago at={usedAt} />
              {address === null ? '' : ` · ${address}`}
            </>
          )}
        </span>
      </span>
      <button
        type="button"
        class="button button-danger"
        aria-label={isOwn ? settingsWords.tokens.revokeOne(name) : settingsWords.tokens.revokeOther(name)}
        onClick={() => onRevoke(token)}
      >
        {settingsWords.tokens.revoke}
      </button>
    </li>
  );
}

function expiryWords(expiresAt: string | null, nowMs: number): string | null {
  if (expiresAt === null) return null;
  return Date.parse(expiresAt) < nowMs
    ? settingsWords.tokens.expired
    : settingsWords.tokens.until(dateWords(expiresAt));
}
