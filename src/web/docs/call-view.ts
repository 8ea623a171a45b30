import { docs as docsWords } from '#web/strings/en/docs.ts';
import type { Access } from './access.ts';
import { block, type Child, code, disclosure, element, english, inline, prose } from './element.ts';
import { type Answer, type Body, type Call, type Media, type OpenApi, type Parameter, resolve } from './open-api.ts';
import { schemaView, typeOf } from './schema-view.ts';
import { tryIt } from './try-it.ts';

/** One call: a line that opens to all that is known of it. */
export function callView(api: OpenApi, call: Call, access: Access): HTMLDetailsElement {
  const { method, path, operation } = call;
  const summary = [
    element('h3', {}, [
      element('span', { class: `method ${method.toLowerCase()}` }, [method]),
      ' ',
      element('span', { class: 'path' }, [path]),
    ]),
    element('span', { class: 'summary', lang: 'en' }, [operation.summary]),
  ];
  return disclosure({ class: 'call', id: operation.operationId }, summary, () => [
    english(prose(operation.description ?? '')),
    ...accessView(call),
    ...parametersView(
      api,
      (operation.parameters ?? []).map((one) => resolve(api, one)),
    ),
    ...bodyView(api, operation.requestBody),
    ...answersView(api, call),
    ...problemsView(operation['x-problem-codes'] ?? []),
    ...(call.isOutgoing ? [] : [element('h4', {}, [words.tryIt]), tryIt(api, call, access)]),
  ]);
}

function accessView({ operation, isOutgoing }: Call): readonly Child[] {
  if (isOutgoing) return [];
  if (operation.security.length === 0) return [element('p', {}, [words.noToken])];
  const isOpen = operation.security.some((way) => Object.keys(way).length === 0);
  return isOpen ? [element('p', {}, [words.open])] : [];
}

const words = docsWords.call;

function parametersView(api: OpenApi, parameters: readonly Parameter[]): readonly Child[] {
  if (parameters.length === 0) return [];
  const items = parameters.map((parameter) => {
    const { name, required = false, description, example } = parameter;
    const type = typeOf(resolve(api, parameter.schema));
    return element('li', {}, [
      code(name),
      ' ',
      element('span', { class: 'type', lang: 'en' }, [type]),
      element('span', { class: 'note' }, [` ${words.places[parameter.in]}${required ? '' : `, ${words.optional}`}`]),
      description === undefined ? null : element('p', { lang: 'en' }, inline(description)),
      example === undefined ? null : element('p', { class: 'note' }, [`${words.example}: `, code(example)]),
    ]);
  });
  return [element('h4', {}, [words.parameters]), element('ul', { class: 'fields' }, items)];
}

function bodyView(api: OpenApi, body: Body | undefined): readonly Child[] {
  if (body === undefined) return [];
  const types = Object.keys(body.content).join(', ');
  return [
    element('h4', {}, [words.body]),
    element('p', {}, [`${words.as} ${types}. `, element('span', { lang: 'en' }, [body.description ?? ''])]),
    ...mediaView(api, Object.values(body.content)[0]),
  ];
}

function mediaView(api: OpenApi, media: Media | undefined): readonly Child[] {
  if (media === undefined) return [];
  return [
    media.schema === undefined ? null : schemaView(api, media.schema),
    media.example === undefined ? null : block(JSON.stringify(media.example, null, 2), words.example),
  ];
}

function answersView(api: OpenApi, { operation }: Call): readonly Child[] {
  const good = Object.entries(operation.responses).filter(([status]) => /^[23]/.test(status));
  return good.flatMap(([status, given]) => {
    const answer = resolve(api, given);
    return [
      element('h4', {}, [words.answer(status)]),
      element('p', { lang: 'en' }, inline(answer.description ?? '')),
      ...headersView(api, answer),
      ...Object.entries(answer.content ?? {}).flatMap(([type, media]) => [
        element('p', {}, [`${words.as} `, code(type)]),
        ...mediaView(api, media),
      ]),
    ];
  });
}

/** Header fields that every answer has. */
const EVERYWHERE = new Set(['X-Request-Id', 'Cache-Control']);

function headersView(api: OpenApi, { headers = {} }: Answer): readonly Child[] {
  const own = Object.entries(headers).filter(([name]) => !EVERYWHERE.has(name));
  if (own.length === 0) return [];
  const items = own.map(([name, header]) =>
    element('li', {}, [code(name), element('p', { lang: 'en' }, inline(resolve(api, header).description ?? ''))]),
  );
  return [element('ul', { class: 'fields' }, items)];
}

function problemsView(codes: readonly string[]): readonly Child[] {
  if (codes.length === 0) return [];
  const links = codes.map((name) => element('li', {}, [element('a', { href: `#${problemAnchor(name)}` }, [name])]));
  return [element('h4', {}, [docsWords.failures]), element('ul', { class: 'codes' }, links)];
}

/** The anchor of a problem on this page; `/problems/not-found` leads there. */
export function problemAnchor(name: string): string {
  return `problems-${name.toLowerCase().replaceAll('_', '-')}`;
}
