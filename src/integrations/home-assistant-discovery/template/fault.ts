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
export const pythonFault = (message: string): TemplateFault => new TemplateFault('python', message);
export const templateFault = (message: string): TemplateFault => new TemplateFault('template', message);
export const syntaxFault = (message: string): TemplateFault => new TemplateFault('syntax', message);
export const outside = (what: string): TemplateFault => new TemplateFault('outside', `${what} is not supported`);

/** The largest template of Zigbee2MQTT takes 1,500 steps. On the event loop are fewer. Texts and lists have a length. */
export const LIMITS = { steps: 20_000, plainSteps: 4_000, length: 262_144 };

/** Renderings of a thread come one after the other, so the steps that are left are those of the one under way. */
let stepsLeft = Number.POSITIVE_INFINITY;

/** Makes something in so many steps, or throws TemplateFault. */
export function withinSteps<T>(steps: number, make: () => T): T {
  stepsLeft = steps;
  try {
    return make();
  } finally {
    stepsLeft = Number.POSITIVE_INFINITY;
  }
}

export function spend(steps = 1): void {
  stepsLeft -= steps;
  if (stepsLeft < 0) throw new TemplateFault('budget', 'the template takes too many steps');
}

/** Before so long a text or list is made: at once, it may be more than the heap of the thread. */
export function reserve(length: number): void {
  if (!(length <= LIMITS.length)) throw new TemplateFault('budget', 'the template makes too much text');
}
