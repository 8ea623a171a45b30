// Made from the OpenAPI document by `npm run openapi`. Do not edit.
/* oxlint-disable eslint/max-lines */

/**
 * English of the hub. To the compiler it is a symbol: it fits into no text and no element. A words function of
 * `src/web/strings` makes words of the page's language from it.
 */
export type HubText = symbol;

export type ApiRoot = {
  readonly product: 'hearthd';
  readonly version: string;
  readonly hub_id: string;
  readonly name: string;
  readonly claimed: boolean;
  readonly api: readonly ApiRootApi[];
};

export type ApiRootApi = {
  readonly version: string;
  readonly status: string;
  readonly sunset: string | null;
};

export type ApiToken = {
  readonly id: string;
  readonly name: string;
  readonly kind: ApiTokenKind;
  readonly user: ApiTokenUser;
  readonly scopes: readonly Scope[];
  readonly rooms: readonly string[] | null;
  readonly devices: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly provider: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly last_address: string | null;
};

export type ApiTokenCreate = {
  readonly name: string;
  readonly scopes?: readonly ScopeInput[];
  readonly preset?: ApiTokenCreatePreset;
  readonly rooms?: readonly string[] | null;
  readonly devices?: readonly string[] | null;
  readonly networks?: readonly string[] | null;
  readonly provider?: string | null;
  readonly expires_in?: number | null;
};

export type ApiTokenCreatePreset = 'read_only' | 'control' | 'manage' | 'everything_but_doors';

export type ApiTokenKind = 'script' | 'wall' | 'integration';

export type ApiTokenRevokedData = {
  readonly api_token: ApiTokenRevokedDataApiToken;
  readonly at: string;
};

export type ApiTokenRevokedDataApiToken = {
  readonly id: string;
};

export type ApiTokenRevokedEvent = {
  readonly id: string;
  readonly type: ApiTokenRevokedType;
  readonly data: ApiTokenRevokedData;
};

export type ApiTokenRevokedType = 'api_token.revoked';

export type ApiTokenUser = {
  readonly id: string;
};

export type AuditEntry = {
  readonly id: string;
  readonly type: AuditType;
  readonly at: string;
  readonly first_at: string;
  readonly wall_at: string | null;
  readonly epoch: string;
  readonly count: number;
  readonly peer: string | null;
  readonly user_id: string | null;
  readonly actor_id: string | null;
  readonly session: string | null;
  readonly api_token: string | null;
  readonly detail: HubText | null;
};

export type AuditType = 'hub.claimed' | 'user.added' | 'user.changed' | 'user.ended' | 'user.removed' | 'password.changed' | 'api_token.added' | 'api_token.removed' | 'backup.made' | 'backup.downloaded' | 'backup.restored' | 'exporter.added' | 'exporter.changed' | 'exporter.removed' | 'exporter.replayed' | 'hub.renamed' | 'hub.changed' | 'integration.added' | 'integration.changed' | 'integration.removed' | 'integration.ignored' | 'integration.restored' | 'pairing.opened' | 'automation.added' | 'automation.changed' | 'automation.removed' | 'device.removed' | 'device.marked' | 'recording.changed' | 'history.changed' | 'history.deleted' | 'energy.changed' | 'energy.recalculated' | 'energy.deleted' | 'webhook.added' | 'webhook.changed' | 'webhook.removed' | 'notification.changed' | 'history.imported' | 'notification_channel.added' | 'notification_channel.changed' | 'notification_channel.removed' | 'command.given' | 'automation.called' | 'token.reused' | 'login.succeeded' | 'session.revoked' | 'login.failed' | 'login.throttled' | 'password.refused' | 'wall_code.refused' | 'claim.failed' | 'token.refused' | 'request.refused';

export type AuditTypeInput = 'hub.claimed' | 'user.added' | 'user.changed' | 'user.ended' | 'user.removed' | 'password.changed' | 'api_token.added' | 'api_token.removed' | 'backup.made' | 'backup.downloaded' | 'backup.restored' | 'exporter.added' | 'exporter.changed' | 'exporter.removed' | 'exporter.replayed' | 'hub.renamed' | 'hub.changed' | 'integration.added' | 'integration.changed' | 'integration.removed' | 'integration.ignored' | 'integration.restored' | 'pairing.opened' | 'automation.added' | 'automation.changed' | 'automation.removed' | 'device.removed' | 'device.marked' | 'recording.changed' | 'history.changed' | 'history.deleted' | 'energy.changed' | 'energy.recalculated' | 'energy.deleted' | 'webhook.added' | 'webhook.changed' | 'webhook.removed' | 'notification.changed' | 'history.imported' | 'notification_channel.added' | 'notification_channel.changed' | 'notification_channel.removed' | 'command.given' | 'automation.called' | 'token.reused' | 'login.succeeded' | 'session.revoked' | 'login.failed' | 'login.throttled' | 'password.refused' | 'wall_code.refused' | 'claim.failed' | 'token.refused' | 'request.refused';

export type Automation = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly description: string;
  readonly room: RoomReference | null;
  readonly labels: readonly string[];
  readonly enabled: boolean;
  readonly state: AutomationState;
  readonly state_reason: AutomationStateReason | null;
  readonly acts_as: AutomationSignature;
  readonly version: number;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly last_run: AutomationLastRun | null;
  readonly next_at: string | null;
  readonly next_hidden?: boolean;
  readonly running: number;
  readonly counts: AutomationCounts;
  readonly mode: AutomationMode;
  readonly yield_to_hand_s: number;
  readonly release_on_mode: boolean;
  readonly durable: string;
  readonly on_broken: string;
  readonly limits: string;
  readonly allow_sensitive: readonly AutomationReference[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly triggers: readonly AutomationPart[];
  readonly conditions: readonly AutomationPart[];
  readonly steps: readonly AutomationPart[];
  readonly template: AutomationOrigin | null;
  readonly created_by: UserReference;
  readonly hooks?: readonly AutomationHook[];
  readonly sensitive: boolean;
  readonly devices_used: readonly AutomationReference[];
};

export type AutomationAddedData = {
  readonly automation: AutomationSummary;
  readonly at: string;
};

export type AutomationAddedEvent = {
  readonly id: string;
  readonly type: AutomationAddedType;
  readonly data: AutomationAddedData;
};

export type AutomationAddedType = 'automation.added';

export type AutomationBundle = {
  readonly format: 'hearthd-automations';
  readonly exported_at: string;
  readonly automations: readonly AutomationBundleAutomation[];
  readonly left_out?: readonly AutomationReference[];
};

export type AutomationBundleAutomation = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly description: string;
  readonly room: RoomReference | null;
  readonly labels: readonly string[];
  readonly mode: AutomationMode;
  readonly yield_to_hand_s: number;
  readonly release_on_mode: boolean;
  readonly durable: string;
  readonly on_broken: string;
  readonly limits: string;
  readonly allow_sensitive: readonly Readonly<Record<string, unknown>>[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly triggers: readonly AutomationPart[];
  readonly conditions: readonly AutomationPart[];
  readonly steps: readonly AutomationPart[];
};

export type AutomationChange = {
  readonly pointer: string;
  readonly from?: unknown;
  readonly to?: unknown;
};

export type AutomationChangedData = {
  readonly automation: AutomationSummary;
  readonly at: string;
};

export type AutomationChangedEvent = {
  readonly id: string;
  readonly type: AutomationChangedType;
  readonly data: AutomationChangedData;
};

export type AutomationChangedHands = {
  readonly from: UserReference;
  readonly requests: readonly AutomationChangedHandsRequest[];
  readonly rights: readonly string[];
  readonly sensitive: readonly AutomationReference[];
};

export type AutomationChangedHandsRequest = {
  readonly pointer: string;
  readonly method: string;
  readonly url: string;
};

export type AutomationChangedType = 'automation.changed';

export type AutomationCheck = {
  readonly next: readonly AutomationFiring[];
  readonly warnings: readonly AutomationWarning[];
  readonly rights_lost: readonly AutomationRightLost[];
};

export type AutomationCounts = {
  readonly today: AutomationCountsToday;
};

export type AutomationCountsToday = {
  readonly runs: number;
  readonly not_met: number;
  readonly skipped: number;
  readonly failed: number;
};

export type AutomationCreate = {
  readonly name: string;
  readonly description?: string;
  readonly room?: Reference;
  readonly labels?: readonly string[];
  readonly enabled?: boolean;
  readonly note?: string;
  readonly mode?: RunMode;
  readonly yield_to_hand_s?: number;
  readonly release_on_mode?: boolean;
  readonly durable?: 'auto' | 'always';
  readonly on_broken?: 'stop' | 'run_rest';
  readonly limits?: 'usual' | 'high';
  readonly allow_sensitive?: readonly Reference[];
  readonly variables?: Readonly<Record<string, Operand>>;
  readonly triggers?: readonly Trigger[];
  readonly conditions?: readonly Condition[];
  readonly steps?: readonly Step[];
};

export type AutomationDiff = {
  readonly from: number;
  readonly to: number;
  readonly changes: readonly AutomationChange[];
};

export type AutomationDryRun = {
  readonly state: AutomationState;
  readonly state_reason: AutomationStateReason | null;
  readonly over: boolean;
  readonly trace: AutomationRun;
  readonly commands: readonly AutomationDryRunCommand[];
  readonly others: readonly AutomationDryRunOther[];
};

export type AutomationDryRunCommand = {
  readonly step: string;
  readonly after_ms: number;
  readonly scene: string | null;
  readonly targets: readonly AutomationDryRunCommandTarget[];
  readonly problem: Failure | null;
};

export type AutomationDryRunCommandTarget = {
  readonly device: string;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly do?: string;
  readonly problem: Failure | null;
};

export type AutomationDryRunOther = {
  readonly kind: AutomationDryRunOtherKind;
  readonly step: string;
  readonly after_ms: number;
  readonly problem: Failure | null;
};

export type AutomationDryRunOtherKind = 'notify' | 'request' | 'set_mode' | 'set_variable' | 'note_presence' | 'enable' | 'disable';

export type AutomationFiring = {
  readonly at: string;
  readonly trigger: string;
  readonly dst: ClockChange;
};

export type AutomationHook = {
  readonly trigger: string;
  readonly secret: AutomationHookSecret;
  readonly made_by: UserReference | null;
  readonly made_at: string | null;
};

export type AutomationHookSecret = 'none' | 'valid' | 'lapsed';

export type AutomationImport = {
  readonly format: 'hearthd-automations';
  readonly exported_at?: string;
  readonly left_out?: readonly unknown[];
  readonly automations: readonly AutomationImportAutomation[];
  readonly map?: Readonly<Record<string, string>>;
};

export type AutomationImportAutomation = {
  readonly name: string;
  readonly description?: string;
  readonly labels?: readonly string[];
  readonly mode?: RunMode;
  readonly yield_to_hand_s?: number;
  readonly release_on_mode?: boolean;
  readonly durable?: 'auto' | 'always';
  readonly on_broken?: 'stop' | 'run_rest';
  readonly limits?: 'usual' | 'high';
  readonly allow_sensitive?: readonly Reference[];
  readonly variables?: Readonly<Record<string, Operand>>;
  readonly triggers?: readonly Trigger[];
  readonly conditions?: readonly Condition[];
  readonly steps?: readonly Step[];
  readonly id?: string;
  readonly selector?: string;
  readonly room?: AutomationRoomName | null;
};

export type AutomationImported = {
  readonly automations: readonly AutomationImportedAutomation[];
  readonly matched: readonly AutomationImportedMatched[];
  readonly unresolved: readonly AutomationImportedUnresolved[];
  readonly rights_lost: readonly AutomationRightLost[];
};

export type AutomationImportedAutomation = {
  readonly id: string | null;
  readonly selector: string | null;
  readonly name: string;
  readonly warnings: readonly AutomationWarning[];
};

export type AutomationImportedMatched = {
  readonly kind: ImportedKind;
  readonly id: string;
  readonly selector: string | null;
  readonly name: string | null;
  readonly integration: string | null;
  readonly external_id: string | null;
  readonly target: AutomationImportedMatchedTarget;
  readonly by: AutomationImportedMatchedBy;
};

export type AutomationImportedMatchedBy = 'id' | 'origin' | 'selector' | 'name' | 'map';

export type AutomationImportedMatchedTarget = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
};

export type AutomationImportedUnresolved = {
  readonly pointer: string;
  readonly kind: ImportedKind;
  readonly id: string;
  readonly selector: string | null;
  readonly name: string | null;
  readonly integration: string | null;
  readonly external_id: string | null;
};

export type AutomationLastRun = {
  readonly id: string;
  readonly at: string;
  readonly outcome: RunOutcome;
};

export type AutomationListed = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly description: string;
  readonly room: RoomReference | null;
  readonly labels: readonly string[];
  readonly enabled: boolean;
  readonly state: AutomationState;
  readonly state_reason: AutomationStateReason | null;
  readonly acts_as: AutomationSignature;
  readonly version: number;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly last_run: AutomationLastRun | null;
  readonly next_at: string | null;
  readonly next_hidden?: boolean;
  readonly running: number;
  readonly counts: AutomationCounts;
};

export type AutomationMode = {
  readonly kind: string;
  readonly max: number;
};

export type AutomationNext = {
  readonly next: readonly AutomationFiring[];
  readonly waits_for: AutomationNextWaitsFor;
  readonly hidden?: boolean;
};

export type AutomationNextWaitsFor = 'none' | 'clock' | 'location';

export type AutomationOrigin = {
  readonly id: string;
  readonly version: number;
  readonly inputs: Readonly<Record<string, unknown>>;
};

export type AutomationPart = Readonly<Record<string, unknown>>;

export type AutomationReference = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
};

export type AutomationRemovedData = {
  readonly automation: AutomationReference;
  readonly at: string;
};

export type AutomationRemovedEvent = {
  readonly id: string;
  readonly type: AutomationRemovedType;
  readonly data: AutomationRemovedData;
};

export type AutomationRemovedType = 'automation.removed';

export type AutomationReplace = {
  readonly from: string;
  readonly to: string;
  readonly dry_run?: boolean;
};

export type AutomationReplaced = {
  readonly automations: readonly AutomationReference[];
  readonly scenes: readonly AutomationReference[];
  readonly groups: readonly AutomationReference[];
  readonly keys: AutomationReplacedKeys;
};

export type AutomationReplacedKeys = {
  readonly missing: readonly string[];
  readonly changed: readonly string[];
  readonly added: readonly string[];
};

export type AutomationRevert = {
  readonly version: number;
  readonly note?: string;
};

export type AutomationRightLost = {
  readonly pointer: string;
  readonly right: string;
};

export type AutomationRoomName = {
  readonly id: string;
  readonly selector?: string;
  readonly name?: string;
};

export type AutomationRun = {
  readonly id: string;
  readonly automation: string;
  readonly version: number;
  readonly outcome: RunOutcome;
  readonly reason: Reason | null;
  readonly message: HubText | null;
  readonly trigger: AutomationRunTrigger;
  readonly conditions: readonly ConditionEvidence[];
  readonly steps: readonly AutomationRunStep[];
  readonly steps_left_out: number;
  readonly variables: Readonly<Record<string, unknown>>;
  readonly started_at: string;
  readonly finished_at: string | null;
  readonly cause: Cause | null;
  readonly merged: number;
};

