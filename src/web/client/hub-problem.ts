import type { FieldError, HubText, Problem } from './api.ts';

/** A refusal by the hub (RFC 9457). */
export class HubProblem extends Error {
  readonly status: number;
  /** From the hub's published list; `UNKNOWN` if the answer is not from the hub. */
  readonly code: string;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterS: number | null;
  readonly errors: readonly FieldError[];
  /** The limit that the text names. */
  readonly reason: Problem['reason'];
  /** Absent if the answer is not from the hub. */
  readonly text: HubText | undefined;
  /** The page has these words for it, where the code says too little. */
  readonly words: string | undefined;

  constructor(status: number, body: Partial<Problem> & { readonly words?: string }, retryAfterS: number | null) {
    super(`the hub answered ${status} ${body.code ?? ''}`);
    this.name = 'HubProblem';
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.retryAfterS = retryAfterS;
    this.errors = body.errors ?? [];
    this.reason = body.reason;
    this.text = body.detail ?? body.title;
    this.words = body.words;
  }
}

export async function problemFrom(answer: Response): Promise<HubProblem> {
  const text = await answer.text();
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const body = isProblem ? (JSON.parse(text) as Partial<Problem>) : {};
  return new HubProblem(answer.status, body, Number.isFinite(seconds) ? seconds : null);
}
