import { render } from 'preact';
import { loadLanguage, wantedLanguage } from '#web/strings/language/load-language.ts';
import { App } from './app.tsx';
import { HubProvider, startHub } from './hub.ts';

const RELOAD_MS = 10_000;

const root = document.getElementById('page');
if (root !== null && location.pathname === '/wall') {
  const show = async (): Promise<void> => {
    await loadLanguage(window, wantedLanguage(window));
    const { startWall } = await import('#web/wall/wall-app.tsx');
    await startWall(window, root);
  };
  // Nobody stands before the screen to load it again when the hub restarts in this moment.
  show().catch(() => setTimeout(() => location.reload(), RELOAD_MS));
} else if (root !== null) {
  // Beside the words, the home is on its way.
  const hub = startHub(window);
  const draw = (): void =>
    render(
      <HubProvider value={hub}>
        <App />
      </HubProvider>,
      root,
    );
  void loadLanguage(window, wantedLanguage(window)).then(draw);
}
