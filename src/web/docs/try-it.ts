import { docs as docsWords } from '#web/strings/en/docs.ts';
import { type Access, choice, field } from './access.ts';
import { block, element } from './element.ts';
import {
  type Call,
  type Media,
  type OpenApi,
  type Operation,
  type Parameter,
  resolve,
  sampleOf,
  type Schema,
} from './open-api.ts';

type Asked = {
  readonly method: string;
  readonly target: string;
  readonly headers: Record<string, string>;
  readonly body: string | File | null;
};
type ReadInput = { readonly parameter: Parameter; readonly value: () => string };

const words = docsWords.call;

/** A form that sends the call and shows what came back. */
export function tryIt(api: OpenApi, call: Call, access: Access): HTMLElement {
  const { operation } = call;
  const inputs = [
    ...(operation.parameters ?? []).map((one) => parameterInput(api, resolve(api, one))),
    ...acceptInput(operation),
  ];
  const body = bodyInput(api, operation.requestBody?.content);
  const send = element('button', { type: 'submit' }, [words.send(call.method)]);
  const stop = element('button', { type: 'button', hidden: '' }, [words.stop]);
  const shown = element('div', { class: 'answer', role: 'status' });
  const form = element('form', { class: 'try' }, [
    ...inputs.map(({ view }) => view),
    body?.view ?? null,
    element('div', { class: 'buttons' }, [send, stop]),
    shown,
  ]);
  let running: AbortController | null = null;
  stop.addEventListener('click', () => running?.abort());
  const run = async (): Promise<void> => {
    running?.abort();
    const controller = new AbortController();
    running = controller;
    stop.hidden = false;
    const asked = askedFor(call, inputs, { body: body?.value() ?? null, type: body?.type() ?? '' });
    await sendAndShow({ ...asked, headers: { ...asked.headers, ...tokenOf(call, access) } }, shown, controller.signal);
    if (running === controller) stop.hidden = true;
  };
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    run().catch((cause: unknown) => shown.replaceChildren(words.failed(String(cause))));
  });
  return form;
}

function tokenOf({ operation }: Call, access: Access): Record<string, string> {
  const token = access.token();
  return operation.security.length === 0 || token === null ? {} : { Authorization: `Bearer ${token}` };
}

function parameterInput(api: OpenApi, parameter: Parameter): ReadInput & { readonly view: HTMLElement } {
  const { name, required = false } = parameter;
  const options = optionsOf(resolve(api, parameter.schema));
  const example = parameter.example === undefined ? {} : { placeholder: parameter.example };
  const { view, input } =
    options === null ? field(name, { ...(required ? { required: '' } : {}), ...example }) : choice(name, options);
  return { parameter, view, value: () => input.value };
}

/** Chooses one of several media types. */
function acceptInput({ responses }: Operation): readonly (ReadInput & { readonly view: HTMLElement })[] {
  const { 200: answer } = responses;
  const types = answer !== undefined && 'content' in answer ? Object.keys(answer.content ?? {}) : [];
  if (types.length < 2) return [];
  const { view, input } = choice('Accept', types);
  return [{ parameter: { name: 'Accept', in: 'header', schema: {} }, view, value: () => input.value }];
}

function optionsOf(schema: Schema): readonly string[] | null {
  if (schema.type === 'boolean') return ['true', 'false'];
  return schema.enum === undefined ? null : schema.enum.map(String);
}

function bodyInput(api: OpenApi, content: Readonly<Record<string, Media>> | undefined) {
  const [type, media] = Object.entries(content ?? {})[0] ?? [];
  if (type === undefined || media === undefined) return null;
  if (media.schema?.format === 'binary') {
    const { view, input } = field(words.file, { type: 'file', required: '' });
    return { view, type: () => type, value: () => input.files?.[0] ?? null };
  }
  const text = JSON.stringify(media.example ?? sampleOf(api, media.schema ?? {}), null, 2);
  const area = element('textarea', { rows: String(Math.min(14, text.split('\n').length + 1)), spellcheck: 'false' });
  area.value = text;
  const view = element('label', { class: 'field' }, [words.body, area]);
  return { view, type: () => type, value: () => area.value };
}

function askedFor(
  { method, path }: Call,
  inputs: readonly ReadInput[],
  { body, type }: { readonly body: string | File | null; readonly type: string },
): Asked {
  let target = path;
  const query: string[] = [];
  const headers: Record<string, string> = body === null ? {} : { 'Content-Type': type };
  for (const { parameter, value } of inputs) {
    const text = value();
    if (parameter.in === 'path') target = target.replace(`{${parameter.name}}`, encodeURIComponent(text));
    else if (text === '') continue;
    else if (parameter.in === 'query')
      query.push(`${parameter.name}=${encodeURIComponent(text).replaceAll('%2C', ',')}`);
    else headers[parameter.name] = text;
  }
  return { method, target: query.length === 0 ? target : `${target}?${query.join('&')}`, headers, body };
}

const MAX_SHOWN = 200_000;

async function sendAndShow(asked: Asked, shown: HTMLElement, signal: AbortSignal): Promise<void> {
  const status = element('p', { class: 'status' }, [words.waiting]);
  shown.replaceChildren(block(curlFor(asked), words.curl), status);
  const { method, target, headers, body } = asked;
  const startedMs = performance.now();
  try {
    const answer = await fetch(target, { method, headers, body, signal, cache: 'no-store' });
    status.replaceChildren(
      words.took(`${answer.status} ${answer.statusText}`, Math.round(performance.now() - startedMs)),
    );
    const lines = [...answer.headers].map(([name, value]) => `${name}: ${value}`);
    shown.append(block(lines.join('\n'), words.headers));
    await showBody(answer, shown);
  } catch (cause) {
    if (signal.aborted) shown.append(element('p', {}, [words.stopped]));
    else status.replaceChildren(words.noAnswer(String(cause)));
  }
}

/** Shows the body as it arrives: a stream of events has no end. */
async function showBody(answer: Response, shown: HTMLElement): Promise<void> {
  const type = answer.headers.get('content-type') ?? '';
  if (!/json|text|event-stream/.test(type)) return saveBody(answer, shown);
  const pre = block('', words.content);
  const out = pre.firstElementChild ?? pre;
  shown.append(pre);
  const reader = answer.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  for (let piece = await reader?.read(); piece !== undefined && !piece.done; piece = await reader?.read()) {
    text = (text + decoder.decode(piece.value, { stream: true })).slice(-MAX_SHOWN);
    out.textContent = text;
  }
  if (type.includes('json') && text !== '' && text.length < MAX_SHOWN)
    out.textContent = JSON.stringify(JSON.parse(text), null, 2);
}

async function saveBody(answer: Response, shown: HTMLElement): Promise<void> {
  const content = await answer.blob();
  if (content.size === 0) return;
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1] ?? 'answer';
  shown.append(element('a', { href: URL.createObjectURL(content), download: name }, [words.save(name)]));
}

/** The same call for a shell. The token is a variable, so that nobody copies it by accident. */
function curlFor({ method, target, headers, body }: Asked): string {
  const parts = [`curl -X ${method} ${quote(location.origin + target)}`];
  for (const [name, value] of Object.entries(headers)) {
    parts.push(name === 'Authorization' ? '-H "Authorization: Bearer $TOKEN"' : `-H ${quote(`${name}: ${value}`)}`);
  }
  if (typeof body === 'string') parts.push(`--data ${quote(body)}`);
  else if (body !== null) parts.push(`--data-binary ${quote(`@${body.name}`)}`);
  return parts.join(' \\\n  ');
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
