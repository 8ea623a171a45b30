import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { digestAuthorization, readDigestChallenge } from '#base/network/digest.ts';
import { GIVEN, serveGuarded } from '#test/support/lan/digest-server.ts';
import { serveHttp } from '#test/support/lan/lan-world.ts';
import { needs } from '#test/support/machine/requires.ts';

const run = promisify(execFile);
const CREDENTIALS = `${GIVEN.user}:${GIVEN.password}`;

describe.skipIf(!needs('curl'))('curl, as a second opinion,', () => {
  test.each([
    ['SHA-256', 'auth'],
    ['MD5', 'auth'],
    ['MD5', ''],
  ])('is let in by the server of these tests (%s, qop "%s")', async (algorithm, qop) => {
    const { served, seen } = await serveGuarded({ algorithm, qop });
    const { stdout } = await run('curl', ['-sS', '--digest', '-u', CREDENTIALS, `${served.url}/a?b=c`]);
    expect([stdout, seen.length]).toEqual(['/a?b=c', 2]);
  });

  test.each([
    'Digest realm="lamp", nonce="n1", algorithm=SHA-256, qop="auth"',
    'Digest realm="a \\"b\\" c", nonce="n\\\\1", opaque="o", algorithm=MD5, qop="auth,auth-int"',
    'Digest realm="lamp", nonce="n1", algorithm=SHA-256-sess, qop="auth"',
    'Digest realm="lamp", nonce="n1", qop="auth", userhash=true, algorithm=SHA-256',
    'Digest realm="lamp", nonce="n1"',
  ])('answers %s as the hub does', async (challenge) => {
    let answered = '';
    const { url } = await serveHttp((request, response) => {
      answered = request.headers.authorization ?? answered;
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
    });
    await run('curl', ['-sS', '--digest', '-u', CREDENTIALS, `${url}/a?b=c`]);
    const read = readDigestChallenge(challenge);
    if (read === undefined) throw new Error('the challenge was not read');
    const fieldsOf = (header: string): Record<string, string> =>
      Object.fromEntries(
        [...header.matchAll(/(\w+)=(?:"((?:[^"\\]|\\.)*)"|([^\s,]+))/g)].map(([, name = '', quoted, bare = '']) => [
          name,
          quoted ?? bare,
        ]),
      );
    const theirs = fieldsOf(answered);
    const call = { method: 'GET', uri: '/a?b=c', nc: theirs['nc'] ?? '', cnonce: theirs['cnonce'] ?? '' };
    const { algorithm = 'MD5', ...ours } = fieldsOf(digestAuthorization(read, GIVEN, call));
    expect({ algorithm, ...ours }).toEqual({ algorithm: 'MD5', ...theirs });
  });
});
