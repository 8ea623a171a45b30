/** What the hub refused, as it says it itself (RFC 9457). */
export class HubProblem extends Error {
  readonly status: number;
  /** From the hub's published list; `UNKNOWN` where the answer is not the hub's. */
  readonly code: string;
  /** Seconds after which a retry makes sense. */
  readonly retryAfterS: number | null;
  readonly errors: readonly { readonly pointer: string; readonly code: string; readonly message: string }[];

  constructor(status: number, body: ProblemBody, retryAfterS: number | null) {
    super(body.detail ?? body.title ?? `the hub answered ${status}`);
    this.name = 'HubProblem';
    this.status = status;
    this.code = body.code ?? 'UNKNOWN';
    this.retryAfterS = retryAfterS;
    this.errors = body.errors ?? [];
  }
}

type ProblemBody = {
  readonly code?: string;
  readonly title?: string;
  readonly detail?: string;
  readonly errors?: HubProblem['errors'];
};

export async function problemFrom(answer: Response): Promise<HubProblem> {
  const text = await answer.text();
  const isProblem = answer.headers.get('content-type')?.startsWith('application/problem+json') === true;
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  const body = isProblem ? (JSON.parse(text) as ProblemBody) : {};
  return new HubProblem(answer.status, body, Number.isFinite(seconds) ? seconds : null);
}