export type AutomationRunData = {
  readonly automation: AutomationReference;
  readonly run: string;
  readonly phase: RunPhase;
  readonly outcome: RunOutcome;
  readonly at: string;
};

export type AutomationRunDullData = {
  readonly automation: AutomationReference;
  readonly run: string;
  readonly phase: RunPhase;
  readonly outcome: RunOutcome;
  readonly at: string;
};

export type AutomationRunDullEvent = {
  readonly id: string;
  readonly type: AutomationRunDullType;
  readonly data: AutomationRunDullData;
};

export type AutomationRunDullType = 'automation.run.dull';

export type AutomationRunEvent = {
  readonly id: string;
  readonly type: AutomationRunType;
  readonly data: AutomationRunData;
};

export type AutomationRunStep = {
  readonly pointer: string;
  readonly at: string;
  readonly ms: number | null;
  readonly outcome: AutomationRunStepOutcome;
  readonly reason: Reason | null;
  readonly message: HubText | null;
  readonly command: AutomationRunStepCommand | null;
  readonly conditions: readonly ConditionEvidence[];
  readonly values: readonly OperandSeen[];
};

export type AutomationRunStepCommand = {
  readonly id: string | null;
  readonly status: AutomationRunStepCommandStatus;
  readonly evidence: Evidence;
  readonly results: Readonly<Record<string, string>>;
  readonly hidden?: boolean;
};

export type AutomationRunStepCommandStatus = 'queued' | 'sent' | 'confirmed' | 'unconfirmed' | 'superseded' | 'expired' | 'failed' | 'refused' | 'skipped' | 'running';

export type AutomationRunStepOutcome = 'running' | 'done' | 'skipped' | 'failed' | 'timed_out' | 'stopped';

export type AutomationRunTrigger = {
  readonly id: string;
  readonly type: string;
  readonly device: string | null;
  readonly key: string | null;
  readonly from: unknown;
  readonly value: unknown;
  readonly quality: Quality;
  readonly action: string | null;
  readonly at: string;
  readonly late_s: number;
  readonly cause: Cause | null;
  readonly body: unknown;
  readonly by?: UserReference;
  readonly skips_conditions?: boolean;
  readonly hidden?: boolean;
};

export type AutomationRunType = 'automation.run';

export type AutomationRuns = {
  readonly runs: readonly AutomationRun[];
  readonly next: string | null;
};

export type AutomationSaved = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly description: string;
  readonly room: RoomReference | null;
  readonly labels: readonly string[];
  readonly enabled: boolean;
  readonly state: AutomationState;
  readonly state_reason: AutomationStateReason | null;
  readonly acts_as: AutomationSignature;
  readonly version: number;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly last_run: AutomationLastRun | null;
  readonly next_at: string | null;
  readonly next_hidden?: boolean;
  readonly running: number;
  readonly counts: AutomationCounts;
  readonly mode: AutomationMode;
  readonly yield_to_hand_s: number;
  readonly release_on_mode: boolean;
  readonly durable: string;
  readonly on_broken: string;
  readonly limits: string;
  readonly allow_sensitive: readonly AutomationReference[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly triggers: readonly AutomationPart[];
  readonly conditions: readonly AutomationPart[];
  readonly steps: readonly AutomationPart[];
  readonly template: AutomationOrigin | null;
  readonly created_by: UserReference;
  readonly hooks?: readonly AutomationHook[];
  readonly sensitive: boolean;
  readonly devices_used: readonly AutomationReference[];
  readonly warnings: readonly AutomationWarning[];
  readonly changed_hands?: AutomationChangedHands;
};

export type AutomationSignature = {
  readonly user: UserReference;
  readonly via: AutomationSignedVia;
  readonly signed_at: string;
};

export type AutomationSigned = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly description: string;
  readonly room: RoomReference | null;
  readonly labels: readonly string[];
  readonly enabled: boolean;
  readonly state: AutomationState;
  readonly state_reason: AutomationStateReason | null;
  readonly acts_as: AutomationSignature;
  readonly version: number;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
  readonly last_run: AutomationLastRun | null;
  readonly next_at: string | null;
  readonly next_hidden?: boolean;
  readonly running: number;
  readonly counts: AutomationCounts;
  readonly mode: AutomationMode;
  readonly yield_to_hand_s: number;
  readonly release_on_mode: boolean;
  readonly durable: string;
  readonly on_broken: string;
  readonly limits: string;
  readonly allow_sensitive: readonly AutomationReference[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly triggers: readonly AutomationPart[];
  readonly conditions: readonly AutomationPart[];
  readonly steps: readonly AutomationPart[];
  readonly template: AutomationOrigin | null;
  readonly created_by: UserReference;
  readonly hooks?: readonly AutomationHook[];
  readonly sensitive: boolean;
  readonly devices_used: readonly AutomationReference[];
  readonly changed_hands?: AutomationChangedHands;
};

export type AutomationSignedVia = {
  readonly type: 'session' | 'api_token';
  readonly id: string;
};

export type AutomationStart = {
  readonly trigger?: string;
  readonly skip_conditions?: boolean;
  readonly dry_run?: boolean;
  readonly given?: Readonly<Record<string, boolean | number | string>>;
};

export type AutomationStarted = {
  readonly run: string;
  readonly dry_run?: AutomationDryRun;
};

export type AutomationState = 'ready' | 'disabled' | 'broken' | 'suspended' | 'tripped';

export type AutomationStateInput = 'ready' | 'disabled' | 'broken' | 'suspended' | 'tripped';

export type AutomationStateReason = {
  readonly code: string;
  readonly message: HubText;
  readonly reason: Reason;
  readonly pointers: readonly string[];
};

export type AutomationStep = {
  readonly automation: Reference;
  readonly do: AutomationStepDo;
};

export type AutomationStepDo = 'enable' | 'disable' | 'run' | 'stop';

export type AutomationSummary = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly description: string;
  readonly room: RoomReference | null;
  readonly labels: readonly string[];
  readonly enabled: boolean;
  readonly state: AutomationState;
  readonly state_reason: AutomationStateReason | null;
  readonly acts_as: AutomationSignature;
  readonly version: number;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
};

export type AutomationTargets = {
  readonly devices?: readonly Reference[];
  readonly group?: Reference;
  readonly room?: Reference;
  readonly any_of?: DeviceSelection;
  readonly trigger?: 'device';
};

export type AutomationTemplate = {
  readonly id: string;
  readonly version: number;
  readonly name: HubText;
  readonly description: HubText;
  readonly builtin: boolean;
  readonly inputs: Readonly<Record<string, AutomationTemplateInput>>;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly step_kinds: readonly string[];
  readonly used_by: readonly AutomationTemplateUse[];
};

export type AutomationTemplateFit = {
  readonly device: AutomationReference;
  readonly keys: readonly string[];
};

export type AutomationTemplateImport = {
  readonly id: string;
  readonly version: number;
  readonly name: string;
  readonly description?: string;
  readonly inputs?: Readonly<Record<string, AutomationTemplateInputImport>>;
  readonly definition: Readonly<Record<string, unknown>>;
  readonly builtin?: boolean;
  readonly step_kinds?: readonly unknown[];
  readonly used_by?: readonly unknown[];
};

export type AutomationTemplateInput = {
  readonly label: HubText;
  readonly hint?: HubText;
  readonly kind: TemplateInputKind;
  readonly many?: boolean;
  readonly optional?: boolean;
  readonly default?: unknown;
  readonly unit?: string;
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly string[];
  readonly fits: readonly AutomationTemplateFit[];
};

export type AutomationTemplateInputImport = {
  readonly label: string;
  readonly hint?: string;
  readonly kind: TemplateInputKindInput;
  readonly optional?: boolean;
  readonly default?: unknown;
  readonly capability?: string;
  readonly writable?: boolean;
  readonly type?: DeviceTypeInput;
  readonly light?: boolean;
  readonly many?: boolean;
  readonly capabilities?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly unit?: string;
  readonly options?: readonly string[];
  readonly fits?: readonly unknown[];
};

export type AutomationTemplateInstance = {
  readonly inputs?: Readonly<Record<string, unknown>>;
  readonly name?: string;
  readonly room?: string | null;
  readonly enabled?: boolean;
  readonly automation?: string;
};

export type AutomationTemplateSummary = {
  readonly id: string;
  readonly version: number;
  readonly name: HubText;
  readonly description: HubText;
  readonly builtin: boolean;
};

export type AutomationTemplateTrial = {
  readonly triggers: readonly AutomationPart[];
  readonly conditions: readonly AutomationPart[];
  readonly steps: readonly AutomationPart[];
  readonly differences: readonly AutomationChange[];
  readonly warnings: readonly AutomationWarning[];
};

export type AutomationTemplateUse = {
  readonly automation: AutomationReference;
  readonly version: number;
};

export type AutomationTrigger = {
  readonly id?: string;
  readonly type: 'automation';
  readonly automation: Reference;
  readonly outcome: AutomationTriggerOutcome;
};

export type AutomationTriggerOutcome = 'failed' | 'finished' | 'tripped';

export type AutomationUpdate = {
  readonly name?: string;
  readonly description?: string;
  readonly room?: Reference;
  readonly labels?: readonly string[];
  readonly enabled?: boolean;
  readonly note?: string;
  readonly mode?: RunMode;
  readonly yield_to_hand_s?: number;
  readonly release_on_mode?: boolean;
  readonly durable?: 'auto' | 'always';
  readonly on_broken?: 'stop' | 'run_rest';
  readonly limits?: 'usual' | 'high';
  readonly allow_sensitive?: readonly Reference[];
  readonly variables?: Readonly<Record<string, Operand>>;
  readonly triggers?: readonly Trigger[];
  readonly conditions?: readonly Condition[];
  readonly steps?: readonly Step[];
  readonly id?: unknown;
  readonly selector?: unknown;
  readonly state?: unknown;
  readonly state_reason?: unknown;
  readonly acts_as?: unknown;
  readonly version?: unknown;
  readonly revision?: unknown;
  readonly created_at?: unknown;
  readonly updated_at?: unknown;
  readonly deleted_at?: unknown;
  readonly last_run?: unknown;
  readonly next_at?: unknown;
  readonly next_hidden?: unknown;
  readonly running?: unknown;
  readonly counts?: unknown;
  readonly template?: unknown;
  readonly created_by?: unknown;
  readonly hooks?: unknown;
  readonly sensitive?: unknown;
  readonly devices_used?: unknown;
};

export type AutomationVersion = {
  readonly version: number;
  readonly at: string;
  readonly by: UserReference;
  readonly via: AutomationSignedVia;
  readonly note: string | null;
  readonly reverted_to: number | null;
  readonly pointers: readonly string[];
  readonly definition: AutomationVersionDefinition;
};

export type AutomationVersionDefinition = {
  readonly mode: AutomationMode;
  readonly yield_to_hand_s: number;
  readonly release_on_mode: boolean;
  readonly durable: string;
  readonly on_broken: string;
  readonly limits: string;
  readonly allow_sensitive: readonly AutomationReference[];
  readonly variables: Readonly<Record<string, unknown>>;
  readonly triggers: readonly AutomationPart[];
  readonly conditions: readonly AutomationPart[];
  readonly steps: readonly AutomationPart[];
};

export type AutomationVersionLine = {
  readonly version: number;
  readonly at: string;
  readonly by: UserReference;
  readonly via: AutomationSignedVia;
  readonly note: string | null;
  readonly reverted_to: number | null;
  readonly pointers: readonly string[];
};

export type AutomationWarning = {
  readonly pointer: string;
  readonly code: AutomationWarningCode;
  readonly message: HubText;
  readonly reason: Reason;
};

export type AutomationWarningCode = 'POSSIBLE_LOOP' | 'NEVER_TRUE' | 'NO_OFF' | 'SLEEPY_DEVICE' | 'UNRECORDED';

export type Availability = {
  readonly state: AvailabilityState;
  readonly since: string;
  readonly last_seen_at: string | null;
  readonly reason: string | null;
};

export type AvailabilityChangedData = {
  readonly device: EventDevice;
  readonly availability: Availability;
  readonly at: string;
};

export type AvailabilityChangedEvent = {
  readonly id: string;
  readonly type: AvailabilityChangedType;
  readonly data: AvailabilityChangedData;
};

export type AvailabilityChangedType = 'availability.changed';

export type AvailabilityCondition = {
  readonly device: Reference;
  readonly is: AvailabilityStateInput;
};

export type AvailabilityState = 'online' | 'offline' | 'asleep' | 'unknown';

export type AvailabilityStateInput = 'online' | 'offline' | 'asleep' | 'unknown';

export type AvailabilityTrigger = {
  readonly id?: string;
  readonly type: 'availability';
  readonly device?: Reference;
  readonly group?: Reference;
  readonly any_of?: DeviceSelection;
  readonly integration?: Reference;
  readonly to: 'offline' | 'online';
  readonly for_s?: number;
  readonly grace_s?: number;
};

export type Backup = {
  readonly id: string;
  readonly kind: string;
  readonly created_at: string;
  readonly size: number;
};

export type BackupDetail = {
  readonly id: string;
  readonly kind: string;
  readonly created_at: string;
  readonly size: number;
  readonly content: BackupDetailContent;
};

export type BackupDetailContent = {
  readonly people: number;
  readonly rooms: number;
  readonly devices: number;
  readonly hub_version: string | null;
};

export type BridgeCodes = {
  readonly manual_code: string;
  readonly qr: string;
  readonly remaining_s: number;
};

export type BridgeFabric = {
  readonly id: number;
  readonly label: string;
  readonly vendor: string | null;
};

export type Calendar = {
  readonly key: string;
  readonly name: string;
  readonly dates: readonly string[];
  readonly free: boolean;
  readonly changed_at: string;
  readonly revision: number;
};

export type CalendarName = {
  readonly key: string;
  readonly name: string;
};

export type CalendarUpdate = {
  readonly name?: string;
  readonly dates: readonly string[];
  readonly free?: boolean;
  readonly key?: unknown;
  readonly changed_at?: unknown;
  readonly revision?: unknown;
};

export type Cause = {
  readonly command: string | null;
  readonly scene: string | null;
  readonly automation: string | null;
  readonly run: string | null;
  readonly depth: number;
};

export type CauseLink = {
  readonly type: CauseLinkType;
  readonly at: string | null;
  readonly sentence: HubText;
  readonly reason: Reason;
  readonly device?: string;
  readonly key?: string;
  readonly value?: unknown;
  readonly command?: CauseLinkCommand;
  readonly by?: NamedIssuer;
  readonly automation?: string;
  readonly run?: CauseLinkRun;
  readonly trigger?: CauseLinkTrigger;
  readonly hidden?: boolean;
};

export type CauseLinkCommand = {
  readonly id: string;
  readonly status?: CommandStatus;
};

export type CauseLinkRun = {
  readonly id: string;
  readonly outcome?: RunOutcome;
};

export type CauseLinkTrigger = {
  readonly id: string;
  readonly type: string;
};

export type CauseLinkType = 'change' | 'command' | 'run' | 'trigger';

export type Causes = {
  readonly origin: CausesOrigin;
  readonly sentence: HubText;
  readonly reason: Reason;
  readonly chain: readonly CauseLink[];
};

export type CausesOrigin = 'person' | 'script' | 'start' | 'schedule' | 'hand' | 'report' | 'other' | 'unknown' | 'hidden';

