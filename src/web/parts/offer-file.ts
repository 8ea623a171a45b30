/** Lets the browser save it under this name. */
export function offerFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser takes the file up after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
