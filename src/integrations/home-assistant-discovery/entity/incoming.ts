import { RAW, type Encoding } from '#integrations/home-assistant-discovery/message/encoding.ts';
import { outside, TemplateFault } from '#integrations/home-assistant-discovery/template/fault.ts';
import { bytesFromText } from '#integrations/home-assistant-discovery/template/text.ts';
import type { Value } from '#integrations/home-assistant-discovery/template/value.ts';
import type { Surroundings, Template } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import { variablesFrom } from '#integrations/home-assistant-discovery/template/template.ts';
import { textIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';

/** A message of a device, as an entity reads it. */
export type Incoming = {
  /** `undefined` for bytes that only a template can read. */
  readonly text: string | undefined;
  readonly payload: string | Buffer;
  readonly variables: () => ReadonlyMap<string, Value>;
};

/** A message of a device, read once for all entities that it means. */
export type Message = ReturnType<typeof messageOf>;

export function messageOf(payload: Buffer) {
  const known = new Map<Encoding, Incoming | undefined>();
  return {
    /** `undefined` for bytes that are no text in this encoding. */
    in: (encoding: Encoding): Incoming | undefined => {
      if (!known.has(encoding)) known.set(encoding, incomingOf(payload, encoding));
      return known.get(encoding);
    },
  };
}

function incomingOf(payload: Buffer, encoding: Encoding): Incoming | undefined {
  const text = encoding.decode(payload);
  if (text === undefined && encoding !== RAW) return undefined;
  let variables: ReadonlyMap<string, Value> | undefined;
  return {
    text,
    payload: text ?? payload,
    variables: () => {
      variables ??= variablesFrom(text ?? payload);
      return variables;
    },
  };
}

/** The text that an entity reads from a message; `undefined` where it reads nothing. */
type Reading = (message: Incoming) => string | undefined;

/**
 * Reads through the template of this name. Without one, the text is the message. Where Jinja2 raises an error of its own,
 * Home Assistant takes the message as it came, except for sensors: they keep what they had.
 */
export function readingOf(
  config: Config,
  name: string,
  around: Surroundings & { readonly keepsOnError?: boolean; readonly variables?: ReadonlyMap<string, Value> },
): Reading {
  const source = textIn(config, name);
  if (source === undefined) return ({ text }) => text;
  const template = templateOf(source, around);
  return (message) => {
    const rendered = template.render({ message, more: around.variables });
    if ('text' in rendered) return rendered.text;
    return rendered.fault === 'template' && around.keepsOnError !== true ? message.text : undefined;
  };
}

/**
 * Makes the payload of a command from a value, through the template of this name if there is one. A template that spells
 * bytes as Python does sends these bytes.
 */
export function writingOf(
  config: Config,
  name: string,
  around: Surroundings & { readonly variables?: ReadonlyMap<string, Value> },
): (value: Value, plain: string, more?: ReadonlyMap<string, Value>) => string | Buffer {
  const source = textIn(config, name);
  if (source === undefined) return (_value, plain) => plain;
  const template = templateOf(source, around);
  return (value, _plain, more = NO_VARIABLES) => {
    const rendered = template.render({ more: new Map([...(around.variables ?? []), ['value', value], ...more]) });
    if (!('text' in rendered)) throw new TemplateFault(rendered.fault, rendered.message);
    if (!/^b['"]/.test(rendered.text)) return rendered.text;
    const bytes = bytesFromText(rendered.text);
    if (bytes === undefined) throw outside('such a spelling of bytes');
    return bytes;
  };
}

const NO_VARIABLES: ReadonlyMap<string, Value> = new Map();

/** Throws TemplateFault with the template in its message. */
function templateOf(source: string, { templates, owner }: Surroundings): Template {
  try {
    return templates.compile(source, owner);
  } catch (cause) {
    if (!(cause instanceof TemplateFault)) throw cause;
    throw new TemplateFault(cause.kind, `${cause.message}, in the template ${source.slice(0, 200)}`);
  }
}
