import type { Problem, SignedIn } from '#web/client/api.ts';
import { inEnglish } from '#web/strings/hub-text.ts';
import { docs as docsWords } from '#web/strings/en/docs.ts';
import { code, element } from './element.ts';

/** The token for trying calls. It is only in the memory of this page. */
export type Access = {
  readonly token: () => string | null;
  /** The form that logs in. */
  readonly view: HTMLElement;
};

const words = docsWords.access;

export function createAccess(): Access {
  let token: string | null = null;
  const said = element('p', { role: 'status' }, [words.none]);
  const email = field(words.email, { type: 'email', autocomplete: 'username', required: '' });
  const password = field(words.password, { type: 'password', autocomplete: 'current-password', required: '' });
  const logIn = element('button', { type: 'submit' }, [words.logIn]);
  const logOut = element('button', { type: 'button', hidden: '' }, [words.logOut]);
  const form = element('form', { class: 'access' }, [email.view, password.view, logIn]);

  const show = (text: string): void => {
    said.replaceChildren(text);
    logOut.hidden = token === null;
    form.hidden = token !== null;
  };
  const enter = async (): Promise<void> => {
    const body = JSON.stringify({ email: email.input.value, password: password.input.value, client_name: 'API page' });
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch('/api/v1/login', { method: 'POST', headers, body });
    const json = (await answer.json()) as SignedIn | Problem;
    if (!('access_token' in json)) return show(words.refused[json.code] ?? inEnglish(json.detail));
    token = json.access_token;
    password.input.value = '';
    show(words.done(json.user.email));
    logOut.focus();
  };
  const leave = async (): Promise<void> => {
    const headers = { Authorization: `Bearer ${token}` };
    token = null;
    show(words.over);
    email.input.focus();
    await fetch('/api/v1/logout', { method: 'POST', headers });
  };
  const failed = (): void => show(words.noAnswer);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    enter().catch(failed);
  });
  logOut.addEventListener('click', () => {
    leave().catch(failed);
  });
  const view = element('section', { class: 'sign-in', 'aria-label': words.title }, [
    element('p', {}, [words.text]),
    form,
    said,
    logOut,
  ]);
  return { token: () => token, view };
}

let fields = 0;

/** An input with its label. */
export function field(
  name: string,
  attributes: Readonly<Record<string, string>>,
): { readonly view: HTMLElement; readonly input: HTMLInputElement } {
  fields += 1;
  const id = `field-${fields}`;
  const input = element('input', { id, spellcheck: 'false', autocapitalize: 'off', ...attributes });
  return { view: element('div', { class: 'field' }, [element('label', { for: id }, [name]), input]), input };
}

export function choice(
  name: string,
  options: readonly string[],
): { readonly view: HTMLElement; readonly input: HTMLSelectElement } {
  fields += 1;
  const id = `field-${fields}`;
  const items = ['', ...options].map((option) => element('option', { value: option }, [option]));
  const input = element('select', { id }, items);
  return { view: element('div', { class: 'field' }, [element('label', { for: id }, [code(name)]), input]), input };
}
