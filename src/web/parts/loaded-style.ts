/** Resolves when the style sheet is in use: what is drawn after that is never seen without its style. */
export function loadStyle(href: string): Promise<void> {
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
