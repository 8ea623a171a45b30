import {
  compileTemplate,
  type Rendered,
  type Rendering,
  type Variables,
} from '#integrations/home-assistant-discovery/template/template.ts';

/** A template reads a message, whose members are read where it is rendered, and variables besides. */
type Inputs = {
  readonly message?: { readonly payload: string | Buffer; readonly variables: () => Variables };
  readonly more?: Variables | undefined;
};

export type Template = {
  /** Without side effects and without exceptions, but for the one of `Templates.run`. */
  readonly render: (inputs: Inputs) => Rendered;
};

/** The place where the programs of strangers run. */
export type Elsewhere = {
  /** An owner whose rendering exceeds its limits gets no other one. */
  readonly render: (owner: object, rendering: Rendering) => Rendered | Promise<Rendered>;
  /** Ends what runs there; the next rendering starts it again. */
  readonly rest: () => void;
};

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

type TemplatesDeps = {
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
  /** Templates that are rendered elsewhere come in the same order each time that they are run. */
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
      const template = compileTemplate(source);
      if (!template.isPlain) {
        hasOthers = true;
        return { render: (inputs) => renderElsewhere(source, owner, inputs) };
      }
      return {
        // A plain template uses no variables but those that a message has.
        render: ({ message, more = NO_VARIABLES }) =>
          noted(owner, template.render(message?.variables() ?? more, { nowMs, zoneOffset: () => 0 })),
      };
    },
    run: (use) => attempt(use, []),
    areElsewhere: () => hasOthers,
  };
}