export type ChangedBy = {
  readonly type: ChangedByType;
  readonly id: string | null;
};

export type ChangedByType = 'session' | 'api_token' | 'automation' | 'matter' | 'until';

export type ChangedCondition = {
  readonly device: Reference;
  readonly key: string;
  readonly within_s: number;
  readonly by?: Mover;
};

export type ChannelType = 'page' | 'webhook' | 'ntfy' | 'mqtt';

export type ChooseCase = {
  readonly if: Condition;
  readonly then: readonly Step[];
};

export type ChooseStep = {
  readonly cases: readonly ChooseCase[];
  readonly else?: readonly Step[];
};

export type ClockChange = 'none' | 'gap' | 'overlap';

export type ClockChangedData = {
  readonly clock: HubClock;
  readonly by_s: number;
  readonly at: string;
};

export type ClockChangedEvent = {
  readonly id: string;
  readonly type: ClockChangedType;
  readonly data: ClockChangedData;
};

export type ClockChangedType = 'clock.changed';

export type ClockSource = 'synced' | 'owner' | 'none';

export type Command = {
  readonly id: string;
  readonly device: string | null;
  readonly status: CommandStatus;
  readonly evidence: Evidence;
  readonly results: readonly CommandResult[];
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly cause: Cause;
  readonly created_by: Issuer;
};

export type CommandChangedData = {
  readonly command: Command;
  readonly at: string;
};

export type CommandChangedEvent = {
  readonly id: string;
  readonly type: CommandChangedType;
  readonly data: CommandChangedData;
};

export type CommandChangedType = 'command.changed';

export type CommandPlan = {
  readonly values: readonly PlannedValue[];
  readonly skipped: readonly SkippedTarget[];
};

export type CommandRequest = {
  readonly set?: Readonly<Record<string, unknown>>;
  readonly do?: string;
  readonly transition_ms?: number;
  readonly expires_in?: number;
};

export type CommandResult = {
  readonly device?: string;
  readonly key: string;
  readonly requested: unknown;
  readonly observed: unknown;
  readonly status: CommandStatus;
  readonly reason?: HubText;
  readonly code?: string;
};

export type CommandRetry = {
  readonly times: number;
  readonly after_s: number;
};

export type CommandStatus = 'queued' | 'sent' | 'confirmed' | 'unconfirmed' | 'superseded' | 'expired' | 'failed';

export type CommandStep = {
  readonly targets: AutomationTargets;
  readonly set?: Readonly<Record<string, Operand>>;
  readonly do?: string;
  readonly transition_ms?: number;
  readonly expires_in?: number;
  readonly wait?: StepWait;
  readonly retry?: CommandRetry;
  readonly on_failure?: 'continue' | 'stop';
  readonly skip_if_same?: boolean;
};

export type CommandTargets = {
  readonly devices?: readonly string[];
  readonly room?: string;
};

export type CommandWish = {
  readonly device: string;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly do?: string;
  readonly transition_ms?: number;
};

export type CompareCondition = {
  readonly left: Operand;
  readonly op: CompareConditionOp;
  readonly right: Operand;
};

export type CompareConditionOp = 'eq' | 'ne' | 'lt' | 'le' | 'gt' | 'ge';

export type Condition = {
  readonly if_unknown?: boolean;
  readonly and?: readonly Condition[];
  readonly or?: readonly Condition[];
  readonly not?: Condition;
  readonly feature?: FeatureCondition;
  readonly time?: TimeCondition;
  readonly sun?: SunCondition;
  readonly mode?: Readonly<Record<string, unknown>>;
  readonly presence?: PresenceCondition;
  readonly variable?: VariableCondition;
  readonly availability?: AvailabilityCondition;
  readonly trigger?: TriggerCondition;
  readonly step?: StepCondition;
  readonly scene?: SceneCondition;
  readonly run?: RunCondition;
  readonly compare?: CompareCondition;
  readonly changed?: ChangedCondition;
};

export type ConditionEvidence = {
  readonly pointer: string;
  readonly result: ConditionEvidenceResult;
  readonly operands: readonly OperandSeen[];
};

export type ConditionEvidenceResult = 'true' | 'false' | 'unknown';

export type CreatedApiToken = {
  readonly id: string;
  readonly name: string;
  readonly kind: ApiTokenKind;
  readonly user: CreatedApiTokenUser;
  readonly scopes: readonly Scope[];
  readonly rooms: readonly string[] | null;
  readonly devices: readonly string[] | null;
  readonly networks: readonly string[] | null;
  readonly provider: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
  readonly last_address: string | null;
  readonly token: string;
};

export type CreatedApiTokenUser = {
  readonly id: string;
};

export type CreatedNotificationChannel = {
  readonly id: string;
  readonly type: ChannelType;
  readonly name: string;
  readonly enabled: boolean;
  readonly min_severity: Severity;
  readonly person: string | null;
  readonly url: string | null;
  readonly topic: string | null;
  readonly has_token: boolean;
  readonly broker: string | null;
  readonly status: ReceiverStatus;
  readonly failing_since: string | null;
  readonly last_attempt: NotificationAttempt | null;
  readonly revision: number;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly secret: string | null;
};

export type CreatedWebhook = {
  readonly id: string;
  readonly name: string | null;
  readonly url: string;
  readonly types: readonly string[] | null;
  readonly device: readonly string[] | null;
  readonly room: readonly string[] | null;
  readonly enabled: boolean;
  readonly status: ReceiverStatus;
  readonly failing_since: string | null;
  readonly cursor: string;
  readonly last_delivery: Delivery | null;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
  readonly secret: string;
};

export type DatabaseRecovery = {
  readonly reason: HubText;
  readonly from: string | null;
};

export type DayOfWeek = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun' | 'workday';

export type DelayStep = {
  readonly s?: Operand;
  readonly until?: string;
  readonly late_max_s?: number;
};

export type Delivery = {
  readonly id: string;
  readonly attempt: number;
  readonly at: string;
  readonly ms: number;
  readonly events: number;
  readonly status: number | null;
  readonly error: DeliveryError | null;
};

export type DeliveryBody = {
  readonly events: readonly Event[];
  readonly cursor: string;
};

export type DeliveryError = {
  readonly code: string;
  readonly message: HubText;
  readonly reason: Reason;
};

export type Device = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly type: DeviceType;
  readonly room: RoomReference | null;
  readonly integration: string;
  readonly parent: DeviceParent | null;
  readonly external_id: string;
  readonly manufacturer: string | null;
  readonly model: string | null;
  readonly firmware: string | null;
  readonly availability: Availability;
  readonly features: readonly Feature[];
  readonly actions?: readonly string[];
  readonly sensitive: boolean;
  readonly all_off: boolean;
  readonly all_off_by: 'type' | 'person';
  readonly icon: string | null;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
};

export type DeviceAddedData = {
  readonly device: Device;
  readonly at: string;
};

export type DeviceAddedEvent = {
  readonly id: string;
  readonly type: DeviceAddedType;
  readonly data: DeviceAddedData;
};

export type DeviceAddedType = 'device.added';

export type DeviceChangedData = {
  readonly device: Device;
  readonly at: string;
};

export type DeviceChangedEvent = {
  readonly id: string;
  readonly type: DeviceChangedType;
  readonly data: DeviceChangedData;
};

export type DeviceChangedType = 'device.changed';

export type DeviceField = 'id' | 'selector' | 'name' | 'type' | 'room' | 'integration' | 'parent' | 'external_id' | 'manufacturer' | 'model' | 'firmware' | 'availability' | 'sensitive' | 'all_off' | 'all_off_by' | 'icon' | 'features' | 'actions' | 'revision' | 'created_at' | 'updated_at';

export type DeviceParent = {
  readonly id: string;
};

export type DeviceReference = {
  readonly id: string;
  readonly selector: string;
};

export type DeviceRemovedData = {
  readonly device: DeviceReference;
  readonly at: string;
};

export type DeviceRemovedEvent = {
  readonly id: string;
  readonly type: DeviceRemovedType;
  readonly data: DeviceRemovedData;
};

export type DeviceRemovedType = 'device.removed';

export type DeviceSelection = {
  readonly room?: Reference;
  readonly capability?: string;
  readonly type?: DeviceTypeInput;
  readonly except?: readonly Reference[];
};

export type DeviceType = 'on_off_light' | 'dimmable_light' | 'color_temperature_light' | 'extended_color_light' | 'on_off_plug_in_unit' | 'window_covering' | 'door_lock' | 'thermostat' | 'fan' | 'contact_sensor' | 'occupancy_sensor' | 'temperature_sensor' | 'humidity_sensor' | 'light_sensor' | 'water_leak_detector' | 'smoke_co_alarm' | 'air_quality_sensor' | 'generic_switch' | 'water_valve' | 'electrical_sensor' | 'siren' | 'other';

export type DeviceTypeInput = 'on_off_light' | 'dimmable_light' | 'color_temperature_light' | 'extended_color_light' | 'on_off_plug_in_unit' | 'window_covering' | 'door_lock' | 'thermostat' | 'fan' | 'contact_sensor' | 'occupancy_sensor' | 'temperature_sensor' | 'humidity_sensor' | 'light_sensor' | 'water_leak_detector' | 'smoke_co_alarm' | 'air_quality_sensor' | 'generic_switch' | 'water_valve' | 'electrical_sensor' | 'siren' | 'other';

export type DeviceUpdate = {
  readonly name?: string | null;
  readonly room?: string | null;
  readonly sensitive?: boolean;
  readonly all_off?: boolean | null;
  readonly icon?: string | null;
};

export type DeviceValues = {
  readonly selector: string;
  readonly name: string;
  readonly room: string | null;
  readonly type: DeviceType;
  readonly availability: AvailabilityState;
  readonly sensitive: boolean;
  readonly values: Readonly<Record<string, unknown>>;
};

export type EnergyAmount = {
  readonly amount: number;
  readonly in_gap: number;
  readonly known: number;
  readonly estimated: boolean;
  readonly unpriced?: number;
};

export type EnergyAnswer = {
  readonly period: EnergyPeriod;
  readonly date: string;
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  readonly resolution: EnergyAnswerResolution;
  readonly settled_until: string | null;
  readonly flows: readonly EnergyAnswerFlow[];
  readonly consumers: readonly EnergyAnswerConsumer[];
  readonly buckets: readonly EnergyBucket[];
  readonly total: EnergyBalance;
};

export type EnergyAnswerConsumer = {
  readonly series: string;
  readonly name: string | null;
  readonly within: string | null;
};

export type EnergyAnswerFlow = 'import' | 'export' | 'solar' | 'charge' | 'discharge' | 'gas' | 'water';

export type EnergyAnswerResolution = '1h' | '1d' | '1mo';

export type EnergyBalance = {
  readonly import: EnergyAmount | null;
  readonly export: EnergyAmount | null;
  readonly solar: EnergyAmount | null;
  readonly charge: EnergyAmount | null;
  readonly discharge: EnergyAmount | null;
  readonly gas: EnergyAmount | null;
  readonly water: EnergyAmount | null;
  readonly home: number | null;
  readonly untracked: number | null;
  readonly mismatch: number | null;
  readonly self_use: number | null;
  readonly autarky: number | null;
  readonly consumers: readonly (EnergyAmount | null)[];
  readonly cost: readonly EnergyCost[];
  readonly known: number;
};

export type EnergyBucket = {
  readonly at: string;
  readonly to: string;
  readonly import: EnergyAmount | null;
  readonly export: EnergyAmount | null;
  readonly solar: EnergyAmount | null;
  readonly charge: EnergyAmount | null;
  readonly discharge: EnergyAmount | null;
  readonly gas: EnergyAmount | null;
  readonly water: EnergyAmount | null;
  readonly home: number | null;
  readonly untracked: number | null;
  readonly mismatch: number | null;
  readonly self_use: number | null;
  readonly autarky: number | null;
  readonly consumers: readonly (EnergyAmount | null)[];
  readonly cost: readonly EnergyCost[];
  readonly known: number;
};

export type EnergyChangedData = {
  readonly energy: EnergyPowers;
  readonly at: string;
};

export type EnergyChangedEvent = {
  readonly id: string;
  readonly type: EnergyChangedType;
  readonly data: EnergyChangedData;
};

export type EnergyChangedType = 'energy.changed';

export type EnergyCost = {
  readonly currency: string;
  readonly import: number;
  readonly export: number;
  readonly gas: number;
  readonly water: number;
  readonly total: number;
  readonly in_gap: number;
};

export type EnergyDeletion = {
  readonly hours: number;
  readonly from: string | null;
  readonly to: string;
  readonly dry_run: boolean;
};

export type EnergyPeriod = 'day' | 'month' | 'year';

export type EnergyPeriodInput = 'day' | 'month' | 'year';

export type EnergyPowers = {
  readonly grid_power: number | null;
  readonly solar_power: number | null;
  readonly battery_power: number | null;
  readonly home_power: number | null;
};

export type EnergyPrices = {
  readonly tariff: string;
  readonly slots: readonly EnergyPricesSlot[];
};

export type EnergyPricesSlot = {
  readonly from: string;
  readonly to: string;
  readonly price: number;
};

export type EnergyRange = {
  readonly from: string;
  readonly to: string;
};

export type EnergyRecalculated = {
  readonly hours: number;
};

export type EnergySettings = {
  readonly grid: EnergySettingsGrid;
  readonly solar: readonly string[];
  readonly battery: readonly EnergySettingsBattery[];
  readonly gas: readonly string[];
  readonly water: readonly string[];
  readonly consumers: readonly EnergySettingsConsumer[];
  readonly tariffs: readonly EnergyTariff[];
  readonly revision: number;
};

export type EnergySettingsBattery = {
  readonly charge: string | null;
  readonly discharge: string | null;
  readonly power: EnergySettingsBatteryPower | null;
  readonly level: string | null;
};

export type EnergySettingsBatteryPower = {
  readonly series: string;
  readonly positive: 'charge' | 'discharge';
};

export type EnergySettingsConsumer = {
  readonly series: string;
  readonly name: string | null;
  readonly within: string | null;
};

export type EnergySettingsGrid = {
  readonly import: readonly string[];
  readonly export: readonly string[];
  readonly power: EnergySettingsGridPower | null;
};

export type EnergySettingsGridPower = {
  readonly series: string;
  readonly positive: 'import' | 'export';
};

export type EnergySettingsUpdate = {
  readonly grid?: EnergySettingsUpdateGrid;
  readonly solar?: readonly string[];
  readonly battery?: readonly EnergySettingsUpdateBattery[];
  readonly gas?: readonly string[];
  readonly water?: readonly string[];
  readonly consumers?: readonly EnergySettingsUpdateConsumer[];
  readonly tariffs?: readonly EnergySettingsUpdateTariff[];
  readonly revision?: unknown;
};

export type EnergySettingsUpdateBattery = {
  readonly charge?: string | null;
  readonly discharge?: string | null;
  readonly power?: EnergySettingsUpdateBatteryPower | null;
  readonly level?: string | null;
};

export type EnergySettingsUpdateBatteryPower = {
  readonly series: string;
  readonly positive: 'charge' | 'discharge';
};

export type EnergySettingsUpdateConsumer = {
  readonly series: string;
  readonly name?: string | null;
  readonly within?: string | null;
};

