import type { ApiToken } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Ago } from '#web/parts/ago.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { ReadingView, RowsSkeleton } from '#web/parts/reading-view.tsx';
import { RemoveButton } from '#web/parts/remove-button.tsx';
import { useReading } from '#web/parts/use-reading.ts';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { walls as wallsWords } from '#web/strings/en/settings/walls.ts';
import { dateWords } from '#web/strings/measure-words.ts';

/** One's own tokens; also those of others for people who manage accounts. */
export function TokensPage() {
  const { account } = useHub();
  const me = account.me.value;
  const reading = useReading<readonly ApiToken[]>(account.can('user:manage') ? '/api_token?all=true' : '/api_token');
  const list = (title: string | null, tokens: readonly ApiToken[]) =>
    tokens.length === 0 ? null : (
      <section>
        {title === null ? null : <h2 class="rows-title">{title}</h2>}
        <ul class="rows">
          {tokens.map((token) => (
            <TokenRow key={token.id} token={token} isOwn={token.user.id === me?.id} again={reading.again} />
          ))}
        </ul>
      </section>
    );
  return (
    <div class="page narrow">
      <PageHead title={settingsWords.tokens.title} back={{ href: '/settings', label: settingsWords.back }}>
        <a class="button" href="/settings/tokens/add">
          <Icon name="plus" size={18} />
          {settingsWords.tokens.add}
        </a>
      </PageHead>
      <p class="soft">
        {settingsWords.tokens.intro}{' '}
        <a href="/docs" target="_blank" rel="noreferrer">
          {settingsWords.tokens.docs}
        </a>
      </p>
      <p class="soft">
        {settingsWords.tokens.wall} <a href="/settings/walls">{wallsWords.title}</a>
      </p>
      <ReadingView of={reading} rows={2}>
        {(tokens) => {
          if (me === null) return <RowsSkeleton rows={2} />;
          const own = tokens.filter(({ user }) => user.id === me.id);
          const others = tokens.filter(({ user }) => user.id !== me.id);
          return (
            <>
              {own.length === 0 ? <p class="panel soft">{settingsWords.tokens.empty}</p> : list(null, own)}
              {list(settingsWords.tokens.others, others)}
            </>
          );
        }}
      </ReadingView>
    </div>
  );
}

type TokenRowProps = {
  readonly token: ApiToken;
  readonly isOwn: boolean;
  readonly again: () => Promise<void>;
};

/** Shows what a token may do, where, and when it was last used. */
export function TokenRow({ token, isOwn, again }: TokenRowProps) {
  const { time } = useHub();
  const { name, networks, expires_at: expiresAt, last_used_at: usedAt, last_address: address } = token;
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
        <span class="row-note">{rightsOf(token).join(' · ')}</span>
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
      <RemoveButton
        path={`/api_token/${token.id}`}
        label={settingsWords.tokens.revoke}
        of={isOwn ? settingsWords.tokens.revokeOne(name) : settingsWords.tokens.revokeOther(name)}
        question={settingsWords.tokens.revokeTitle(name)}
        text={settingsWords.tokens.revokeText}
        removed={settingsWords.tokens.revoked(name)}
        after={again}
      />
    </li>
  );
}

/** Says of a tablet on the wall what its person chose; of other tokens, every right by itself. */
function rightsOf({ kind, scopes, rooms }: ApiToken): readonly string[] {
  const words = (scope: (typeof scopes)[number]): string => settingsWords.tokens.scopes[scope] ?? scope;
  if (kind !== 'wall') return scopes.map(words);
  const doors = 'device:control_sensitive';
  return [
    scopes.includes('device:control') ? wallsWords.control : wallsWords.see,
    ...(scopes.includes(doors) ? [words(doors)] : []),
    ...(rooms === null ? [wallsWords.allRooms] : []),
  ];
}

function expiryWords(expiresAt: string | null, nowMs: number): string | null {
  if (expiresAt === null) return null;
  return Date.parse(expiresAt) < nowMs
    ? settingsWords.tokens.expired
    : settingsWords.tokens.until(dateWords(expiresAt));
}
