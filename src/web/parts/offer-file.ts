const RELEASE_MS = 60_000;

/** Lets the browser save it under this name. */
export function offerFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // Safari reads it after the click: it is released once saving has surely begun.
  setTimeout(() => URL.revokeObjectURL(link.href), RELEASE_MS);
}