export type EnergySettingsUpdateGrid = {
  readonly import?: readonly string[];
  readonly export?: readonly string[];
  readonly power?: EnergySettingsUpdateGridPower | null;
};

export type EnergySettingsUpdateGridPower = {
  readonly series: string;
  readonly positive: 'import' | 'export';
};

export type EnergySettingsUpdateTariff = {
  readonly id: string;
  readonly for: PricedFlowInput;
  readonly currency: string;
  readonly valid_from: string;
  readonly kind: TariffKindInput;
  readonly prices?: readonly EnergySettingsUpdateTariffPrice[];
};

export type EnergySettingsUpdateTariffPrice = {
  readonly price: number;
  readonly days?: readonly WeekdayInput[] | null;
  readonly from?: string | null;
  readonly to?: string | null;
};

export type EnergyTariff = {
  readonly id: string;
  readonly for: PricedFlow;
  readonly currency: string;
  readonly valid_from: string;
  readonly kind: TariffKind;
  readonly prices: readonly EnergyTariffPrice[];
};

export type EnergyTariffPrice = {
  readonly price: number;
  readonly days?: readonly Weekday[] | null;
  readonly from?: string | null;
  readonly to?: string | null;
};

export type Event = KnownEvent;

export type EventDevice = {
  readonly id: string;
  readonly selector: string;
  readonly name?: string;
  readonly room?: string | null;
};

export type EventPage = {
  readonly events: readonly Event[];
  readonly cursor: string;
};

export type EventType = 'device.added' | 'device.changed' | 'device.removed' | 'room.added' | 'room.changed' | 'room.removed' | 'mode.changed' | 'variable.changed' | 'presence.changed' | 'availability.changed' | 'feature.changed' | 'feature.occurred' | 'energy.changed' | 'scene.added' | 'scene.changed' | 'scene.removed' | 'scene.activated' | 'automation.added' | 'automation.changed' | 'automation.removed' | 'automation.run' | 'automation.run.dull' | 'command.changed' | 'integration.added' | 'integration.changed' | 'integration.removed' | 'integration.found' | 'integration_setup.changed' | 'pairing.changed' | 'notification.added' | 'notification.changed' | 'exporter.changed' | 'exporter.gap' | 'clock.changed' | 'session.revoked' | 'api_token.revoked' | 'hub.heartbeat' | 'hub.gap' | 'hub.snapshot' | 'hub.test';

export type Evidence = 'none' | 'transport_ack' | 'device_ack' | 'state_report';

export type ExportFormat = 'csv' | 'ndjson' | 'line_protocol';

export type ExportLayout = 'samples' | 'table';

export type Exporter = {
  readonly id: string;
  readonly type: 'line_protocol' | 'mqtt';
  readonly name: string | null;
  readonly url: string | null;
  readonly broker: string | null;
  readonly has_credentials: boolean;
  readonly series: ExporterSeries;
  readonly enabled: boolean;
  readonly status: ExporterStatus;
  readonly error: ExporterError | null;
  readonly failing_since: string | null;
  readonly acked_at: string | null;
  readonly behind_s: number | null;
  readonly rate: number;
  readonly set_aside: readonly ExporterSetAside[];
  readonly set_aside_count: number;
  readonly gaps: number;
  readonly lost_samples: number;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
};

export type ExporterChangedData = {
  readonly exporter: ExporterChangedDataExporter;
  readonly at: string;
};

export type ExporterChangedDataExporter = {
  readonly id: string;
  readonly status: ExporterChangedDataExporterStatus;
};

export type ExporterChangedDataExporterStatus = 'ok' | 'waiting' | 'failing' | 'off' | 'removed';

export type ExporterChangedEvent = {
  readonly id: string;
  readonly type: ExporterChangedType;
  readonly data: ExporterChangedData;
};

export type ExporterChangedType = 'exporter.changed';

export type ExporterCreate = {
  readonly type: 'line_protocol' | 'mqtt';
  readonly name?: string | null;
  readonly url?: string | null;
  readonly broker?: string | null;
  readonly credentials?: ExporterCredentials | null;
  readonly series?: SeriesFilter;
  readonly enabled?: boolean;
  readonly from?: string;
};

export type ExporterCredentials = {
  readonly user?: string;
  readonly password?: string;
  readonly token?: string;
};

export type ExporterError = {
  readonly code: string;
  readonly message: HubText;
  readonly detail: HubText | null;
  readonly reason: Reason;
};

export type ExporterGapData = {
  readonly exporter: ExporterGapDataExporter;
  readonly samples: number;
  readonly from: string | null;
  readonly at: string;
};

export type ExporterGapDataExporter = {
  readonly id: string;
};

export type ExporterGapEvent = {
  readonly id: string;
  readonly type: ExporterGapType;
  readonly data: ExporterGapData;
};

export type ExporterGapType = 'exporter.gap';

export type ExporterReplay = {
  readonly from: string;
};

export type ExporterSeries = {
  readonly devices: readonly string[] | null;
  readonly rooms: readonly string[] | null;
  readonly keys: readonly string[] | null;
};

export type ExporterSetAside = {
  readonly series: string;
  readonly at: string;
  readonly value: string | number | boolean | null;
  readonly error: ExporterError;
};

export type ExporterStatus = 'ok' | 'waiting' | 'failing' | 'off';

export type ExporterTest = {
  readonly at: string;
  readonly ms: number;
  readonly error: ExporterError | null;
};

export type ExporterUpdate = {
  readonly name?: string | null;
  readonly url?: string | null;
  readonly broker?: string | null;
  readonly credentials?: ExporterCredentials | null;
  readonly series?: SeriesFilter;
  readonly enabled?: boolean;
};

export type Failure = {
  readonly code: string;
  readonly message: HubText;
  readonly reason: Reason;
};

export type Feature = {
  readonly key: string;
  readonly capability: string;
  readonly component: string;
  readonly kind: FeatureKind;
  readonly category: FeatureCategory;
  readonly name: string;
  readonly description?: string;
  readonly value_type: ValueType;
  readonly readable: boolean;
  readonly writable: boolean;
  readonly unit: string | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly step: number | null;
  readonly options: readonly string[] | null;
  readonly schema?: Readonly<Record<string, unknown>>;
  readonly source?: string;
  readonly measures?: FeatureMeasures;
  readonly value: unknown;
  readonly quality: Quality;
  readonly observed_at: string | null;
  readonly changed_at: string | null;
};

export type FeatureCategory = 'primary' | 'config' | 'diagnostic';

export type FeatureCategoryInput = 'primary' | 'config' | 'diagnostic';

export type FeatureChangedData = {
  readonly device: EventDevice;
  readonly feature: FeatureChangedDataFeature;
  readonly cause: Cause | null;
  readonly at: string;
};

export type FeatureChangedDataFeature = {
  readonly key: string;
  readonly value: unknown;
  readonly quality: Quality;
  readonly observed_at: string | null;
  readonly changed_at: string | null;
};

export type FeatureChangedEvent = {
  readonly id: string;
  readonly type: FeatureChangedType;
  readonly data: FeatureChangedData;
};

export type FeatureChangedType = 'feature.changed';

export type FeatureCondition = {
  readonly device: Reference;
  readonly key: string;
  readonly is?: Operand;
  readonly is_not?: Operand;
  readonly above?: Operand;
  readonly below?: Operand;
  readonly between?: readonly Operand[];
  readonly for_s?: number;
  readonly accept_restored?: boolean;
};

export type FeatureKind = 'state' | 'action' | 'event';

export type FeatureKindInput = 'state' | 'action' | 'event';

export type FeatureMeasures = {
  readonly capability: string;
  readonly unit: string | null;
};

export type FeatureOccurredData = {
  readonly device: EventDevice;
  readonly feature: FeatureOccurredDataFeature;
  readonly occurrence: FeatureOccurredDataOccurrence;
  readonly at: string;
};

export type FeatureOccurredDataFeature = {
  readonly key: string;
};

export type FeatureOccurredDataOccurrence = {
  readonly action: string;
  readonly count?: number;
  readonly raw: string;
};

export type FeatureOccurredEvent = {
  readonly id: string;
  readonly type: FeatureOccurredType;
  readonly data: FeatureOccurredData;
};

export type FeatureOccurredType = 'feature.occurred';

export type FeatureOperation = {
  readonly device: Reference;
  readonly key: string;
};

export type FeatureTrigger = {
  readonly id?: string;
  readonly type: 'feature';
  readonly device?: Reference;
  readonly group?: Reference;
  readonly any_of?: DeviceSelection;
  readonly key?: string;
  readonly to?: unknown;
  readonly from?: unknown;
  readonly for_s?: number;
  readonly grace_s?: number;
  readonly by?: Mover;
  readonly all?: boolean;
  readonly assumed?: boolean;
};

export type FeatureUpdate = {
  readonly capability: string | null;
  readonly unit?: string | null;
};

export type FieldError = {
  readonly pointer: string;
  readonly code: FieldErrorCode;
  readonly message: HubText;
  readonly reason: Reason;
};

export type FieldErrorCode = 'REQUIRED' | 'UNKNOWN' | 'WRONG_TYPE' | 'OUT_OF_RANGE' | 'TOO_SHORT' | 'TOO_LONG' | 'INVALID_FORMAT' | 'INVALID_VALUE' | 'READ_ONLY';

export type Group = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly room: RoomReference | null;
  readonly members: readonly GroupMember[];
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
};

export type GroupCreate = {
  readonly name: string;
  readonly members: readonly string[];
  readonly room?: string | null;
};

export type GroupMember = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly state: 'ok' | 'missing';
};

export type GroupUpdate = {
  readonly name?: string;
  readonly members?: readonly string[];
  readonly room?: string | null;
};

export type Health = {
  readonly status: 'ok' | 'degraded';
  readonly database?: HealthDatabase;
  readonly last_backup?: string | null;
  readonly disk?: HealthDisk;
  readonly history?: HealthHistory;
  readonly clock?: HealthClock;
  readonly addresses?: readonly string[];
  readonly advertised?: HealthAdvertised;
  readonly event_clients?: number;
  readonly put_off?: readonly string[];
  readonly integrations?: readonly HealthIntegration[];
  readonly exporters?: readonly HealthExporter[];
};

export type HealthAdvertised = {
  readonly host: string | null;
  readonly conflict: HealthAdvertisedConflict | null;
};

export type HealthAdvertisedConflict = {
  readonly name: string;
  readonly holder: string;
};

export type HealthClock = {
  readonly now: string;
  readonly hub_time: string;
  readonly synced: boolean;
  readonly source: ClockSource;
  readonly detail: HubText;
};

export type HealthDatabase = {
  readonly status: string;
  readonly read_only: boolean;
  readonly recovered: DatabaseRecovery | null;
  readonly set_aside: readonly HealthDatabaseSetAside[];
  readonly set_aside_kept: HealthDatabaseSetAsideKept;
  readonly backup_failure: string | null;
};

export type HealthDatabaseSetAside = {
  readonly code: 'RECORD_SET_ASIDE';
  readonly noun: string;
  readonly id: string;
  readonly reason: HubText;
  readonly at: string;
};

export type HealthDatabaseSetAsideKept = {
  readonly records: number;
  readonly bytes: number;
  readonly until: string | null;
};

export type HealthDisk = {
  readonly free_bytes: number | null;
  readonly written_today_bytes: number | null;
};

export type HealthExporter = {
  readonly id: string;
  readonly name: string | null;
  readonly status: ExporterStatus;
  readonly behind_s: number | null;
};

export type HealthHistory = {
  readonly bytes: number;
  readonly waiting_samples: number;
  readonly paused_since: string | null;
  readonly open_month: HealthHistoryOpenMonth | null;
  readonly left_out: readonly HealthHistoryLeftOut[];
  readonly unusable: readonly HealthHistoryUnusable[];
};

export type HealthHistoryLeftOut = {
  readonly kind: 'device' | 'integration';
  readonly id: string;
  readonly reason: 'day' | 'month';
  readonly since: string;
};

export type HealthHistoryOpenMonth = {
  readonly bytes: number;
  readonly max_bytes: number;
};

export type HealthHistoryUnusable = {
  readonly file: string;
  readonly reason: HealthHistoryUnusableReason;
};

export type HealthHistoryUnusableReason = 'not_permitted' | 'other_hub' | 'newer_version';

export type HealthIntegration = {
  readonly id: string;
  readonly state: IntegrationState;
  readonly error?: Failure | null;
  readonly devices: number;
};

export type HistoryAnswer = {
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  readonly next: string | null;
  readonly series: readonly HistorySeries[];
};

export type HistoryDeletion = {
  readonly series: number;
  readonly from: string | null;
  readonly to: string;
  readonly dry_run: boolean;
};

export type HistoryFormat = 'json' | 'csv' | 'ndjson';

export type HistoryGap = {
  readonly from: string;
  readonly to: string;
  readonly reason: HistoryGapReason;
  readonly from_uncertain: boolean;
};

export type HistoryGapReason = 'offline' | 'stale' | 'hub_off' | 'clock_unset' | 'paused' | 'lost' | 'not_recorded' | 'deleted' | 'unknown';

export type HistoryImport = {
  readonly dry_run: boolean;
  readonly lines: number;
  readonly added: number;
  readonly known: number;
  readonly skipped: number;
  readonly series: number;
  readonly from: string | null;
  readonly to: string | null;
};

export type HistoryMatch = {
  readonly capability?: string;
  readonly room?: string;
  readonly device?: string;
};

export type HistoryOperation = {
  readonly device: Reference;
  readonly key: string;
  readonly over_s: number;
  readonly ago_s?: number;
  readonly fn: HistoryOperationFn;
};

export type HistoryOperationFn = 'mean' | 'min' | 'max' | 'increase' | 'seconds_true';

export type HistoryResolution = 'raw' | '1m' | '5m' | '15m' | '1h' | '1d' | '1w' | '1mo';

export type HistorySeries = {
  readonly series: string;
  readonly device: DeviceReference | null;
  readonly key: string;
  readonly kind: SeriesKind;
  readonly unit: string | null;
  readonly tier: 'raw' | 'hour';
  readonly samples_from: string | null;
  readonly resolution: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
  readonly before: readonly unknown[] | null;
  readonly gaps: readonly HistoryGap[];
  readonly thinned: boolean;
  readonly summary: HistorySeriesSummary;
};

export type HistorySeriesSummary = {
  readonly min: number | null;
  readonly max: number | null;
  readonly mean: number | null;
  readonly known_s: number;
  readonly changes: number;
};

export type HistorySettings = {
  readonly raw_days: number;
  readonly max_bytes: number | null;
  readonly per: readonly HistorySettingsPer[];
  readonly bytes: number;
  readonly removes: HistorySettingsRemoves;
};

export type HistorySettingsPer = {
  readonly match: HistoryMatch;
  readonly recording: RecordingMode;
  readonly raw_days: number | null;
};

export type HistorySettingsRemoves = {
  readonly months: readonly string[];
  readonly bytes: number;
};

export type HistorySettingsUpdate = {
  readonly raw_days?: number;
  readonly max_bytes?: number | null;
  readonly per?: readonly HistorySettingsUpdatePer[];
  readonly bytes?: unknown;
  readonly removes?: unknown;
};

export type HistorySettingsUpdatePer = {
  readonly match: HistoryMatch;
  readonly recording?: RecordingModeInput;
  readonly raw_days?: number | null;
};

