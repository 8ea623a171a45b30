import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { costRatio } from '#test/support/attack/work-count.ts';
import {
  type DigestChallenge,
  digestAuthorization,
  digestResponse,
  readDigestChallenge,
} from '#base/network/digest.ts';
import { expectBelow } from '#test/support/machine/bounds.ts';
import { searchOf } from '#test/support/machine/runs.ts';

/** RFC 7616 §3.9.1. */
const RFC_HEADER =
  'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=SHA-256, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", ' +
  'Digest realm="http-auth@example.org", qop="auth, auth-int", algorithm=MD5, nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"';
const MUFASA = { user: 'Mufasa', password: 'Circle of Life' };
const CALL = {
  method: 'GET',
  uri: '/dir/index.html',
  nc: '00000001',
  cnonce: 'f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ',
};

function read(header: string): DigestChallenge {
  const challenge = readDigestChallenge(header);
  if (challenge === undefined) throw new Error('no challenge was read');
  return challenge;
}

describe('the examples of RFC 7616', () => {
  test('the stronger challenge is answered', () => {
    const challenge = read(RFC_HEADER);
    expect(challenge.algorithm).toBe('SHA-256');
    expect(digestResponse(challenge, MUFASA, CALL)).toBe(
      '753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1',
    );
    expect(digestAuthorization(challenge, MUFASA, CALL)).toBe(
      'Digest username="Mufasa", realm="http-auth@example.org", nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", uri="/dir/index.html", algorithm=SHA-256, response="753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1", qop=auth, nc=00000001, cnonce="f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ", opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS"',
    );
  });

  test('MD5 is answered where there is nothing else', () => {
    const challenge = read(RFC_HEADER.slice(RFC_HEADER.lastIndexOf('Digest')));
    expect(digestResponse(challenge, MUFASA, CALL)).toBe('8ca523f5e9506fed4657c9700eebdbec');
  });

  test('the name of the user is hashed where the peer wants that', () => {
    const challenge = read(
      'Digest realm="api@example.org", qop="auth", algorithm=SHA-512-256, nonce="n", charset=UTF-8, userhash=true',
    );
    const hash = createHash('sha512-256').update('Jäsøn Doe:api@example.org').digest('hex');
    const sent = digestAuthorization(challenge, { user: 'Jäsøn Doe', password: 'Secret, or not?' }, CALL);
    expect(sent).toContain(`username="${hash}"`);
    expect(sent).toContain('userhash=true');
  });
});

test('the example of RFC 2069, which knows no counter, has the value of its erratum', () => {
  const challenge = read(
    'Digest realm="testrealm@host.com", nonce="dcd98b7102dd2f0e8b11d0f600bfb0c093", opaque="5ccc069c403ebaf9f0171e9517f40e41"',
  );
  const sent = digestAuthorization(challenge, { user: 'Mufasa', password: 'CircleOfLife' }, CALL);
  expect(sent).toContain('response="1949323746fe6a43ef61f9606e7febea"');
  expect(sent).not.toMatch(/qop|nc=|cnonce/);
});

describe('a challenge', () => {
  test.each([
    ['of another scheme', 'Basic realm="a"'],
    ['without a nonce', 'Digest realm="a", qop="auth"'],
    ['that wants the body hashed', 'Digest nonce="a", qop="auth-int"'],
    ['of an unknown algorithm', 'Digest nonce="a", algorithm=SHA-1'],
    ['of the algorithm __proto__', 'Digest nonce="a", algorithm=__proto__'],
    ['that is empty', ''],
  ])('%s is not answered', (_what, header) => {
    expect(readDigestChallenge(header)).toBeUndefined();
  });

  test('is found among others, with quotes, spaces and lists as servers write them', () => {
    expect(
      read(
        'Negotiate YII==, NTLM,Basic realm="a, Digest b=\\"c\\"" ,  dIGEST Realm = "x \\"y\\", z",nonce="1" ,STALE=True, QOP=auth,Nonce="2", algorithm=md5-SESS, foo',
      ),
    ).toEqual({
      realm: 'x "y", z',
      nonce: '1',
      algorithm: 'md5-SESS',
      opaque: null,
      hasQop: true,
      isStale: true,
      hashesUser: false,
    });
  });

  test('with a realm in UTF-8 is answered with the same bytes', () => {
    const challenge = read(Buffer.from('Digest realm="Küche", nonce="1"').toString('latin1'));
    expect(challenge.realm).toBe('Küche');
    const sent = digestAuthorization(challenge, { user: 'é', password: 'p' }, CALL);
    expect(Buffer.from(sent, 'latin1').toString('utf8')).toContain('realm="Küche"');
    expect(sent).toContain("username*=UTF-8''%C3%A9");
  });

  test('of a session makes its key from both nonces', () => {
    const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
    const challenge = read('Digest realm="r", nonce="n", qop="auth", algorithm=MD5-sess');
    const call = { method: 'GET', uri: '/', nc: '00000002', cnonce: 'c' };
    const key = md5(`${md5('u:r:p')}:n:c`);
    expect(digestResponse(challenge, { user: 'u', password: 'p' }, call)).toBe(
      md5(`${key}:n:00000002:c:auth:${md5('GET:/')}`),
    );
  });
});

const header = fc
  .array(
    fc.oneof(
      fc.constantFrom('Digest ', 'nonce=', 'realm', '=', '"', '\\', ', ', ' ', 'qop="auth"', 'algorithm=MD5'),
      fc.string(),
    ),
    { maxLength: 30 },
  )
  .map((parts) => Buffer.from(parts.join('')).toString('latin1'));

test('X: no header makes the reader fail, and what it reads comes back as it was', () => {
  fc.assert(
    fc.property(header, (text) => {
      const challenge = readDigestChallenge(text);
      if (challenge === undefined) return;
      const sent = digestAuthorization(challenge, MUFASA, CALL);
      // Node.js refuses to send a character above 0xff.
      expect(sent).toMatch(/^[^\u0100-\uffff]*$/);
      const again = readDigestChallenge(sent.replace('Digest ', 'Digest x=y, '));
      expect(again?.nonce).toBe(challenge.nonce);
      expect(again?.realm).toBe(challenge.realm);
    }),
    searchOf(20_000),
  );
});

test.each<readonly [string, string, string | undefined]>([
  ['quotes that never end', 'a="', undefined],
  ['words', 'a ', undefined],
  ['spaces', ' ', undefined],
  ['backslashes', 'a="\\', undefined],
  ['challenges', 'Digest nonce="a", ', 'a'],
  ['equal signs', 'a= = ', undefined],
])('X: a header of %s costs as much as its bytes', (_what, piece, nonce) => {
  // Processor time, because no counter sees the steps inside a regular expression.
  const [small, large] = [1_000, 4_000].map((count) => piece.repeat(count));
  const ratio = costRatio(
    () => readDigestChallenge(small ?? ''),
    () => readDigestChallenge(large ?? ''),
  );
  expect(readDigestChallenge(large ?? '')?.nonce).toBe(nonce);
  expectBelow(`four times ${JSON.stringify(piece)}, times as long`, ratio, 9);
});
