import type { StepRight } from '#core/automation/check/step-rights.ts';
import type { AutomationId } from '#core/automation/document/condition.ts';
import type { RequestStep } from '#core/automation/document/step.ts';
import type { Automation } from '#core/automation/registry/automation-record.ts';
import type { NearMiss } from '#core/automation-run/trace/near-miss-ring.ts';
import type { AutomationRun } from '#core/automation-run/trace/trace.ts';
import type { CauseCaller } from '#core/cause/cause.ts';
import type { Command } from '#core/command/command.ts';
import type { Issuer } from '#core/cause/issuer.ts';
import type { Device } from '#core/device/device.ts';

export type EngineAutomations = {
  readonly all: () => readonly Automation[];
  readonly nameOf: (id: AutomationId) => string;
  /** Whether it may move something sensitive at the end: itself, or by others that its steps run or enable. */
  readonly opens: (id: AutomationId) => boolean;
  /** An older version, of a run that began with it. */
  readonly loadVersion: (
    id: AutomationId,
    version: number,
  ) => Promise<Pick<Automation, 'id' | 'version' | 'definition'> | undefined>;
  /** Whether a URL of this version may lead to the hub's own machine: all who wrote it must be owners now. */
  readonly mayReachHub: (id: AutomationId, version: number, url: string) => Promise<boolean>;
  /** What changes them is an input of its own. */
  readonly suspend: (id: AutomationId, code: string) => Promise<void>;
  readonly setEnabled: (id: AutomationId, isEnabled: boolean) => Promise<void>;
  readonly subscribe: (listener: (change: AutomationChange) => void) => () => void;
};
export type AutomationChange =
  | { readonly kind: 'saved'; readonly automation: Automation }
  | { readonly kind: 'removed'; readonly id: AutomationId };

export type ActingSigner = {
  readonly issuer: Issuer;
  /** In the whole home, or for one device in its present room. */
  readonly may: (right: StepRight, device?: Pick<Device, 'id' | 'roomId'>) => boolean;
};

/** Whether somebody who led to something has a right at this moment, as `ActingSigner.may` asks. */
export type MayCaller = (caller: CauseCaller, right: StepRight, device?: Pick<Device, 'id' | 'roomId'>) => boolean;

/** `undefined`: that person, or the API token that they signed with, is gone. No answer counts for a later moment. */
export type FindSigner = (automation: AutomationId) => ActingSigner | undefined;

export type LanRequest = Pick<RequestStep, 'method' | 'url'> & {
  readonly body: Buffer | null;
  readonly mayReachHub: boolean;
};

export type EngineReports = {
  readonly putRun: (run: AutomationRun) => void;
  readonly putNearMiss: (miss: NearMiss) => void;
  readonly noteCommand: (command: Command, automation: AutomationId) => void;
};