export type HomeView = {
  readonly favorites: readonly string[];
  readonly room_order: readonly string[];
  readonly device_order: readonly string[];
  readonly hidden: readonly string[];
};

export type HomeViewSet = {
  readonly favorites?: readonly unknown[];
  readonly room_order?: readonly unknown[];
  readonly device_order?: readonly unknown[];
  readonly hidden?: readonly unknown[];
};

export type HookBody = Readonly<Record<string, unknown>>;

export type HookCalled = {
  readonly run: string | null;
  readonly reason: string | null;
};

export type HookSecret = {
  readonly secret: string;
};

export type HookTrigger = {
  readonly id?: string;
  readonly type: 'hook';
  readonly accepts?: unknown;
};

export type Hub = {
  readonly id: string;
  readonly name: string;
  readonly time_zone?: string;
  readonly language: string | null;
  readonly clock: HubClock;
};

export type HubClock = {
  readonly now: string;
  readonly source: ClockSource;
};

export type HubClockUpdate = {
  readonly now: string;
};

export type HubGapData = {
  readonly from: string | null;
  readonly to: string;
  readonly reason: HubGapDataReason;
  readonly at: string;
};

export type HubGapDataReason = 'restarted' | 'too_old' | 'unknown_cursor' | 'overrun' | 'paused' | 'view_changed';

export type HubGapEvent = {
  readonly id?: string;
  readonly type: HubGapType;
  readonly data: HubGapData;
};

export type HubGapType = 'hub.gap';

export type HubHeartbeatData = {
  readonly at: string;
};

export type HubHeartbeatEvent = {
  readonly id?: string;
  readonly type: HubHeartbeatType;
  readonly data: HubHeartbeatData;
};

export type HubHeartbeatType = 'hub.heartbeat';

export type HubSnapshotData = {
  readonly cursor: string;
  readonly part: number;
  readonly last: boolean;
  readonly rooms: readonly Room[];
  readonly scenes: readonly HubSnapshotDataScene[];
  readonly devices: readonly Device[];
};

export type HubSnapshotDataScene = {
  readonly id: string;
  readonly selector: string;
  readonly active: SceneState;
};

export type HubSnapshotEvent = {
  readonly id?: string;
  readonly type: HubSnapshotType;
  readonly data: HubSnapshotData;
};

export type HubSnapshotType = 'hub.snapshot';

export type HubTestData = {
  readonly at: string;
};

export type HubTestEvent = {
  readonly id: string;
  readonly type: HubTestType;
  readonly data: HubTestData;
};

export type HubTestType = 'hub.test';

export type HubTrigger = {
  readonly id?: string;
  readonly type: 'hub';
  readonly on: HubTriggerOn;
  readonly integration?: Reference;
};

export type HubTriggerOn = 'started' | 'clock_set' | 'integration_up' | 'update';

export type HubUpdate = {
  readonly name?: string;
  readonly time_zone?: string;
  readonly language?: string | null;
};

export type ImportedKind = 'device' | 'group' | 'room' | 'scene' | 'automation' | 'person' | 'mode' | 'variable' | 'integration';

export type Integration = {
  readonly id: string;
  readonly kind: string;
  readonly name: HubText;
  readonly has_own_name: boolean;
  readonly status: IntegrationState;
  readonly since: string;
  readonly error: IntegrationError | null;
  readonly devices: number;
  readonly can_pair: boolean;
  readonly pairs_by_code: boolean;
  readonly is_set_up: boolean;
  readonly enabled: boolean;
  readonly enabled_fixed_by: string | null;
  readonly fixed_by: string | null;
  readonly offering?: IntegrationOffering;
  readonly left_out?: readonly LeftOutDevices[];
  readonly pairing?: BridgeCodes;
  readonly fabrics?: readonly BridgeFabric[];
  readonly revision: number;
  readonly settings?: SettingMap;
};

export type IntegrationAddedData = {
  readonly integration: IntegrationAddedDataIntegration;
  readonly at: string;
};

export type IntegrationAddedDataIntegration = {
  readonly id: string;
  readonly status: IntegrationState;
  readonly since: string;
  readonly error: IntegrationError | null;
  readonly kind: string;
  readonly name: string;
};

export type IntegrationAddedEvent = {
  readonly id: string;
  readonly type: IntegrationAddedType;
  readonly data: IntegrationAddedData;
};

export type IntegrationAddedType = 'integration.added';

export type IntegrationChangedData = {
  readonly integration: IntegrationChangedDataIntegration;
  readonly at: string;
};

export type IntegrationChangedDataIntegration = {
  readonly id: string;
  readonly status: IntegrationState;
  readonly since: string;
  readonly error: IntegrationError | null;
};

export type IntegrationChangedEvent = {
  readonly id: string;
  readonly type: IntegrationChangedType;
  readonly data: IntegrationChangedData;
};

export type IntegrationChangedType = 'integration.changed';

export type IntegrationCreate = {
  readonly kind: string;
  readonly name?: string;
  readonly enabled?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
};

export type IntegrationError = {
  readonly code: string;
  readonly message: HubText;
  readonly reason: Reason;
};

export type IntegrationFound = {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly address: string;
  readonly ignored: boolean;
  readonly found_at: string;
};

export type IntegrationFoundData = {
  readonly found: IntegrationFound;
  readonly gone: boolean;
  readonly at: string;
};

export type IntegrationFoundEvent = {
  readonly id: string;
  readonly type: IntegrationFoundType;
  readonly data: IntegrationFoundData;
};

export type IntegrationFoundType = 'integration.found';

export type IntegrationKind = {
  readonly id: string;
  readonly name: HubText;
  readonly about: HubText;
  readonly instances: 'one' | 'many';
  readonly discovered: boolean;
  readonly can_set_up: boolean;
  readonly pairing_hint: HubText | null;
  readonly removal_hint: HubText | null;
  readonly help: readonly HubText[];
  readonly settings: Readonly<Record<string, SettingField>>;
};

export type IntegrationOffering = {
  readonly devices: number;
  readonly entities: number;
  readonly left_out: number;
  readonly commands: number;
  readonly refused: number;
  readonly error: IntegrationError | null;
};

export type IntegrationRemovedData = {
  readonly integration: IntegrationRemovedDataIntegration;
  readonly at: string;
};

export type IntegrationRemovedDataIntegration = {
  readonly id: string;
};

export type IntegrationRemovedEvent = {
  readonly id: string;
  readonly type: IntegrationRemovedType;
  readonly data: IntegrationRemovedData;
};

export type IntegrationRemovedType = 'integration.removed';

export type IntegrationSetup = {
  readonly id: string;
  readonly kind: string;
  readonly status: IntegrationSetupStatus;
  readonly step: IntegrationSetupStep | null;
  readonly integration: IntegrationSetupIntegration | null;
  readonly renewed: boolean;
  readonly error: IntegrationSetupError | null;
};

export type IntegrationSetupAnswer = {
  readonly answer: Readonly<Record<string, unknown>>;
};

export type IntegrationSetupChangedData = {
  readonly setup: IntegrationSetup;
  readonly at: string;
};

export type IntegrationSetupChangedEvent = {
  readonly id: string;
  readonly type: IntegrationSetupChangedType;
  readonly data: IntegrationSetupChangedData;
};

export type IntegrationSetupChangedType = 'integration_setup.changed';

export type IntegrationSetupCreate = {
  readonly kind?: string;
  readonly found?: string;
};

export type IntegrationSetupError = {
  readonly code: string;
  readonly message: HubText;
  readonly reason: HubText | null;
};

export type IntegrationSetupIntegration = {
  readonly id: string;
};

export type IntegrationSetupStatus = 'running' | 'done' | 'failed';

export type IntegrationSetupStep = {
  readonly type: IntegrationSetupStepType;
  readonly text?: HubText;
  readonly reason?: Reason;
  readonly fields?: Readonly<Record<string, SettingField>>;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly errors?: readonly FieldError[];
  readonly options?: readonly IntegrationSetupStepOption[];
  readonly until?: string;
  readonly remaining_s?: number;
  readonly code?: string;
};

export type IntegrationSetupStepOption = {
  readonly id: string;
  readonly title: HubText;
  readonly detail: HubText;
};

export type IntegrationSetupStepType = 'form' | 'choose' | 'act' | 'busy' | 'show';

export type IntegrationState = 'connected' | 'connecting' | 'needs_action' | 'error' | 'off';

export type IntegrationUpdate = {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly settings?: Readonly<Record<string, unknown>>;
};

export type Issuer = {
  readonly type: IssuerType;
  readonly id: string;
};

export type IssuerType = 'session' | 'api_token' | 'automation' | 'matter';

export type KnownEvent = DeviceAddedEvent | DeviceChangedEvent | DeviceRemovedEvent | RoomAddedEvent | RoomChangedEvent | RoomRemovedEvent | ModeChangedEvent | VariableChangedEvent | PresenceChangedEvent | AvailabilityChangedEvent | FeatureChangedEvent | FeatureOccurredEvent | EnergyChangedEvent | SceneAddedEvent | SceneChangedEvent | SceneRemovedEvent | SceneActivatedEvent | AutomationAddedEvent | AutomationChangedEvent | AutomationRemovedEvent | AutomationRunEvent | AutomationRunDullEvent | CommandChangedEvent | IntegrationAddedEvent | IntegrationChangedEvent | IntegrationRemovedEvent | IntegrationFoundEvent | IntegrationSetupChangedEvent | PairingChangedEvent | NotificationAddedEvent | NotificationChangedEvent | ExporterChangedEvent | ExporterGapEvent | ClockChangedEvent | SessionRevokedEvent | ApiTokenRevokedEvent | HubHeartbeatEvent | HubGapEvent | HubSnapshotEvent | HubTestEvent;

export type LeftOutDevices = {
  readonly integration: string | null;
  readonly devices: number;
};

export type Location = {
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation_m: number | null;
};

export type LocationUpdate = {
  readonly latitude: number;
  readonly longitude: number;
  readonly elevation_m?: number | null;
};

export type LoginRequest = {
  readonly email: string;
  readonly password: string;
  readonly client_name?: string | null;
  readonly rotate?: boolean | null;
  readonly client_token?: string | null;
};

export type Match = {
  readonly kind: MatchKind;
  readonly selector: string;
  readonly name: string;
  readonly room: RoomReference | null;
};

export type MatchKind = 'room' | 'scene' | 'automation' | 'group' | 'device';

export type MatchKindInput = 'room' | 'scene' | 'automation' | 'group' | 'device';

export type Me = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
};

export type MeUpdate = {
  readonly name?: string;
  readonly email?: string;
  readonly quiet_hours?: QuietHours | null;
  readonly language?: string | null;
  readonly current_password?: string;
};

export type Mode = {
  readonly key: string;
  readonly name: string;
  readonly values: readonly string[];
  readonly value_names: Readonly<Record<string, string>>;
  readonly value: string;
  readonly changed_at: string | null;
  readonly changed_by: ChangedBy | null;
  readonly until: string | null;
  readonly next: string | null;
  readonly revision: number;
};

export type ModeChangedData = {
  readonly mode: Mode;
  readonly gone: boolean;
  readonly at: string;
};

export type ModeChangedEvent = {
  readonly id: string;
  readonly type: ModeChangedType;
  readonly data: ModeChangedData;
};

export type ModeChangedType = 'mode.changed';

export type ModeCreate = {
  readonly key: string;
  readonly name: string;
  readonly values: readonly string[];
  readonly value_names?: Readonly<Record<string, string>>;
  readonly value?: string;
};

export type ModeSetting = {
  readonly value: string;
  readonly until?: string | null;
  readonly for_s?: number | null;
  readonly next?: string | null;
  readonly key?: unknown;
  readonly name?: unknown;
  readonly values?: unknown;
  readonly value_names?: unknown;
  readonly changed_at?: unknown;
  readonly changed_by?: unknown;
  readonly revision?: unknown;
};

export type ModeStep = {
  readonly mode: Reference;
  readonly value: string;
  readonly for_s?: number;
  readonly until?: string;
};

export type ModeTrigger = {
  readonly id?: string;
  readonly type: 'mode';
  readonly mode: Reference;
  readonly to?: unknown;
  readonly from?: unknown;
  readonly for_s?: number;
  readonly grace_s?: number;
};

export type ModeUpdate = {
  readonly name?: string;
  readonly values?: readonly string[];
  readonly value_names?: Readonly<Record<string, string | null>> | null;
};

export type Mover = 'any' | 'hand' | 'hub' | 'other';

export type NamedDevice = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
};

export type NamedIssuer = {
  readonly type: IssuerType;
  readonly id: string;
  readonly user: UserReference | null;
};

export type NearMiss = {
  readonly at: string;
  readonly last_at: string;
  readonly count: number;
  readonly code: WhyCode;
  readonly sentence: HubText;
  readonly fields: WhyFields;
};

export type Notification = {
  readonly id: string;
  readonly severity: Severity;
  readonly title: HubText;
  readonly text: HubText;
  readonly reason?: Reason;
  readonly to: readonly string[];
  readonly key: string | null;
  readonly built_in: string | null;
  readonly device: string | null;
  readonly source: NotificationSource;
  readonly actions: readonly NotificationAction[];
  readonly count: number;
  readonly repeat_s: number | null;
  readonly state: NotificationState;
  readonly created_at: string;
  readonly updated_at: string;
  readonly acknowledged_at: string | null;
  readonly acknowledged_by: string | null;
  readonly resolved_at: string | null;
  readonly deliveries: readonly NotificationDelivery[];
};

export type NotificationAction = {
  readonly label: string;
  readonly scene: string | null;
  readonly command: Readonly<Record<string, unknown>> | null;
};

export type NotificationAddedData = {
  readonly notification: Notification;
  readonly at: string;
};

export type NotificationAddedEvent = {
  readonly id: string;
  readonly type: NotificationAddedType;
  readonly data: NotificationAddedData;
};

export type NotificationAddedType = 'notification.added';

export type NotificationAttempt = {
  readonly at: string;
  readonly accepted: boolean;
  readonly status: number | null;
  readonly error: Failure | null;
};

export type NotificationChangedData = {
  readonly notification: Notification;
  readonly at: string;
};

export type NotificationChangedEvent = {
  readonly id: string;
  readonly type: NotificationChangedType;
  readonly data: NotificationChangedData;
};

export type NotificationChangedType = 'notification.changed';

export type NotificationChannel = {
  readonly id: string;
  readonly type: ChannelType;
  readonly name: string;
  readonly enabled: boolean;
  readonly min_severity: Severity;
  readonly person: string | null;
  readonly url: string | null;
  readonly topic: string | null;
  readonly has_token: boolean;
  readonly broker: string | null;
  readonly status: ReceiverStatus;
  readonly failing_since: string | null;
  readonly last_attempt: NotificationAttempt | null;
  readonly revision: number;
  readonly created_at: string | null;
  readonly updated_at: string | null;
};

export type NotificationChannelCreate = {
  readonly type: NotificationChannelCreateType;
  readonly name?: string;
  readonly enabled?: boolean;
  readonly min_severity?: SeverityInput;
  readonly person?: string | null;
  readonly url?: string;
  readonly topic?: string;
  readonly token?: string | null;
  readonly broker?: string;
};

export type NotificationChannelCreateType = 'webhook' | 'ntfy' | 'mqtt';

