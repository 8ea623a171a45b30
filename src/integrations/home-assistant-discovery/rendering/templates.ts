import { TemplateFault, type FaultKind } from '#integrations/home-assistant-discovery/python/fault.ts';
import { stripped } from '#integrations/home-assistant-discovery/python/number.ts';
import { parseTemplate } from '#integrations/home-assistant-discovery/syntax/statement-parser.ts';
import { refuseCertainNames } from './certain-names.ts';
import { plainRenderer, type Variables } from './plain.ts';

export type Rendered = { readonly text: string } | { readonly fault: FaultKind; readonly message: string };

/** What a template is about: a message, whose members are read where it is rendered, and variables besides. */
export type Inputs = {
  readonly message?: { readonly payload: string | Buffer; readonly variables: () => Variables };
  readonly more?: Variables | undefined;
};

export type Template = {
  /** Without side effects and without exceptions, but for the one of `Templates.run`. */
  readonly render: (inputs: Inputs) => Rendered;
};

/** A rendering as it goes to the thread; its variables are of JSON. */
export type Rendering = {
  readonly source: string;
  readonly payload: string | Uint8Array | null;
  readonly more: Variables;
  readonly nowMs: number;
};

/** The place where the programs of strangers run. */
export type Elsewhere = {
  /** Of an owner with a rendering that exceeds its limits, no other is tried. */
  readonly render: (owner: object, rendering: Rendering) => Rendered | Promise<Rendered>;
  /** Ends what runs there; the next rendering starts it again. */
  readonly rest: () => void;
};

/** The templates of one device. */
export type Templates = {
  /** Throws TemplateFault. */
  readonly compile: (source: string, owner: object) => Template;
  /**
   * Runs what renders templates, again from its start once one of them is rendered elsewhere: so it may change nothing
   * that would make a second time another one.
   */
  readonly run: <T>(use: () => T) => T | Promise<T>;
  /** Whether any of them needs the thread. */
  readonly areElsewhere: () => boolean;
};

/** Where the templates of one entity are rendered. `owner` is what announced it. */
export type Surroundings = { readonly templates: Templates; readonly owner: object };

const NO_VARIABLES: Variables = new Map();

class NotRendered extends Error {
  readonly ask: () => Rendered | Promise<Rendered>;
  constructor(ask: () => Rendered | Promise<Rendered>) {
    super('a template is rendered outside of a run');
    this.ask = ask;
  }
}

export type TemplatesDeps = {
  readonly elsewhere: Elsewhere;
  readonly nowMs: () => number;
  /** A template of this owner is beyond what the hub understands. */
  readonly onStrange: (owner: object, reason: string) => void;
};

export function createTemplates({ elsewhere, nowMs, onStrange }: TemplatesDeps): Templates {
  let answers: readonly Rendered[] = [];
  let used = 0;
  let hasOthers = false;
  const noted = (owner: object, result: Rendered): Rendered => {
    if ('fault' in result && (result.fault === 'outside' || result.fault === 'budget'))
      onStrange(owner, result.message);
    return result;
  };
  /** Those that are rendered elsewhere come in the same order each time that they are run. */
  const renderElsewhere = (source: string, owner: object, { message, more = NO_VARIABLES }: Inputs): Rendered => {
    const answer = answers[used];
    used += 1;
    if (answer !== undefined) return noted(owner, answer);
    const rendering = { source, payload: message?.payload ?? null, more, nowMs: nowMs() };
    throw new NotRendered(() => elsewhere.render(owner, rendering));
  };
  const attempt = <T>(use: () => T, known: readonly Rendered[]): T | Promise<T> => {
    answers = known;
    used = 0;
    try {
      return use();
    } catch (cause) {
      if (!(cause instanceof NotRendered)) throw cause;
      const answer = cause.ask();
      if (!(answer instanceof Promise)) return attempt(use, [...known, answer]);
      return answer.then((rendered) => attempt(use, [...known, rendered]));
    } finally {
      answers = [];
    }
  };
  return {
    compile: (source, owner) => {
      const own = stripped(source);
      // Without a tag it stands for itself.
      if (!/\{[{%#]/.test(own)) return { render: () => ({ text: own }) };
      const statements = parseTemplate(own);
      refuseCertainNames(statements);
      const plain = plainRenderer(statements);
      if (plain === undefined) {
        hasOthers = true;
        return { render: (inputs) => renderElsewhere(own, owner, inputs) };
      }
      return {
        render: ({ message, more = NO_VARIABLES }) =>
          noted(
            owner,
            // Of all variables it uses those that a message has.
            rendered(() => plain(message?.variables() ?? more)),
          ),
      };
    },
    run: (use) => attempt(use, []),
    areElsewhere: () => hasOthers,
  };
}

/** Whatever rendering throws is a fault of the template. */
export function rendered(make: () => string): Rendered {
  try {
    return { text: make() };
  } catch (cause) {
    if (cause instanceof TemplateFault) return { fault: cause.kind, message: cause.message };
    return { fault: 'budget', message: cause instanceof Error ? cause.message : 'it failed' };
  }
}
