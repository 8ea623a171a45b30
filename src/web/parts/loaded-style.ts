/** `path` is beside this script, as the build gives it. Resolves when the style sheet is in use: what is drawn after that is never seen without its style. */
export function loadStyle(path: string): Promise<void> {
  const href = new URL(path, import.meta.url).pathname;
  if (document.querySelector(`link[href="${href}"]`) !== null) return Promise.resolve();
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => {
      // A later try asks anew.
      link.remove();
      reject(new TypeError(`the hub did not serve ${href}`));
    });
    document.head.append(link);
  });
}