export type NotificationChannelUpdate = {
  readonly name?: string;
  readonly enabled?: boolean;
  readonly min_severity?: SeverityInput;
  readonly person?: string | null;
  readonly url?: string;
  readonly topic?: string;
  readonly token?: string | null;
  readonly broker?: string;
};

export type NotificationCreate = {
  readonly title?: string;
  readonly text?: string;
  readonly severity?: SeverityInput;
  readonly to?: readonly string[];
  readonly key?: string;
  readonly resolve_key?: string;
  readonly device?: string;
  readonly actions?: readonly NotificationCreateAction[];
  readonly repeat_s?: number;
};

export type NotificationCreateAction = {
  readonly label: string;
  readonly scene?: string;
  readonly command?: TargetedCommandRequest;
};

export type NotificationDelivery = {
  readonly channel: string;
  readonly state: NotificationDeliveryState;
  readonly attempts: number;
  readonly at: string;
  readonly error: Failure | null;
};

export type NotificationDeliveryState = 'accepted' | 'retrying' | 'failed';

export type NotificationSettings = {
  readonly built_in: NotificationSettingsBuiltIn;
};

export type NotificationSettingsBuiltIn = {
  readonly water: boolean;
  readonly smoke: boolean;
  readonly carbon_monoxide: boolean;
  readonly gas: boolean;
  readonly lock_jammed: boolean;
  readonly battery_low: boolean;
  readonly device_offline: boolean;
  readonly integration_down: boolean;
  readonly backup_failed: boolean;
  readonly disk_nearly_full: boolean;
  readonly history_paused: boolean;
};

export type NotificationSettingsUpdate = {
  readonly built_in?: NotificationSettingsUpdateBuiltIn;
};

export type NotificationSettingsUpdateBuiltIn = {
  readonly water?: boolean;
  readonly smoke?: boolean;
  readonly carbon_monoxide?: boolean;
  readonly gas?: boolean;
  readonly lock_jammed?: boolean;
  readonly battery_low?: boolean;
  readonly device_offline?: boolean;
  readonly integration_down?: boolean;
  readonly backup_failed?: boolean;
  readonly disk_nearly_full?: boolean;
  readonly history_paused?: boolean;
};

export type NotificationSource = {
  readonly kind: NotificationSourceKind;
  readonly id: string;
};

export type NotificationSourceKind = 'hub' | 'user' | 'api_token' | 'automation';

export type NotificationState = 'open' | 'acknowledged' | 'resolved';

export type Notifications = {
  readonly notifications: readonly Notification[];
  readonly next: string | null;
};

export type NotifyStep = {
  readonly severity: SeverityInput;
  readonly title: string;
  readonly text?: string;
  readonly to?: readonly string[];
  readonly key?: string;
  readonly resolve_key?: string;
  readonly repeat_s?: number;
  readonly operands?: Readonly<Record<string, Operand>>;
};

export type OccurrenceTrigger = {
  readonly id?: string;
  readonly type: 'occurrence';
  readonly device?: Reference;
  readonly group?: Reference;
  readonly any_of?: DeviceSelection;
  readonly key?: string;
  readonly action?: unknown;
  readonly count?: number;
  readonly raw?: string;
};

export type OpenApiDocument = {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, unknown>>;
};

export type Operand = unknown;

export type OperandSeen = {
  readonly device?: string | null;
  readonly key?: string;
  readonly name?: string;
  readonly value: unknown;
  readonly quality?: Quality;
  readonly changed_at?: string | null;
  readonly unknown: string | null;
  readonly hidden?: boolean;
};

export type Operation = {
  readonly value?: unknown;
  readonly feature?: FeatureOperation;
  readonly trigger?: string;
  readonly variable?: string;
  readonly sun?: 'elevation';
  readonly history?: HistoryOperation;
  readonly add?: readonly Operand[];
  readonly sub?: readonly Operand[];
  readonly mul?: readonly Operand[];
  readonly div?: readonly Operand[];
  readonly min?: readonly Operand[];
  readonly max?: readonly Operand[];
  readonly round?: readonly unknown[];
  readonly clamp?: readonly Operand[];
  readonly map?: readonly Operand[];
  readonly if?: readonly unknown[];
  readonly coalesce?: readonly Operand[];
};

export type OwnAccount = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly rooms: readonly string[] | null;
  readonly valid_until: string | null;
  readonly rights: readonly Right[];
  readonly quiet_hours: QuietHours | null;
  readonly language: string | null;
};

export type PairedDevice = {
  readonly id: string;
};

export type Pairing = {
  readonly seconds: number;
};

export type PairingChangedData = {
  readonly integration: PairingChangedDataIntegration;
  readonly pairing: PairingProgress;
  readonly at: string;
};

export type PairingChangedDataIntegration = {
  readonly id: string;
};

export type PairingChangedEvent = {
  readonly id: string;
  readonly type: PairingChangedType;
  readonly data: PairingChangedData;
};

export type PairingChangedType = 'pairing.changed';

export type PairingProgress = {
  readonly step: PairingProgressStep;
  readonly external_id: string | null;
  readonly device: PairedDevice | null;
  readonly seconds: number | null;
  readonly detail: HubText | null;
  readonly reason?: Reason;
};

export type PairingProgressStep = 'opened' | 'closed' | 'device_found' | 'interview_started' | 'interview_done' | 'interview_failed';

export type PairingRequest = {
  readonly seconds?: number;
  readonly code?: string;
};

export type PairingState = {
  readonly remaining_s: number | null;
  readonly progress: readonly PairingProgress[];
};

export type ParallelStep = {
  readonly branches: readonly (readonly Step[])[];
  readonly end?: 'all' | 'any';
};

export type PasswordChange = {
  readonly current_password: string;
  readonly new_password: string;
};

export type PasswordCheck = {
  readonly password: string;
  readonly name?: string;
  readonly email?: string;
};

export type PersonPresence = {
  readonly user: UserReference;
  readonly state: PresenceState;
  readonly evidence: PersonPresenceEvidence;
  readonly since: string | null;
  readonly away_after_s: number;
  readonly sources: readonly PresenceSource[];
  readonly revision: number;
};

export type PersonPresenceEvidence = 'told' | 'device' | 'none';

export type PlannedValue = {
  readonly device: string;
  readonly key: string;
  readonly from: unknown;
  readonly to: unknown;
  readonly reachable: boolean;
  readonly needs: string | null;
};

export type Presence = {
  readonly anyone: PresenceState;
  readonly people?: readonly PersonPresence[];
};

export type PresenceChangedData = {
  readonly presence: PersonPresence;
  readonly at: string;
};

export type PresenceChangedEvent = {
  readonly id: string;
  readonly type: PresenceChangedType;
  readonly data: PresenceChangedData;
};

export type PresenceChangedType = 'presence.changed';

export type PresenceCondition = {
  readonly person: Reference;
  readonly is: 'home' | 'away';
};

export type PresenceNoteStep = {
  readonly person: Reference;
  readonly state: 'home' | 'away';
};

export type PresenceSource = {
  readonly device: string;
  readonly key: string;
};

export type PresenceState = 'home' | 'away' | 'unknown';

export type PresenceTell = {
  readonly state: 'home' | 'away';
};

export type PresenceTrigger = {
  readonly id?: string;
  readonly type: 'presence';
  readonly person: Reference;
  readonly to: 'home' | 'away';
  readonly for_s?: number;
  readonly grace_s?: number;
};

export type PresenceUpdate = {
  readonly away_after_s?: number;
  readonly sources?: readonly PresenceSource[];
};

export type PricedFlow = 'import' | 'export' | 'gas' | 'water';

export type PricedFlowInput = 'import' | 'export' | 'gas' | 'water';

export type Problem = {
  readonly type: string;
  readonly title: HubText;
  readonly status: number;
  readonly detail: HubText;
  readonly instance: string;
  readonly code: ProblemCode;
  readonly request_id: string;
  readonly errors?: readonly FieldError[];
  readonly reason?: Reason;
};

export type ProblemCode = 'MALFORMED_REQUEST' | 'INVALID_JSON' | 'INVALID_QUERY' | 'HTTP_VERSION_NOT_SUPPORTED' | 'HEADERS_TOO_LARGE' | 'REQUEST_TIMEOUT' | 'MISDIRECTED_REQUEST' | 'PROXIED_REQUEST' | 'ORIGIN_REFUSED' | 'NOT_FOUND' | 'METHOD_NOT_ALLOWED' | 'UNAUTHORIZED' | 'INVALID_TOKEN' | 'FORBIDDEN' | 'NETWORK_REFUSED' | 'UPGRADE_REQUIRED' | 'UNSUPPORTED_MEDIA_TYPE' | 'PAYLOAD_TOO_LARGE' | 'VALIDATION_FAILED' | 'PRECONDITION_FAILED' | 'HUB_UNCLAIMED' | 'ALREADY_CLAIMED' | 'INVALID_CLAIM_CODE' | 'INVALID_CREDENTIALS' | 'INVALID_REFRESH_TOKEN' | 'WRONG_PASSWORD' | 'WEAK_PASSWORD' | 'EMAIL_TAKEN' | 'LIMIT_REACHED' | 'LAST_OWNER' | 'NAME_TAKEN' | 'ROOM_NOT_FOUND' | 'CLOCK_NOT_SET' | 'CLOCK_SYNCED' | 'HISTORY_RANGE' | 'NOT_SUPPORTED' | 'DEVICE_OFFLINE' | 'SIMULATION_TOO_LARGE' | 'HISTORY_NOT_KEPT' | 'SCENE_EMPTY' | 'SENSITIVE_NOT_NAMED' | 'SENSITIVE_NEEDS_CONDITION' | 'RIGHTS_MISSING' | 'AUTOMATION_NOT_READY' | 'NOTHING_TO_UNDO' | 'COMMAND_FAILED' | 'CONNECTION_FAILED' | 'IDEMPOTENCY_KEY_REUSED' | 'ANSWER_NOT_KEPT' | 'OUTCOME_UNKNOWN' | 'INVALID_BACKUP' | 'INVALID_IMPORT' | 'SETTING_FIXED' | 'SETUP_NOT_WAITING' | 'TOO_MANY_REQUESTS' | 'INTEGRATION_DOWN' | 'OVERLOADED' | 'STORAGE_FULL' | 'STORAGE_UNAVAILABLE' | 'RESTARTING' | 'INTERNAL_ERROR';

export type ProblemKind = {
  readonly type: string;
  readonly code: string;
  readonly status: number;
  readonly title: HubText;
  readonly documentation: string;
};

export type ProvidedDevice = {
  readonly id: string;
  readonly selector: string;
  readonly external_id: string;
};

export type Provider = {
  readonly id: string;
  readonly name: string;
  readonly lease_s: number;
  readonly status: IntegrationState;
  readonly since: string;
  readonly error: IntegrationError | null;
  readonly devices: number;
};

export type ProviderCommand = {
  readonly id: string;
  readonly device: string;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly do?: string;
  readonly transition_ms?: number;
  readonly deadline: string;
};

export type ProviderCommandAnswer = {
  readonly status: ProviderCommandAnswerStatus;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
};

export type ProviderCommandAnswerStatus = 'sent' | 'done' | 'failed';

export type ProviderCommands = {
  readonly commands: readonly ProviderCommand[];
};

export type ProviderDevice = {
  readonly name: string;
  readonly type: DeviceTypeInput;
  readonly manufacturer?: string | null;
  readonly model?: string | null;
  readonly firmware?: string | null;
  readonly stale_after_s?: number | null;
  readonly features: readonly ProviderFeature[];
  readonly values?: Readonly<Record<string, unknown>>;
  readonly occurrences?: readonly ProviderDeviceOccurrence[];
};

export type ProviderDeviceOccurrence = {
  readonly key: string;
  readonly action: string;
  readonly count?: number;
  readonly raw?: string;
};

export type ProviderFeature = {
  readonly key: string;
  readonly capability: string;
  readonly kind?: FeatureKindInput;
  readonly value_type?: ValueTypeInput;
  readonly component?: string;
  readonly category?: FeatureCategoryInput;
  readonly name?: string;
  readonly description?: string | null;
  readonly readable?: boolean;
  readonly writable?: boolean;
  readonly unit?: string | null;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly step?: number | null;
  readonly options?: readonly string[] | null;
};

export type ProviderReport = {
  readonly device: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly occurrences?: readonly ProviderReportOccurrence[];
  readonly observed_at?: string;
  readonly availability?: AvailabilityStateInput;
};

export type ProviderReportOccurrence = {
  readonly key: string;
  readonly action: string;
  readonly count?: number;
  readonly raw?: string;
};

export type ProviderState = {
  readonly reports: readonly ProviderReport[];
};

export type ProviderStateAnswer = {
  readonly taken: number;
  readonly refused: readonly ProviderStateAnswerRefused[];
};

export type ProviderStateAnswerRefused = {
  readonly report: number;
  readonly device: string | null;
  readonly errors: readonly FieldError[];
};

export type ProviderUpdate = {
  readonly name?: string;
  readonly lease_s?: number;
  readonly id?: unknown;
  readonly status?: unknown;
  readonly since?: unknown;
  readonly error?: unknown;
  readonly devices?: unknown;
};

export type Quality = 'confirmed' | 'assumed' | 'restored' | 'stale' | 'none';

export type QuietHours = {
  readonly from: string;
  readonly to: string;
};

export type Reason = {
  readonly id: string;
  readonly with: Readonly<Record<string, string | number>>;
};

export type ReceiverStatus = 'ok' | 'failing' | 'off';

export type RecordedSeries = {
  readonly series: string;
  readonly device: DeviceReference | null;
  readonly key: string;
  readonly kind: SeriesKind;
  readonly unit: string | null;
  readonly first: string;
  readonly last: string;
  readonly samples: number;
  readonly bytes: number;
};

export type RecordedSeriesList = {
  readonly series: readonly RecordedSeries[];
  readonly next: string | null;
};

export type Recording = {
  readonly mode: RecordingMode;
  readonly min_interval_s: number | null;
  readonly deadband: number | null;
  readonly recorded: boolean;
};

export type RecordingMode = 'auto' | 'on' | 'off';

export type RecordingModeInput = 'auto' | 'on' | 'off';

export type RecordingUpdate = {
  readonly mode?: RecordingModeInput;
  readonly min_interval_s?: number | null;
  readonly deadband?: number | null;
  readonly recorded?: unknown;
};

export type Reference = unknown;

export type RefreshRequest = {
  readonly refresh_token: string;
};

export type RefreshedToken = {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_expires_in: number;
  readonly refresh_token?: string;
};

export type RepeatEach = {
  readonly variable: string;
  readonly in: readonly Operand[];
};

export type RepeatStep = {
  readonly times?: Operand;
  readonly while?: Condition;
  readonly until?: Condition;
  readonly for_each?: RepeatEach;
  readonly max: number;
  readonly steps: readonly Step[];
};

export type RequestStep = {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly json?: Readonly<Record<string, Operand>>;
  readonly wait?: boolean;
};

export type RestoreStep = {
  readonly since?: 'run' | 'trigger';
};

