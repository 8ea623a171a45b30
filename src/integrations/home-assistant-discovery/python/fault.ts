/**
 * Why a template gives no text. `template` and `python` are the errors of Jinja2 and of Python that Home Assistant has
 * for the same template; `syntax` is a template that Home Assistant refuses as well; `outside` is beyond what this
 * interpreter knows, and `budget` is more work than one template may make.
 */
export type FaultKind = 'template' | 'python' | 'syntax' | 'outside' | 'budget';

export class TemplateFault extends Error {
  override readonly name = 'TemplateFault';
  readonly kind: FaultKind;
  constructor(kind: FaultKind, message: string) {
    super(message);
    this.kind = kind;
  }
}

/** For what Python raises: TypeError, ValueError and their like. */
export function pythonFault(message: string): TemplateFault {
  return new TemplateFault('python', message);
}

export function templateFault(message: string): TemplateFault {
  return new TemplateFault('template', message);
}

export function syntaxFault(message: string): TemplateFault {
  return new TemplateFault('syntax', message);
}

export function outside(what: string): TemplateFault {
  return new TemplateFault('outside', `${what} is not supported`);
}

/** What one rendering may still do. Everything that takes time or memory in proportion to its input takes from it. */
export type Budget = { steps: number; characters: number };

export function spendSteps(budget: Budget, count: number): void {
  budget.steps -= count;
  if (budget.steps < 0) throw new TemplateFault('budget', 'the template takes too many steps');
}

/** Before a text of this length is made. */
export function reserveText(budget: Budget, length: number): void {
  budget.characters -= length;
  if (!(budget.characters >= 0)) throw new TemplateFault('budget', 'the template makes too much text');
}
