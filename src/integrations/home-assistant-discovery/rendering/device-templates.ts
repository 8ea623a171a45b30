import type { Log } from '#base/log.ts';
import { createTemplates, type Elsewhere, type Templates } from './templates.ts';

/** The templates of all devices, and the thread for as long as one of them needs it. */
export type DeviceTemplates = ReturnType<typeof createDeviceTemplates>;

export type DeviceTemplatesDeps = {
  readonly elsewhere: Elsewhere;
  readonly nowMs: () => number;
  readonly log: Log;
  /** The device has something that is not understood, which its description does not say yet. */
  readonly onStrange: (externalId: string) => void;
};

export function createDeviceTemplates({ elsewhere, nowMs, log, onStrange }: DeviceTemplatesDeps) {
  /** By what was announced, so that another message is tried anew. */
  const strange = new WeakMap<object, string>();
  const users = new Set<string>();
  return {
    of: (externalId: string): Templates =>
      createTemplates({
        elsewhere,
        nowMs,
        onStrange: (owner, reason) => {
          if (strange.has(owner)) return;
          strange.set(owner, reason);
          log.warn('a template is not understood', { device: externalId.slice(0, 200), reason });
          onStrange(externalId);
        },
      }),
    /** Why what was announced so is not understood, where its templates have shown it. */
    strangenessOf: (owner: object): string | undefined => strange.get(owner),
    /** The templates that the device has from now on; `null` for one that is gone. */
    keep: (externalId: string, templates: Templates | null): void => {
      if (templates?.areElsewhere() === true) users.add(externalId);
      else if (users.delete(externalId) && users.size === 0) elsewhere.rest();
    },
  };
}