export type Right = 'device:read' | 'device:control' | 'device:control_sensitive' | 'device:manage' | 'device:provide' | 'event:read' | 'room:manage' | 'user:manage' | 'system:read' | 'history:read' | 'metrics:read' | 'notification:read' | 'notification:manage' | 'mode:set' | 'automation:read' | 'automation:run' | 'automation:manage' | 'presence:tell' | 'energy:tell' | 'scene:run' | 'scene:manage' | 'backup:create' | 'hub:manage' | 'system:manage';

export type Role = 'owner' | 'admin' | 'resident' | 'guest';

export type RoleInput = 'owner' | 'admin' | 'resident' | 'guest';

export type Room = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly icon: string | null;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
};

export type RoomAddedData = {
  readonly room: Room;
  readonly at: string;
};

export type RoomAddedEvent = {
  readonly id: string;
  readonly type: RoomAddedType;
  readonly data: RoomAddedData;
};

export type RoomAddedType = 'room.added';

export type RoomChangedData = {
  readonly room: Room;
  readonly at: string;
};

export type RoomChangedEvent = {
  readonly id: string;
  readonly type: RoomChangedType;
  readonly data: RoomChangedData;
};

export type RoomChangedType = 'room.changed';

export type RoomCreate = {
  readonly name: string;
};

export type RoomReference = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
};

export type RoomRemovedData = {
  readonly room: Room;
  readonly at: string;
};

export type RoomRemovedEvent = {
  readonly id: string;
  readonly type: RoomRemovedType;
  readonly data: RoomRemovedData;
};

export type RoomRemovedType = 'room.removed';

export type RoomUpdate = {
  readonly name?: string;
  readonly icon?: string | null;
};

export type RunCondition = {
  readonly automation: Reference;
  readonly is: 'running';
};

export type RunMode = {
  readonly kind: RunModeKind;
  readonly max?: number;
};

export type RunModeKind = 'single' | 'restart' | 'queued' | 'parallel';

export type RunOutcome = 'running' | 'finished' | 'not_met' | 'skipped' | 'failed' | 'stopped' | 'superseded' | 'abandoned';

export type RunOutcomeInput = 'running' | 'finished' | 'not_met' | 'skipped' | 'failed' | 'stopped' | 'superseded' | 'abandoned';

export type RunPhase = 'started' | 'waiting' | 'finished';

export type Scene = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly room: RoomReference | null;
  readonly icon: string | null;
  readonly builtin: boolean;
  readonly revision: number;
  readonly transition_ms: number | null;
  readonly targets: readonly SceneTarget[];
  readonly active: SceneActivity;
  readonly sensitive: boolean;
  readonly created_by: Issuer | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
};

export type SceneActivate = {
  readonly transition_ms?: number;
  readonly expires_in?: number;
  readonly force?: boolean;
};

export type SceneActivatedData = {
  readonly scene: SceneReference;
  readonly command: string;
  readonly by: Issuer;
  readonly at: string;
};

export type SceneActivatedEvent = {
  readonly id: string;
  readonly type: SceneActivatedType;
  readonly data: SceneActivatedData;
};

export type SceneActivatedType = 'scene.activated';

export type SceneActivity = {
  readonly state: SceneState;
  readonly matched: number;
  readonly of: number;
  readonly since: string | null;
  readonly differences: readonly SceneActivityDifference[];
};

export type SceneActivityDifference = {
  readonly device: string;
  readonly key: string;
  readonly wanted: unknown;
  readonly value: unknown;
  readonly quality: Quality;
};

export type SceneAddedData = {
  readonly scene: SceneSummary;
  readonly at: string;
};

export type SceneAddedEvent = {
  readonly id: string;
  readonly type: SceneAddedType;
  readonly data: SceneAddedData;
};

export type SceneAddedType = 'scene.added';

export type SceneCapture = {
  readonly devices?: readonly string[];
  readonly room?: string;
  readonly keys?: readonly string[];
};

export type SceneCaptured = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly room: RoomReference | null;
  readonly icon: string | null;
  readonly builtin: boolean;
  readonly revision: number;
  readonly transition_ms: number | null;
  readonly targets: readonly SceneTarget[];
  readonly active: SceneActivity;
  readonly sensitive: boolean;
  readonly created_by: Issuer | null;
  readonly created_at: string | null;
  readonly updated_at: string | null;
  readonly skipped: readonly SceneCapturedSkipped[];
};

export type SceneCapturedSkipped = {
  readonly device: string;
  readonly key: string;
  readonly reason: SceneCapturedSkippedReason;
};

export type SceneCapturedSkippedReason = 'stale' | 'offline' | 'none';

export type SceneChangedData = {
  readonly scene: SceneSummary;
  readonly at: string;
};

export type SceneChangedEvent = {
  readonly id: string;
  readonly type: SceneChangedType;
  readonly data: SceneChangedData;
};

export type SceneChangedType = 'scene.changed';

export type SceneCondition = {
  readonly scene: Reference;
  readonly is: SceneConditionIs;
};

export type SceneConditionIs = 'active' | 'partly' | 'inactive';

export type SceneCreate = {
  readonly name: string;
  readonly room?: string | null;
  readonly icon?: string | null;
  readonly transition_ms?: number | null;
  readonly targets?: readonly SceneTargetWish[];
  readonly capture?: SceneCapture;
};

export type SceneReference = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
};

export type SceneRemovedData = {
  readonly scene: SceneReference;
  readonly at: string;
};

export type SceneRemovedEvent = {
  readonly id: string;
  readonly type: SceneRemovedType;
  readonly data: SceneRemovedData;
};

export type SceneRemovedType = 'scene.removed';

export type SceneState = 'active' | 'partly' | 'inactive' | 'unknown';

export type SceneStep = {
  readonly scene: Reference;
  readonly transition_ms?: number;
  readonly expires_in?: number;
  readonly wait?: StepWait;
  readonly retry?: CommandRetry;
  readonly on_failure?: 'continue' | 'stop';
  readonly skip_if_same?: boolean;
};

export type SceneSummary = {
  readonly id: string;
  readonly selector: string;
  readonly name: string;
  readonly room: RoomReference | null;
  readonly icon: string | null;
  readonly builtin: boolean;
  readonly revision: number;
  readonly active: SceneSummaryActive;
};

export type SceneSummaryActive = {
  readonly state: SceneState;
  readonly matched: number;
  readonly of: number;
  readonly since: string | null;
};

export type SceneTarget = {
  readonly device: NamedDevice;
  readonly set: Readonly<Record<string, unknown>>;
  readonly transition_ms: number | null;
  readonly state: SceneTargetState;
  readonly match: SceneTargetMatch;
};

export type SceneTargetMatch = 'matched' | 'differs' | 'unknown' | 'absent';

export type SceneTargetState = 'ok' | 'missing' | 'cannot';

export type SceneTargetWish = {
  readonly device: string;
  readonly set: Readonly<Record<string, unknown>>;
  readonly transition_ms?: number | null;
};

export type SceneUpdate = {
  readonly name?: string;
  readonly room?: string | null;
  readonly icon?: string | null;
  readonly transition_ms?: number | null;
  readonly targets?: readonly SceneTargetWish[];
};

export type Scope = 'device:read' | 'device:control' | 'device:control_sensitive' | 'device:manage' | 'device:provide' | 'event:read' | 'room:manage' | 'user:manage' | 'system:read' | 'history:read' | 'metrics:read' | 'notification:read' | 'notification:manage' | 'mode:set' | 'automation:read' | 'automation:run' | 'automation:manage' | 'presence:tell' | 'energy:tell' | 'scene:run' | 'scene:manage' | 'backup:create';

export type ScopeInput = 'device:read' | 'device:control' | 'device:control_sensitive' | 'device:manage' | 'device:provide' | 'event:read' | 'room:manage' | 'user:manage' | 'system:read' | 'history:read' | 'metrics:read' | 'notification:read' | 'notification:manage' | 'mode:set' | 'automation:read' | 'automation:run' | 'automation:manage' | 'presence:tell' | 'energy:tell' | 'scene:run' | 'scene:manage' | 'backup:create';

export type SeriesFilter = {
  readonly devices?: readonly string[] | null;
  readonly rooms?: readonly string[] | null;
  readonly keys?: readonly string[] | null;
};

export type SeriesKind = 'gauge' | 'counter' | 'state' | 'event';

export type Session = {
  readonly id: string;
  readonly client_name: string | null;
  readonly address: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  readonly current: boolean;
};

export type SessionRevokedData = {
  readonly session: SessionRevokedDataSession;
  readonly at: string;
};

export type SessionRevokedDataSession = {
  readonly id: string;
};

export type SessionRevokedEvent = {
  readonly id: string;
  readonly type: SessionRevokedType;
  readonly data: SessionRevokedData;
};

export type SessionRevokedType = 'session.revoked';

export type Setting = {
  readonly value?: string | number | boolean | Readonly<Record<string, unknown>> | null;
  readonly is_set?: boolean;
  readonly fixed?: boolean;
  readonly fixed_by: string | null;
};

export type SettingField = {
  readonly type: SettingFieldType;
  readonly label: HubText;
  readonly hint: HubText | null;
  readonly advanced: boolean;
  readonly optional: boolean;
  readonly default: string | number | boolean | Readonly<Record<string, unknown>> | null;
  readonly max_length?: number;
  readonly pattern?: string;
  readonly default_port?: number;
  readonly schemes?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly options?: readonly SettingFieldOption[];
  readonly bound_to?: string;
  readonly kind?: string;
};

export type SettingFieldOption = {
  readonly id: string;
  readonly label: HubText;
};

export type SettingFieldType = 'text' | 'host' | 'url' | 'integer' | 'boolean' | 'choice' | 'secret' | 'link' | 'places' | 'api_token';

export type SettingMap = Readonly<Record<string, Setting>>;

export type SetupRequest = {
  readonly claim_code: string;
  readonly email: string;
  readonly password: string;
  readonly name?: string;
  readonly hub_name?: string;
  readonly client_name?: string;
  readonly rotate?: boolean;
};

export type Severity = 'info' | 'warning' | 'critical';

export type SeverityInput = 'info' | 'warning' | 'critical';

export type SignedIn = {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly token_type: 'Bearer';
  readonly expires_in: number;
  readonly refresh_expires_in: number;
  readonly session_id: string;
  readonly user: Me;
};

export type SimulatedRun = {
  readonly at: string;
  readonly trigger: string;
  readonly outcome: RunOutcome;
  readonly run: string | null;
};

export type Simulation = {
  readonly id: string;
  readonly status: SimulationStatus;
  readonly error: Failure | null;
  readonly result: SimulationResult | null;
};

export type SimulationCreate = {
  readonly automation?: string;
  readonly version?: number;
  readonly definition?: Readonly<Record<string, unknown>>;
  readonly from?: string;
  readonly to?: string;
  readonly given?: Readonly<Record<string, boolean | number | string>>;
  readonly compare_to?: number;
  readonly compare_definition?: Readonly<Record<string, unknown>>;
  readonly world?: 'recorded' | 'answering';
  readonly as_if_on?: boolean;
};

export type SimulationResult = {
  readonly from: string;
  readonly to: string;
  readonly time_zone: string;
  readonly world: 'recorded' | 'answering';
  readonly fidelity: SimulationResultFidelity;
  readonly runs: readonly AutomationRun[];
  readonly old_runs: readonly AutomationRun[];
  readonly runs_left_out: number;
  readonly counts: Readonly<Record<string, number>>;
  readonly per_day: readonly SimulationResultPerDay[];
  readonly commands: Readonly<Record<string, SimulationResultCommand>>;
  readonly compare: SimulationResultCompare | null;
  readonly against_reality: SimulationResultAgainstReality | null;
};

export type SimulationResultAgainstReality = {
  readonly since: string;
  readonly agrees: number;
  readonly would_have: readonly SimulatedRun[];
  readonly did_instead: readonly SimulatedRun[];
};

export type SimulationResultCommand = {
  readonly sent: number;
  readonly on_s: number;
};

export type SimulationResultCompare = {
  readonly only_new: readonly SimulatedRun[];
  readonly only_old: readonly SimulatedRun[];
  readonly both: number;
};

export type SimulationResultFidelity = {
  readonly complete: boolean;
  readonly missing: readonly SimulationResultFidelityMissing[];
};

export type SimulationResultFidelityMissing = {
  readonly series: string;
  readonly from: string;
  readonly to: string;
  readonly reason: SimulationResultFidelityMissingReason;
};

export type SimulationResultFidelityMissingReason = 'hub_off' | 'clock_unset' | 'paused' | 'lost' | 'deleted' | 'not_recorded' | 'only_hours' | 'thinned' | 'order_unknown' | 'cause_unknown';

export type SimulationResultPerDay = {
  readonly date: string;
  readonly new: readonly SimulatedRun[];
  readonly old: readonly SimulatedRun[];
  readonly new_counts: Readonly<Record<string, number>>;
  readonly old_counts: Readonly<Record<string, number>>;
};

export type SimulationStatus = 'running' | 'done' | 'failed';

export type SkippedTarget = {
  readonly device: string;
  readonly key: string;
  readonly reason: HubText;
};

export type Step = {
  readonly id?: string;
  readonly command?: CommandStep;
  readonly scene?: SceneStep;
  readonly restore?: RestoreStep;
  readonly delay?: DelayStep;
  readonly wait_for?: WaitForStep;
  readonly choose?: ChooseStep;
  readonly repeat?: RepeatStep;
  readonly parallel?: ParallelStep;
  readonly notify?: NotifyStep;
  readonly request?: RequestStep;
  readonly mode?: ModeStep;
  readonly variable?: VariableStep;
  readonly presence_note?: PresenceNoteStep;
  readonly automation?: AutomationStep;
  readonly stop?: StopStep;
};

export type StepCondition = {
  readonly id: string;
  readonly timed_out: boolean;
};

export type StepWait = 'none' | 'sent' | 'finished';

export type StopStep = {
  readonly outcome: 'finished' | 'failed';
  readonly reason?: string;
};

export type StreamEventType = 'device.added' | 'device.changed' | 'device.removed' | 'room.added' | 'room.changed' | 'room.removed' | 'mode.changed' | 'variable.changed' | 'presence.changed' | 'availability.changed' | 'feature.changed' | 'feature.occurred' | 'energy.changed' | 'scene.added' | 'scene.changed' | 'scene.removed' | 'scene.activated' | 'automation.added' | 'automation.changed' | 'automation.removed' | 'automation.run' | 'automation.run.dull' | 'command.changed' | 'integration.added' | 'integration.changed' | 'integration.removed' | 'integration.found' | 'integration_setup.changed' | 'pairing.changed' | 'notification.added' | 'notification.changed' | 'exporter.changed' | 'exporter.gap' | 'clock.changed' | 'session.revoked' | 'api_token.revoked' | 'hub.heartbeat' | 'hub.gap' | 'hub.snapshot';

export type SunCondition = {
  readonly above?: Operand;
  readonly below?: Operand;
  readonly after?: SunMoment;
  readonly offset_s?: number;
  readonly before?: SunMoment;
  readonly before_offset_s?: number;
};

export type SunDay = {
  readonly dawn: string | null;
  readonly sunrise: string | null;
  readonly noon: string | null;
  readonly sunset: string | null;
  readonly dusk: string | null;
};

export type SunMoment = 'sunrise' | 'sunset' | 'dawn' | 'dusk' | 'noon';

