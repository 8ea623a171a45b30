import { type ConnectionReason, faultOf } from '#base/network/connection-failure.ts';
import type { LanHttp } from '#base/network/lan-ports.ts';
import type { Credentials, ExportErrorCode } from '#core/exporter/exporter.ts';
import type { ExportSample } from './export-sample.ts';
import { lineOf, probeLine } from '#core/past/archive/line-protocol.ts';
import { failed, type Sender, type SendResult } from './sender.ts';

type LineSenderDeps = {
  readonly url: string;
  readonly http: Pick<LanHttp, 'request'>;
  /** `undefined` if they are set but cannot be read. */
  readonly readCredentials: () => Promise<Credentials | null | undefined>;
  readonly wallMs: () => number;
};

const TIMEOUT_MS = 30_000;
const MAX_SAMPLES = 5_000;
const MAX_BYTES = 1024 * 1024;
const MAX_ANSWER_BYTES = 64 * 1024;
const MAX_DETAIL = 300;
/** Receivers answer so to lines that they cannot take; `413` to too many of them. Any other failure is their own. */
const REFUSALS = new Set([400, 413, 422]);
const CODES: Readonly<Partial<Record<ConnectionReason, ExportErrorCode>>> = {
  name_not_found: 'name_not_found',
  address_refused: 'address_refused',
  timeout: 'timeout',
};

/** Writes to InfluxDB, VictoriaMetrics and others that take the line protocol over HTTP. */
export function createLineSender({ url, http, readCredentials, wallMs }: LineSenderDeps): Sender {
  const place = new URL(url);
  // All versions know it, and it is finer than the times of samples.
  place.searchParams.set('precision', 'ms');
  const post = async (body: string, signal: AbortSignal): Promise<SendResult> => {
    const credentials = await readCredentials();
    if (credentials === undefined)
      return failed('credentials_missing', 'the credentials cannot be read: set them again');
    const headers = {
      'Content-Type': 'text/plain; charset=utf-8',
      'User-Agent': 'hearthd',
      ...(credentials === null ? {} : { Authorization: authorizationOf(credentials) }),
    };
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES };
    try {
      const answer = await http.request({ method: 'POST', url: place.href, headers, body, signal, ...limits });
      return resultOf(answer.status, Buffer.from(answer.body).toString('utf8'));
    } catch (cause) {
      const fault = faultOf(cause);
      if (fault === undefined) throw cause;
      // The status counts from the head of the answer, even if the rest of it fails.
      if (fault.status !== null) return resultOf(fault.status, '');
      return failed(CODES[fault.reason] ?? 'connection_failed', fault.message);
    }
  };
  return {
    maxSamples: MAX_SAMPLES,
    send: async (samples, signal) => {
      const lines = linesWithin(samples);
      return { count: lines.length, result: await post(lines.join('\n'), signal) };
    },
    probe: (signal) => post(probeLine(wallMs()), signal),
    close: () => undefined,
  };
}

function linesWithin(samples: readonly ExportSample[]): readonly string[] {
  const lines: string[] = [];
  let bytes = 0;
  for (const sample of samples) {
    const line = lineOf(sample);
    bytes += Buffer.byteLength(line) + 1;
    if (lines.length > 0 && bytes > MAX_BYTES) break;
    lines.push(line);
  }
  return lines;
}

function authorizationOf(credentials: Credentials): string {
  if ('token' in credentials) return `Token ${credentials.token}`;
  return `Basic ${Buffer.from(`${credentials.user}:${credentials.password}`).toString('base64')}`;
}

function resultOf(status: number, answer: string): SendResult {
  if (status >= 200 && status < 300) return { type: 'taken' };
  const detail =
    answer
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim()
      .slice(0, MAX_DETAIL) || null;
  const message = `the receiver answered ${status}`;
  if (REFUSALS.has(status)) {
    const reason = { id: 'sample_refused', with: { status } };
    return { type: 'refused', error: { code: 'sample_refused', message, detail, reason } };
  }
  if (status >= 300 && status < 400) {
    return failed('redirect_refused', 'the receiver answered with a redirect, which is not followed');
  }
  return failed('bad_status', message, detail);
}
