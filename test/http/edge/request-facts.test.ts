import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createRequestIds, plainTarget } from '#http/edge/request-facts.ts';

test('every request has a unique id of 16 letters, over many draws', () => {
  const draws: number[] = [];
  const newId = createRequestIds((count) => {
    draws.push(count);
    return randomBytes(count);
  });
  const ids = Array.from({ length: 1_000 }, newId);
  expect(new Set(ids).size).toBe(1_000);
  expect(ids.every((id) => /^[\w-]{16}$/.test(id))).toBe(true);
  expect(draws.length).toBeLessThan(10);
});

test.each([
  ['/api/v1/login/', '/api/v1/login'],
  ['//api/v1/login', '/api/v1/login'],
  ['//api/v1/access_token/?x=//', '/api/v1/access_token?x=//'],
  ['/api/v1/device/?limit=2', '/api/v1/device?limit=2'],
])('%s of the specification is read as %s', (target, plain) => expect(plainTarget(target)).toBe(plain));

test.each([
  '/api/v1/login//',
  '///api/v1/login',
  '/api//v1/login',
  '/API/v1/login/',
  '/api/v1/device/lamp/',
  '//api/v1/device/lamp',
  '/api/v1/room/',
  '//api/v1/room',
  '/api/v1/login/%20',
  '/api/v1/login/;x',
  '//evil.test/api/v1/login',
  '/./api/v1/login',
])('%s stays as it was sent', (target) => expect(plainTarget(target)).toBe(target));