export type SunTrigger = {
  readonly id?: string;
  readonly type: 'sun';
  readonly event: SunTriggerEvent;
  readonly elevation_deg?: number;
  readonly rising?: boolean;
  readonly offset_s?: number;
  readonly not_before?: string;
  readonly not_after?: string;
  readonly if_none?: string;
  readonly missed?: unknown;
  readonly when_clock_unset?: 'wait' | 'go_by_last';
  readonly days?: readonly DayOfWeek[];
};

export type SunTriggerEvent = 'sunrise' | 'sunset' | 'dawn' | 'dusk' | 'noon' | 'elevation';

export type SystemInfo = {
  readonly version: string;
  readonly uptime_seconds: number;
  readonly memory_bytes: number;
  readonly machine: SystemInfoMachine;
  readonly addresses: readonly string[];
  readonly clock: SystemInfoClock;
  readonly disk: SystemInfoDisk;
};

export type SystemInfoClock = {
  readonly now: string;
  readonly synced: boolean;
};

export type SystemInfoDisk = {
  readonly free_bytes: number | null;
  readonly total_bytes: number | null;
};

export type SystemInfoMachine = {
  readonly hostname: string;
  readonly model: string | null;
  readonly architecture: string;
  readonly operating_system: string | null;
  readonly kernel: string;
  readonly node: string;
  readonly processors: number;
  readonly memory_bytes: number;
  readonly uptime_seconds: number;
};

export type TagName = 'Account' | 'Device' | 'History' | 'Energy' | 'Command' | 'Group' | 'Scene' | 'Automation' | 'Event' | 'Webhook' | 'Exporter' | 'Delivery' | 'Notification' | 'Room' | 'Mode' | 'Variable' | 'Calendar' | 'Presence' | 'Integration' | 'Provider' | 'Hub' | 'Reference';

export type TargetedCommandRequest = {
  readonly targets?: CommandTargets;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly do?: string;
  readonly transition_ms?: number;
  readonly expires_in?: number;
  readonly wishes?: readonly CommandWish[];
};

export type TariffKind = 'fixed' | 'times' | 'pushed';

export type TariffKindInput = 'fixed' | 'times' | 'pushed';

export type TemplateInputKind = 'device' | 'feature' | 'room' | 'scene' | 'text' | 'time' | 'days' | 'boolean' | 'number' | 'choice';

export type TemplateInputKindInput = 'device' | 'feature' | 'room' | 'scene' | 'text' | 'time' | 'days' | 'boolean' | 'number' | 'choice';

export type ThresholdChange = {
  readonly by: number;
  readonly within_s: number;
};

export type ThresholdTrigger = {
  readonly id?: string;
  readonly type: 'threshold';
  readonly device?: Reference;
  readonly group?: Reference;
  readonly any_of?: DeviceSelection;
  readonly key?: string;
  readonly above?: Operand;
  readonly below?: Operand;
  readonly hysteresis?: number;
  readonly for_s?: number;
  readonly grace_s?: number;
  readonly again_after_s?: number;
  readonly change?: ThresholdChange;
};

export type TimeCondition = {
  readonly after?: string;
  readonly before?: string;
  readonly days?: readonly DayOfWeek[];
};

export type TimeTrigger = {
  readonly id?: string;
  readonly type: 'time';
  readonly at?: unknown;
  readonly cron?: string;
  readonly every_s?: number;
  readonly anchor?: string;
  readonly missed?: unknown;
  readonly when_clock_unset?: 'wait' | 'go_by_last';
  readonly days?: readonly DayOfWeek[];
  readonly dates?: readonly string[];
  readonly except_dates?: readonly string[];
};

export type Timeline = {
  readonly lines: readonly TimelineLine[];
  readonly next: string | null;
};

export type TimelineLine = {
  readonly at: string;
  readonly type: TimelineType;
  readonly device: NamedDevice | null;
  readonly feature?: TimelineLineFeature;
  readonly availability?: TimelineLineAvailability;
  readonly command?: TimelineLineCommand;
  readonly integration?: TimelineLineIntegration;
  readonly mode?: TimelineRecord;
  readonly variable?: TimelineRecord;
  readonly presence?: TimelineLinePresence;
  readonly automation?: TimelineLineAutomation;
  readonly run?: TimelineLineRun;
  readonly name?: string;
  readonly skipped?: number;
  readonly cause: Cause | null;
  readonly by: NamedIssuer | null;
};

export type TimelineLineAutomation = {
  readonly id: string;
  readonly selector: string | null;
  readonly name: string | null;
};

export type TimelineLineAvailability = {
  readonly state: AvailabilityState;
};

export type TimelineLineCommand = {
  readonly id: string;
  readonly status: CommandStatus;
  readonly reason: HubText | null;
  readonly code: string | null;
  readonly set: Readonly<Record<string, boolean | number | string | null>>;
};

export type TimelineLineFeature = {
  readonly key: string;
  readonly value?: boolean | number | string;
  readonly action?: string;
};

export type TimelineLineIntegration = {
  readonly id: string;
  readonly status: TimelineLineIntegrationStatus;
  readonly error: string | null;
};

export type TimelineLineIntegrationStatus = 'connected' | 'connecting' | 'needs_action' | 'error' | 'off' | 'removed';

export type TimelineLinePresence = {
  readonly user: TimelineLinePresenceUser;
  readonly state: PresenceState;
};

export type TimelineLinePresenceUser = {
  readonly id: string;
  readonly name: string | null;
};

export type TimelineLineRun = {
  readonly id: string;
  readonly outcome: RunOutcome;
};

export type TimelineRecord = {
  readonly key: string;
  readonly value: boolean | number | string;
};

export type TimelineType = 'feature.changed' | 'feature.occurred' | 'availability.changed' | 'command.finished' | 'device.added' | 'device.removed' | 'device.renamed' | 'integration.changed' | 'hub.started' | 'lines.skipped' | 'mode.changed' | 'variable.changed' | 'presence.changed' | 'automation.run';

export type TimelineTypeInput = 'feature.changed' | 'feature.occurred' | 'availability.changed' | 'command.finished' | 'device.added' | 'device.removed' | 'device.renamed' | 'integration.changed' | 'hub.started' | 'lines.skipped' | 'mode.changed' | 'variable.changed' | 'presence.changed' | 'automation.run';

export type Trigger = FeatureTrigger | ThresholdTrigger | OccurrenceTrigger | TimeTrigger | SunTrigger | HookTrigger | ModeTrigger | VariableTrigger | PresenceTrigger | AvailabilityTrigger | HubTrigger | AutomationTrigger;

export type TriggerCondition = {
  readonly id: unknown;
};

export type Upcoming = {
  readonly today: string;
  readonly workday: boolean;
  readonly days: readonly UpcomingDay[];
  readonly sun: SunDay | null;
  readonly firings: readonly UpcomingFiring[];
};

export type UpcomingDay = {
  readonly date: string;
  readonly workday: boolean;
  readonly calendars: readonly CalendarName[];
};

export type UpcomingFiring = {
  readonly at: string;
  readonly trigger: string;
  readonly dst: ClockChange;
  readonly automation: AutomationReference;
};

export type User = {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly rooms: readonly string[] | null;
  readonly valid_until: string | null;
  readonly ended: boolean;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
};

export type UserCreate = {
  readonly email: string;
  readonly name: string;
  readonly role: RoleInput;
  readonly password: string;
  readonly rooms?: readonly string[] | null;
  readonly valid_until?: string | null;
};

export type UserReference = {
  readonly id: string;
  readonly name: string;
};

export type UserUpdate = {
  readonly email?: string;
  readonly name?: string;
  readonly role?: RoleInput;
  readonly password?: string;
  readonly rooms?: readonly string[] | null;
  readonly valid_until?: string | null;
};

export type Value = unknown;

export type ValueType = 'boolean' | 'number' | 'string' | 'enum' | 'color' | 'object' | 'list' | 'timestamp' | 'any' | 'none';

export type ValueTypeInput = 'boolean' | 'number' | 'string' | 'enum' | 'color' | 'object' | 'list' | 'timestamp' | 'any' | 'none';

export type Variable = {
  readonly key: string;
  readonly name: string;
  readonly type: VariableType;
  readonly value: boolean | number | string;
  readonly min: number | null;
  readonly max: number | null;
  readonly options: readonly string[];
  readonly changed_at: string;
  readonly changed_by: ChangedBy | null;
  readonly revision: number;
};

export type VariableChangedData = {
  readonly variable: Variable;
  readonly gone: boolean;
  readonly at: string;
};

export type VariableChangedEvent = {
  readonly id: string;
  readonly type: VariableChangedType;
  readonly data: VariableChangedData;
};

export type VariableChangedType = 'variable.changed';

export type VariableCondition = {
  readonly variable: string;
  readonly is?: Operand;
  readonly is_not?: Operand;
  readonly above?: Operand;
  readonly below?: Operand;
  readonly between?: readonly Operand[];
};

export type VariableCreate = {
  readonly key: string;
  readonly name: string;
  readonly type: VariableTypeInput;
  readonly value: boolean | number | string;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly options?: readonly string[];
};

export type VariableSetting = {
  readonly value: boolean | number | string;
  readonly key?: unknown;
  readonly name?: unknown;
  readonly type?: unknown;
  readonly min?: unknown;
  readonly max?: unknown;
  readonly options?: unknown;
  readonly changed_at?: unknown;
  readonly changed_by?: unknown;
  readonly revision?: unknown;
};

export type VariableStep = {
  readonly variable: Reference;
  readonly value: Operand;
};

export type VariableTrigger = {
  readonly id?: string;
  readonly type: 'variable';
  readonly variable: Reference;
  readonly to?: unknown;
  readonly from?: unknown;
  readonly for_s?: number;
  readonly grace_s?: number;
};

export type VariableType = 'boolean' | 'number' | 'string' | 'enum' | 'time';

export type VariableTypeInput = 'boolean' | 'number' | 'string' | 'enum' | 'time';

export type VariableUpdate = {
  readonly name?: string;
  readonly min?: number | null;
  readonly max?: number | null;
  readonly options?: readonly string[];
};

export type Vocabulary = {
  readonly capabilities: Readonly<Record<string, VocabularyCapability>>;
  readonly device_types: readonly DeviceType[];
  readonly units: readonly string[];
};

export type VocabularyCapability = {
  readonly kind: FeatureKind;
  readonly value_type: ValueType;
  readonly unit: string | null;
  readonly writable: boolean;
  readonly category: FeatureCategory;
  readonly history: VocabularyCapabilityHistory;
  readonly matter: string | null;
};

export type VocabularyCapabilityHistory = 'gauge' | 'counter' | 'state' | 'event' | 'none';

export type WaitForStep = {
  readonly triggers?: readonly Trigger[];
  readonly condition?: Condition;
  readonly timeout_s: number;
  readonly then?: 'continue' | 'stop';
  readonly late_max_s?: number;
};

export type WallQuestion = {
  readonly name: string;
  readonly address: string;
  readonly expires_in: number;
};

export type WallRequest = {
  readonly id: string;
  readonly secret: string;
  readonly code: string;
  readonly expires_in: number;
};

export type WallRequestAllow = {
  readonly rooms: readonly string[] | null;
  readonly rights: WallRights;
  readonly name?: string;
};

export type WallRequestCreate = {
  readonly name: string;
};

export type WallRequestState = {
  readonly state: WallRequestStateName;
  readonly token?: string;
};

export type WallRequestStateName = 'open' | 'allowed' | 'handed_over' | 'refused';

export type WallRights = 'see' | 'control' | 'doors';

export type Webhook = {
  readonly id: string;
  readonly name: string | null;
  readonly url: string;
  readonly types: readonly string[] | null;
  readonly device: readonly string[] | null;
  readonly room: readonly string[] | null;
  readonly enabled: boolean;
  readonly status: ReceiverStatus;
  readonly failing_since: string | null;
  readonly cursor: string;
  readonly last_delivery: Delivery | null;
  readonly revision: number;
  readonly created_at: string;
  readonly updated_at: string;
};

export type WebhookCreate = {
  readonly url: string;
  readonly name?: string | null;
  readonly types?: readonly WebhookEventType[] | null;
  readonly device?: readonly string[] | null;
  readonly room?: readonly string[] | null;
  readonly enabled?: boolean;
};

export type WebhookEventType = 'device.added' | 'device.changed' | 'device.removed' | 'room.added' | 'room.changed' | 'room.removed' | 'mode.changed' | 'variable.changed' | 'presence.changed' | 'availability.changed' | 'feature.changed' | 'feature.occurred' | 'energy.changed' | 'scene.added' | 'scene.changed' | 'scene.removed' | 'scene.activated' | 'automation.added' | 'automation.changed' | 'automation.removed' | 'automation.run' | 'automation.run.dull' | 'command.changed' | 'integration.added' | 'integration.changed' | 'integration.removed' | 'pairing.changed' | 'notification.added' | 'notification.changed' | 'exporter.changed' | 'exporter.gap' | 'clock.changed';

export type WebhookUpdate = {
  readonly url?: string;
  readonly name?: string | null;
  readonly types?: readonly WebhookEventType[] | null;
  readonly device?: readonly string[] | null;
  readonly room?: readonly string[] | null;
  readonly enabled?: boolean;
};

export type Weekday = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

export type WeekdayInput = 'mon' | 'tue' | 'wed' | 'thu' | 'fri' | 'sat' | 'sun';

export type Why = {
  readonly automation: string;
  readonly version: number | null;
  readonly at: string;
  readonly from: string;
  readonly to: string;
  readonly verdict: WhyVerdict;
  readonly code: WhyCode;
  readonly sentence: HubText;
  readonly fields: WhyFields;
  readonly source: WhySource;
  readonly timeline: readonly WhyLine[];
};

export type WhyCode = 'ran' | 'running' | 'ended_badly' | 'yielded_to_hand' | 'not_met' | 'condition_unknown' | 'busy' | 'queue_full' | 'too_many_runs' | 'loop' | 'tripped' | 'disabled' | 'suspended' | 'broken' | 'clock_unset' | 'missed' | 'hub_off' | 'device_offline' | 'not_crossed' | 'not_armed' | 'for_cancelled' | 'from_was' | 'value_is' | 'moved_by' | 'first_value' | 'value_unknown' | 'not_all' | 'never_was' | 'nothing_happened' | 'not_there_yet' | 'nothing_kept';

export type WhyFields = {
  readonly run?: string;
  readonly outcome?: RunOutcome;
  readonly trigger?: string;
  readonly device?: string;
  readonly key?: string;
  readonly value?: unknown;
  readonly limit?: unknown;
  readonly rearms_at?: unknown;
  readonly by?: string;
  readonly reason?: Reason;
  readonly message?: HubText;
  readonly after_s?: number;
  readonly of_s?: number;
  readonly late_s?: number;
  readonly from?: string;
  readonly to?: string;
  readonly count?: number;
  readonly conditions?: readonly ConditionEvidence[];
  readonly hidden?: boolean;
};

export type WhyLine = {
  readonly at: string;
  readonly code: WhyCode;
  readonly sentence: HubText;
  readonly fields: WhyFields;
};

export type WhySource = 'kept' | 'replay' | 'none';

export type WhyVerdict = 'ran' | 'trigger_never_happened' | 'conditions' | 'device_unknown' | 'busy' | 'loop' | 'yielded_to_hand' | 'disabled' | 'suspended' | 'broken' | 'tripped' | 'clock_unset' | 'hub_off' | 'missed' | 'no_data';
