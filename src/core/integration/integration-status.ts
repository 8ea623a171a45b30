import type { Wording } from '#words/texts.ts';

export const INTEGRATION_STATES = ['connected', 'connecting', 'needs_action', 'error', 'off'] as const;
export type IntegrationState = (typeof INTEGRATION_STATES)[number];

/** Why an integration does not work, for clients of the hub: a code for programs, a sentence for people. */
export type StatusError = { readonly code: string; readonly message: string; readonly reason?: Wording };

export type IntegrationStatus = {
  readonly state: IntegrationState;
  readonly sinceMs: number;
  readonly error: StatusError | null;
};

declare module '#core/event/event.ts' {
  interface HomeEvents {
    'integration.added': {
      readonly integration: string;
      readonly kind: string;
      readonly name: string;
      readonly status: IntegrationStatus;
    };
    /** A change of its status, or of its name or settings, which the event does not have. */
    'integration.changed': { readonly integration: string; readonly status: IntegrationStatus };
    'integration.removed': { readonly integration: string };
  }
}
