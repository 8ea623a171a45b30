import { StartError } from '#base/start-error.ts';

/** `sun_path` of unix(7) has 108 bytes with its end; Node cuts a longer path silently. */
const LIMIT = 107;

/** Throws StartError for a path that is too long for a unix socket. */
export function checkSocketPath(path: string): void {
  if (Buffer.byteLength(path) <= LIMIT) return;
  throw new StartError(
    'config',
    `the path of the control socket is longer than ${LIMIT} bytes, choose a shorter runtime_dir: ${path}`,
  );
}
