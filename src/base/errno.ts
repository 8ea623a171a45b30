/** The code of a failed system call (`ENOENT`); `undefined` for every other error, Node's own (`ERR_…`) included. */
export function errnoOf(error: unknown): string | undefined {
  return error instanceof Error && 'syscall' in error ? codeOf(error) : undefined;
}

/** The code that the system, Node or OpenSSL gave this error, where it has one. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
