import { render } from 'preact';
import { followLanguage } from '#web/strings/language/chosen-language.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { App } from './app.tsx';
import { HubProvider, startHub } from './hub.ts';

const RELOAD_MS = 10_000;

const root = document.getElementById('page');
// The page comes in one language; another one is another page.
if (root !== null && followLanguage(window, pageWords.locale)) {
  if (location.pathname === '/wall') {
    // Nobody stands before the screen to load it again when the hub restarts in this moment.
    import('#web/wall/wall-app.tsx')
      .then(({ startWall }) => startWall(window, root))
      .catch(() => setTimeout(() => location.reload(), RELOAD_MS));
  } else {
    render(
      <HubProvider value={startHub(window)}>
        <App />
      </HubProvider>,
      root,
    );
  }
}
