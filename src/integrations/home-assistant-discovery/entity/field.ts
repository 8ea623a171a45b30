import type { JsonValue } from '#base/json.ts';
import type { Feature } from '#core/feature/feature.ts';
import type { Surroundings } from '#integrations/home-assistant-discovery/rendering/templates.ts';
import { floatText } from '#integrations/home-assistant-discovery/template/text.ts';
import type { Value } from '#integrations/home-assistant-discovery/template/value.ts';
import { textIn, type Config } from '#integrations/home-assistant-discovery/message/config.ts';
import { listening, publicationTo } from './building.ts';
import { type EntityDeps, isNoState, type Part, refused, UNKNOWN } from './entity.ts';
import { readingOf, writingOf } from './incoming.ts';

/** One setting of an appliance, with a topic of its own for its state, for its commands, or for both. */
export type Field = {
  readonly make: (details: { readonly writable: boolean; readonly readable: boolean }) => Feature;
  readonly state?: readonly [topic: string, template: string];
  readonly command?: readonly [topic: string, template: string];
  /** What a text says: `null` that nobody knows, `undefined` nothing that the hub can show. `None` needs no reader. */
  readonly read: (text: string) => JsonValue | undefined;
  /** What a command sends: for a template, and without one. `undefined` where the value does not fit. */
  readonly write?: (value: JsonValue) => Sent | undefined;
};

type Sent = { readonly value: Value; readonly plain: string };

/** No part where the message names neither topic. Throws TemplateFault. */
export function fieldParts(config: Config, deps: EntityDeps, { make, state, command, read, write }: Field): Part[] {
  const isHeard = state !== undefined && textIn(config, state[0]) !== undefined;
  const isSent = command !== undefined && write !== undefined && textIn(config, command[0]) !== undefined;
  if (!isHeard && !isSent) return [];
  const feature = make({ writable: isSent, readable: isHeard });
  const reading = state === undefined ? undefined : readingOf(config, state[1], deps);
  const listens = isHeard
    ? listening(config, state[0], (message) => {
        const text = reading?.(message) ?? '';
        const value = text === '' ? undefined : read(text);
        if (value !== undefined) return { value };
        return isNoState(text) ? { value: null } : refused(text);
      })
    : new Map<string, never>();
  if (!isSent) return [{ feature, listens }];
  const publication = publicationTo(config, command[0]);
  const render = writingOf(config, command[1], deps);
  const publish: Part['publish'] = (value) => {
    const sent = write(value);
    return sent === undefined ? undefined : publication(render(sent.value, sent.plain));
  };
  return [{ feature, listens, publish }];
}

const textSent = (text: string): Sent => ({ value: text, plain: text });
export const wholeSent = (number: number): Sent => ({ value: BigInt(number), plain: String(number) });
export const floatSent = (number: number): Sent => ({ value: number, plain: floatText(number) });

/** One of a list of texts, read and written as it is; `reset` says that nobody knows which. */
export function choice(options: readonly string[], reset = UNKNOWN): Pick<Field, 'read' | 'write'> {
  return {
    read: (text) => (text === reset ? null : options.includes(text) ? text : undefined),
    write: (value) => (typeof value === 'string' && options.includes(value) ? textSent(value) : undefined),
  };
}

/** Two texts for yes and no. */
export function yesNo([yes, no]: readonly [string, string], heard: readonly [string, string] = [yes, no]) {
  return {
    read: (text: string): boolean | undefined => (text === heard[0] ? true : text === heard[1] ? false : undefined),
    write: (value: JsonValue): Sent | undefined =>
      typeof value === 'boolean' ? textSent(value ? yes : no) : undefined,
  };
}

/** Whether a text begins with what Python's `re.match` would find. A pattern that takes too long says nothing. */
export function patternCheck(pattern: string, { templates, owner }: Surroundings): (text: string) => boolean {
  const template = templates.compile('{{ value is match(pattern) }}', owner);
  return (text) => {
    const rendered = template.render({
      more: new Map([
        ['value', text],
        ['pattern', pattern],
      ]),
    });
    return 'text' in rendered && rendered.text === 'True';
  };
}
