import { expect, test } from 'vitest';
import { HubError } from '#base/hub-error.ts';
import { decodeFailure, encodeFailure } from '#storage/thread/storage-message.ts';

test('the system’s error code is kept between threads: the exit code of a failed start depends on it', () => {
  const cause = Object.assign(new Error('EACCES: permission denied, mkdir'), { code: 'EACCES' });
  const error = new HubError('STORAGE_UNAVAILABLE', 'nothing was saved', { cause, retryAfterS: 5 });
  expect(decodeFailure(structuredClone(encodeFailure(cause)))).toMatchObject({
    message: cause.message,
    code: 'EACCES',
  });
  expect(decodeFailure(structuredClone(encodeFailure(error)))).toMatchObject({
    code: 'STORAGE_UNAVAILABLE',
    options: { retryAfterS: 5, cause: { code: 'EACCES' } },
  });
});
