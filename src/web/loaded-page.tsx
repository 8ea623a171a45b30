import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { within } from '#web/client/within.ts';
import { t } from '#web/strings/strings.ts';
import type { PageProps } from './router.ts';

const LOAD_MS = 8_000;
const LOOK_MS = 4_000;

type Props = PageProps & { readonly load: () => Promise<ComponentType<PageProps>> };
type State = { readonly page: ComponentType<PageProps> } | 'loading' | 'failed';

/** A page whose code is fetched when it is first shown. */
export function LoadedPage({ load, params }: Props) {
  const [state, setState] = useState<State>('loading');
  useEffect(() => {
    if (state !== 'loading') return;
    within(LOAD_MS, load).then(
      (page) => setState({ page }),
      () => void isOutdated().then((isOld) => (isOld ? location.reload() : setState('failed'))),
    );
  }, [load, state]);
  if (state === 'loading') return null;
  if (state !== 'failed') return <state.page params={params} />;
  return (
    <div class="page blank" role="alert">
      <p>{t.problem.network}</p>
      <button type="button" class="button" onClick={() => setState('loading')}>
        {t.retry}
      </button>
    </div>
  );
}

/** The hub was updated and has other parts than this page knows of: the page of today has them. */
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
