import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Served, serveHttp } from './lan-world.ts';

/** The one user of the server. */
export const GIVEN = { user: 'admin', password: 'pass' };

export type Guard = {
  readonly served: Served;
  /** `nc` of each request, `-` for one without credentials. */
  readonly seen: string[];
  /** Makes all nonces so far too old. */
  readonly age: () => void;
  readonly settings: { algorithm: string; qop: string; saysStale: boolean; delayMs: number };
};

/** A server that counts as RFC 7616 §3.4 has it: a nonce serves once for each `nc`, in rising order. */
export async function serveGuarded(settings: Partial<Guard['settings']> = {}): Promise<Guard> {
  const seen: string[] = [];
  const nonces = new Map<string, number>();
  let issued = 0;
  const guard = {
    seen,
    age: () => nonces.clear(),
    settings: { algorithm: 'SHA-256', qop: 'auth', saysStale: true, delayMs: 0, ...settings },
  };
  const isRight = (request: IncomingMessage, fields: Readonly<Record<string, string>>): boolean => {
    const name = guard.settings.algorithm === 'MD5' ? 'md5' : 'sha256';
    const hash = (text: string): string => createHash(name).update(text).digest('hex');
    const key = hash(`admin:lamp:${GIVEN.password}`);
    const middle = fields['qop'] === undefined ? '' : `${fields['nc']}:${fields['cnonce']}:auth:`;
    return (
      fields['response'] === hash(`${key}:${fields['nonce']}:${middle}${hash(`${request.method}:${request.url}`)}`)
    );
  };
  const served = await serveHttp((request, response) => {
    const { authorization = '' } = request.headers;
    const found = authorization.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,]+))/g);
    const fields = Object.fromEntries([...found].map(([, name, quoted, bare]) => [name, quoted ?? bare ?? '']));
    seen.push(authorization === '' ? '-' : (fields['nc'] ?? 'none'));
    const before = nonces.get(fields['nonce'] ?? '');
    const count = Number.parseInt(fields['nc'] ?? '1', 16);
    const isFresh = before !== undefined && count > before;
    if (isFresh && isRight(request, fields)) {
      nonces.set(fields['nonce'] ?? '', count);
      setTimeout(() => response.end(request.url), guard.settings.delayMs);
      return;
    }
    issued += 1;
    nonces.set(`nonce${issued}`, 0);
    const stale = guard.settings.saysStale && authorization !== '' && !isFresh ? ', stale=true' : '';
    const qop = guard.settings.qop === '' ? '' : `, qop="${guard.settings.qop}"`;
    const challenge = `Digest realm="lamp", nonce="nonce${issued}", algorithm=${guard.settings.algorithm}${qop}${stale}`;
    response.writeHead(401, { 'WWW-Authenticate': challenge }).end('no');
  });
  return { served, ...guard };
}
