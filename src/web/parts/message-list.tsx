import type { ComponentChildren } from 'preact';
import { useHub } from '#web/hub.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { Icon } from './icon.tsx';

/** The region exists before the first message, or screen readers would ignore it. They read what is new, once. */
export function MessageList({ children }: { readonly children?: ComponentChildren }) {
  const { messages } = useHub();
  return (
    <div class="messages" role="status" aria-live="polite" aria-atomic="false">
      {messages.list.value.map(({ id, text, tone, details, action }) => (
        <div key={id} class="message" data-tone={tone}>
          <div class="message-words">
            <p>{text}</p>
            {details.map((line) => (
              <p key={line} class="message-detail">
                {line}
              </p>
            ))}
          </div>
          {action === null ? null : (
            <button
              type="button"
              class="message-action"
              onClick={() => {
                messages.dismiss(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button type="button" aria-label={pageWords.close} onClick={() => messages.dismiss(id)}>
            <Icon name="close" size={18} />
          </button>
        </div>
      ))}
      {children}
    </div>
  );
}
