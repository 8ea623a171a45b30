import type { Hub } from '#web/hub.ts';
import type { OwnAccount } from '#web/client/api.ts';
import { chooseLanguage } from '#web/strings/language/chosen-language.ts';
import { wordsIfRefused } from '#web/strings/problem-words.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

/** Keeps the language of the person at the hub, for each browser; an empty code leaves it to the browsers. */
export async function chooseOwnLanguage(hub: Pick<Hub, 'account' | 'client' | 'messages'>, code: string) {
  const { account, client, messages } = hub;
  const language = code === '' ? null : code;
  const words = await wordsIfRefused(async () => {
    account.keepMe(await client.call<OwnAccount>('PATCH', '/me', { language }));
  });
  if (words === undefined) chooseLanguage(window, code, pageWords.locale);
  else messages.show(words, 'danger');
}
