import { s } from '#web/strings/settings-strings.ts';

/** The way to a broker for those who have none. */
export function BrokerHelp() {
  const [adapter, broker, bridge, address] = s.integrations.help;
  return (
    <details class="panel help">
      <summary>{s.integrations.helpTitle}</summary>
      <ol class="steps">
        <li>{adapter}</li>
        <li>
          {broker} <code class="code">{s.integrations.helpCommand}</code>
        </li>
        <li>{bridge}</li>
        <li>{address}</li>
      </ol>
    </details>
  );
}
