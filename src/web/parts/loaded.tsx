import type { ComponentChildren, ComponentType } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';
import { within } from '#web/client/within.ts';
import { useHub } from '#web/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';

const LOAD_MS = 8_000;
const LOOK_MS = 4_000;

type Props<Part> = {
  /** The same function each time: another one is another part. */
  readonly load: () => Promise<Part>;
  readonly children: (part: Part) => ComponentChildren;
  /** Keeps the place free meanwhile. */
  readonly waiting?: ComponentChildren;
  /** The class of the element that says that it could not be loaded. */
  readonly class?: string;
};
type State<Part> = { readonly part: Part } | 'loading' | 'failed';

/** Shows a part whose code is loaded when it is first shown. */
export function Loaded<Part>({ load, children, waiting = null, class: look = 'panel' }: Props<Part>) {
  const [state, setState] = useState<State<Part>>('loading');
  useEffect(() => {
    if (state !== 'loading') return undefined;
    let isOver = false;
    within(LOAD_MS, load).then(
      (part) => isOver || setState({ part }),
      () => void isOutdated().then((isOld) => (isOld ? location.reload() : isOver || setState('failed'))),
    );
    return () => void (isOver = true);
  }, [load, state]);
  if (state === 'loading') return <>{waiting}</>;
  if (state !== 'failed') return <>{children(state.part)}</>;
  return (
    <div class={look} role="alert">
      <p>{pageWords.problem.network}</p>
      <button type="button" class="button" onClick={() => setState('loading')}>
        {pageWords.retry}
      </button>
    </div>
  );
}

type Sheet = ComponentType<{ readonly onClose: () => void }>;
export type LoadSheet = () => Promise<Sheet>;

/** Loads a dialog when somebody opens it. `load` is the same function each time. */
export function useSheet(load: LoadSheet) {
  const { messages } = useHub();
  const [Shown, setShown] = useState<Sheet | null>(null);
  const open = useCallback((): void => {
    within(LOAD_MS, load).then(
      (sheet) => setShown(() => sheet),
      () => messages.show(pageWords.problem.network, 'danger'),
    );
  }, [load, messages]);
  return { open, sheet: Shown === null ? null : <Shown onClose={() => setShown(null)} /> };
}

/** After an update of the hub the files that this page knows are gone: a reload gets the new ones. */
async function isOutdated(): Promise<boolean> {
  const own = document.querySelector('script[src]')?.getAttribute('src') ?? '';
  try {
    return await within(LOOK_MS, async (signal) => {
      const answer = await fetch('/', { cache: 'no-store', signal });
      return answer.ok && !(await answer.text()).includes(own);
    });
  } catch (cause) {
    if (cause instanceof TypeError) return false;
    throw cause;
  }
}

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
