import { render } from 'preact';
import { loadLanguage, wantedLanguage } from '#web/strings/language/load-language.ts';
import { App } from './app.tsx';
import { HubProvider, startHub } from './hub.ts';

const root = document.getElementById('page');
if (root !== null) {
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
