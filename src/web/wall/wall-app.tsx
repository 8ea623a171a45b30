import { render } from 'preact';
import { problemFrom } from '#web/client/hub-problem.ts';
import { within } from '#web/client/within.ts';
import { FormFrame } from '#web/form/form-frame.tsx';
import { TextField } from '#web/form/text-field.tsx';
import { useField, useForm } from '#web/form/use-form.ts';
import { HubProvider, startHub } from '#web/hub.ts';
import { QuestionDialog } from '#web/parts/confirm-dialog.tsx';
import { MessageList } from '#web/parts/message-list.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { usePageTitle } from '#web/parts/page-head.tsx';
import { shelfOf, type BrowserTokens, type Shelf } from '#web/state/account/token-store.ts';
import { wall as wallWords } from '#web/strings/en/home/wall.ts';
import { WallAsk } from './wall-ask.tsx';
import { WallHome } from './wall-home.tsx';
import wallStyle from './wall.loaded.css';
import { signal } from '@preact/signals';
import { loadStyle } from '#web/parts/loaded.tsx';

/** A screen that is always on. It needs no login, only an API token, and has one page without the way to the others. */
export async function startWall(page: Window, root: HTMLElement): Promise<void> {
  await loadStyle(wallStyle);
  const shelf = shelfOf(page);
  const token = openWallToken(shelf);
  const hub = startHub(page, token);
  const Wall = () => {
    usePageTitle(wallWords.title);
    if (token.login.value === null) {
      return (
        <WallAsk shelf={shelf} onToken={token.put}>
          <TokenForm token={token} />
        </WallAsk>
      );
    }
    return <WallHome shelf={shelf} onForget={() => token.put('')} />;
  };
  render(
    <HubProvider value={hub}>
      <Wall />
      <QuestionDialog />
      <MessageList />
    </HubProvider>,
    root,
  );
}

const CHECK_MS = 10_000;

function TokenForm({ token }: { readonly token: WallToken }) {
  const form = useForm(['token']);
  const text = useField(form, 'token', '');
  const take = async (): Promise<void> => {
    const wanted = text.value.trim();
    // Another letter could not even be sent.
    if (!/^[\x21-\x7e]+$/.test(wanted)) return form.show({ token: wallWords.refused });
    const headers = { Authorization: `Bearer ${wanted}` };
    for (const path of ['/api/v1/device?limit=1', '/api/v1/event?limit=1&wait=0']) {
      const answer = await within(CHECK_MS, (signal) => fetch(path, { headers, signal }));
      if (answer.status === 401 || answer.status === 403) return form.show({ token: wallWords.refused });
      if (!answer.ok) throw await problemFrom(answer);
      await answer.body?.cancel();
    }
    token.put(wanted);
  };
  return (
    <FormFrame form={form} class="form" onSubmit={() => form.submit(take, { token: text.value })}>
      <p class="soft">{wallWords.intro}</p>
      {form.faults['all'] === undefined ? null : <Notice tone="danger" text={form.faults['all']} />}
      <TextField
        label={wallWords.token}
        type="password"
        autocomplete="off"
        {...text}
        hint={wallWords.tokenHint}
        input={{ autocapitalize: 'off', spellcheck: false }}
      />
      <button type="submit" class="button" aria-disabled={form.isBusy}>
        {wallWords.submit}
      </button>
    </FormFrame>
  );
}

const KEY = 'hearthd.wall';

type WallToken = BrowserTokens & {
  /** An empty one forgets what was there. */
  readonly put: (token: string) => void;
};

/** The API token of a screen on the wall: kept by its browser, and never in an address. */
function openWallToken(shelf: Shelf): WallToken {
  let token = shelf.getItem(KEY) ?? '';
  const nameOf = (): string | null => (token === '' ? null : `wall ${token.slice(-8)}`);
  const login = signal(nameOf());
  const put = (next: string): void => {
    token = next;
    login.value = nameOf();
    if (token === '') shelf.removeItem(KEY);
    else shelf.setItem(KEY, token);
  };
  return {
    login,
    put,
    load: () => (token === '' ? null : { accessToken: token, refreshToken: '' }),
    // The hub refused it.
    save: (tokens) => {
      if (tokens === null) put('');
    },
    knownAs: () => undefined,
  };
}
