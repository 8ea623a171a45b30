import { useHub } from '#web/hub.ts';
import { t } from '#web/strings/strings.ts';
import { Icon } from './icon.tsx';

/** The region is there before the first message, or screen readers would not listen to it. */
export function MessageList() {
  const { messages } = useHub();
  return (
    <div class="messages" role="status" aria-live="polite">
      {messages.list.value.map(({ id, text, tone }) => (
        <div key={id} class="message" data-tone={tone}>
          <span>{text}</span>
          <button type="button" aria-label={t.close} onClick={() => messages.dismiss(id)}>
            <Icon name="close" size={18} />
          </button>
        </div>
      ))}
    </div>
  );
}
