import { render } from 'preact';
import { App } from './app.tsx';
import { HubProvider, startHub } from './hub.ts';

const root = document.getElementById('page');
if (root !== null) {
  render(
    <HubProvider value={startHub(window)}>
      <App />
    </HubProvider>,
    root,
  );
}
