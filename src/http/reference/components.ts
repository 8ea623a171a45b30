import {
  energyAmountSchema,
  energyAnswerSchema,
  energyBalanceSchema,
  energyBucketSchema,
  energyCostSchema,
} from '#http/energy/json.ts';
import { energyPricesSchema } from '#http/energy/price.ts';
import { energyDeletionSchema } from '#http/energy/deletion.ts';
import { energyRangeSchema, recalculatedSchema } from '#http/energy/routes.ts';
import { energySettingsBodySchema, energySettingsSchema, tariffSchema } from '#http/energy/settings-json.ts';
import { historyGapSchema, historySchema, historySeriesSchema } from '#http/history/json.ts';
import { historySettingsSchema, historySettingsUpdateSchema } from '#http/history/settings.ts';
import { historyDeletionSchema } from '#http/history/deletion.ts';
import { recordingSchema, recordingUpdateSchema } from '#http/history/recording.ts';
import { timelineLineSchema, timelineSchema } from '#http/history/timeline-json.ts';
import { importResultSchema } from '#http/history/import.ts';
import { recordedSeriesSchema } from '#http/history/series.ts';
import type { z } from 'zod/mini';
import { apiRootSchema } from './api-root.ts';
import { commandRequestSchema, targetedCommandSchema, targetsSchema, wishSchema } from '#http/command/routes.ts';
import {
  integrationErrorSchema,
  integrationUpdateSchema,
  besidesSchemas,
  integrationSchema,
  integrationCreateSchema,
  settingMapSchema,
  settingSchema,
} from '#http/integration/json.ts';
import { pairingSchemas } from '#http/integration/pairing-json.ts';
import { releasedSettingsSchema } from '#http/integration/released-settings.ts';
import { foundSchema } from '#http/integration-found/json.ts';
import { settingValueSchemas, integrationKindSchema, settingFieldSchema } from '#http/integration-kind/json.ts';
import {
  integrationSetupSchema,
  setupAnswerSchema,
  setupCreateSchema,
  setupErrorSchema,
  setupStepSchema,
} from '#http/integration-setup/json.ts';
import { documentSchema } from './openapi-route.ts';
import { kindSchema, problemSchema } from './problems.ts';
import {
  commandAnswerSchema,
  declaredDeviceSchema,
  declaredFeatureSchema,
  providedDeviceSchema,
  providerCommandSchema,
  providerCommandsSchema,
  providerSchema,
  providerUpdateSchema,
  stateAnswerSchema,
  stateReportSchema,
  stateSchema,
} from '#http/provider/json.ts';
import { personPresenceSchema, presenceSchema, presenceTellSchema, presenceUpdateSchema } from '#http/presence/json.ts';
import { modeCreateSchema, modeSchema, modeSettingSchema, modeUpdateSchema } from '#http/mode/json.ts';
import { VARIABLE_COMPONENTS } from '#http/variable/json.ts';
import { GROUP_COMPONENTS } from '#http/group/json.ts';
import { REPLACE_COMPONENTS } from '#http/automation/replace/routes.ts';
import { TEMPLATE_COMPONENTS } from '#http/automation-template/json.ts';
import { AUTOMATION_COMPONENTS } from '#http/automation/json.ts';
import { AUTOMATION_TRANSFER_COMPONENTS } from '#http/automation/transfer/json.ts';
import { RUN_COMPONENTS } from '#http/automation-run/why-json.ts';
import { dryRunSchema } from '#http/automation/start/dry-run.ts';
import { automationStartedSchema, automationStartSchema } from '#http/automation/start/routes.ts';
import { hookBodySchema, hookCalledSchema, hookSecretSchema } from '#http/automation/hook/routes.ts';
import { SCENE_COMPONENTS } from '#http/scene/json.ts';
import { SIMULATION_COMPONENTS } from '#http/simulation/json.ts';
import { EXPORTER_COMPONENTS } from '#http/exporter/json.ts';
import { roomCreateSchema, roomUpdateSchema, roomSchema } from '#http/room/json.ts';
import {
  loginSchema,
  refreshedSchema,
  refreshSchema,
  sessionSchema,
  setupSchema,
  signedInSchema,
} from '#http/session/json.ts';
import {
  auditEntrySchema,
  backupDetailSchema,
  backupSchema,
  healthSchema,
  hubSchema,
  hubUpdateSchema,
  recoverySchema,
  systemInfoSchema,
} from '#http/system/json.ts';
import { homeViewBodySchema, homeViewSchema } from '#http/user/home-view.ts';
import {
  meSchema,
  meUpdateSchema,
  ownSchema,
  quietHoursSchema,
  passwordChangeSchema,
  passwordCheckSchema,
  userCreateSchema,
  userSchema,
  userUpdateSchema,
} from '#http/user/json.ts';
import { notificationActionSchema } from '#http/notification/actions.ts';
import {
  notificationCreateSchema,
  notificationDeliverySchema,
  notificationSchema,
  notificationSourceSchema,
} from '#http/notification/json.ts';
import { notificationSettingsSchema, notificationSettingsUpdateSchema } from '#http/notification/settings.ts';
import {
  channelAttemptSchema,
  channelCreateSchema,
  channelSchema,
  channelUpdateSchema,
  createdChannelSchema,
} from '#http/notification-channel/json.ts';
import { vocabularySchema } from './vocabulary.ts';
import { apiTokenSchema, createdApiTokenSchema, apiTokenCreateSchema } from '#http/api-token/json.ts';
import { CALENDAR_COMPONENTS } from '#http/calendar/json.ts';
import { PLACE_COMPONENTS } from '#http/place/json.ts';
import { causeSchema, commandSchema } from '#http/command/json.ts';
import { deviceSchema, deviceUpdateSchema, featureSchema, featureUpdateSchema } from '#http/device/json.ts';
import { deviceReferenceSchema, energyPowersSchema } from '#http/event/json.ts';
import { deliveryBodySchema, eventPageSchema, EVENTS, eventSchema } from '#http/event/page.ts';
import { WEBHOOK_COMPONENTS } from '#http/webhook/json.ts';
import { fieldErrorSchema } from '#http/answer/problem.ts';

/** `device.added` → `DeviceAdded`. */
function nameOfType(type: string): string {
  return type.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
}
/**
 * `DeviceAddedEvent`, with `DeviceAddedType` for its type and `DeviceAddedData` for its data. The type has a name because
 * a generated client in Go checks an enum only if it has a name, and some events differ only in their type.
 */
const EVENTS_BY_NAME = Object.fromEntries(
  EVENTS.flatMap((event) => {
    const { type, data } = event.shape;
    const name = nameOfType(type.options[0] ?? '');
    return [
      [`${name}Event`, event],
      [`${name}Type`, type],
      [`${name}Data`, data],
    ];
  }),
);

/** The schemas that have a name in the document. A name never changes: generated clients name their types by it. */
export const COMPONENTS = {
  ApiRoot: apiRootSchema,
  ApiToken: apiTokenSchema,
  AuditEntry: auditEntrySchema,
  Availability: deviceSchema.shape.availability,
  Backup: backupSchema,
  BackupDetail: backupDetailSchema,
  Cause: causeSchema,
  Command: commandSchema,
  CommandRequest: commandRequestSchema,
  CommandResult: commandSchema.shape.results.def.element,
  CommandTargets: targetsSchema,
  CommandWish: wishSchema,
  CreatedApiToken: createdApiTokenSchema,
  DatabaseRecovery: recoverySchema,
  DeliveryBody: deliveryBodySchema,
  Device: deviceSchema,
  DeviceUpdate: deviceUpdateSchema,
  DeviceReference: deviceReferenceSchema,
  EnergyAmount: energyAmountSchema,
  EnergyAnswer: energyAnswerSchema,
  EnergyBalance: energyBalanceSchema,
  EnergyBucket: energyBucketSchema,
  EnergyCost: energyCostSchema,
  EnergyDeletion: energyDeletionSchema,
  EnergyPowers: energyPowersSchema,
  EnergyPrices: energyPricesSchema,
  EnergyRange: energyRangeSchema,
  EnergyRecalculated: recalculatedSchema,
  EnergySettings: energySettingsSchema,
  EnergySettingsUpdate: energySettingsBodySchema,
  EnergyTariff: tariffSchema,
  Event: eventSchema,
  EventPage: eventPageSchema,
  ...CALENDAR_COMPONENTS,
  ...EXPORTER_COMPONENTS,
  ...PLACE_COMPONENTS,
  ...WEBHOOK_COMPONENTS,
  Feature: featureSchema,
  FeatureUpdate: featureUpdateSchema,
  FieldError: fieldErrorSchema,
  Health: healthSchema,
  HistoryAnswer: historySchema,
  HistoryGap: historyGapSchema,
  HistorySeries: historySeriesSchema,
  HistoryImport: importResultSchema,
  Timeline: timelineSchema,
  TimelineLine: timelineLineSchema,
  RecordedSeries: recordedSeriesSchema,
  Hub: hubSchema,
  HubUpdate: hubUpdateSchema,
  Integration: integrationSchema,
  IntegrationUpdate: integrationUpdateSchema,
  IntegrationError: integrationErrorSchema,
  IntegrationSettings: releasedSettingsSchema,
  IntegrationCreate: integrationCreateSchema,
  ...besidesSchemas,
  Setting: settingSchema,
  ...settingValueSchemas,
  SettingMap: settingMapSchema,
  IntegrationKind: integrationKindSchema,
  IntegrationFound: foundSchema,
  IntegrationSetup: integrationSetupSchema,
  IntegrationSetupCreate: setupCreateSchema,
  IntegrationSetupAnswer: setupAnswerSchema,
  IntegrationSetupError: setupErrorSchema,
  IntegrationSetupStep: setupStepSchema,
  SettingField: settingFieldSchema,
  LoginRequest: loginSchema,
  Me: meSchema,
  OwnAccount: ownSchema,
  QuietHours: quietHoursSchema,
  HomeView: homeViewSchema,
  HomeViewSet: homeViewBodySchema,
  MeUpdate: meUpdateSchema,
  ApiTokenCreate: apiTokenCreateSchema,
  Notification: notificationSchema,
  NotificationCreate: notificationCreateSchema,
  NotificationAction: notificationActionSchema,
  NotificationDelivery: notificationDeliverySchema,
  CreatedNotificationChannel: createdChannelSchema,
  NotificationAttempt: channelAttemptSchema,
  NotificationChannel: channelSchema,
  NotificationChannelCreate: channelCreateSchema,
  NotificationChannelUpdate: channelUpdateSchema,
  NotificationSettings: notificationSettingsSchema,
  NotificationSettingsUpdate: notificationSettingsUpdateSchema,
  NotificationSource: notificationSourceSchema,
  RoomCreate: roomCreateSchema,
  ...GROUP_COMPONENTS,
  ...SCENE_COMPONENTS,
  ...AUTOMATION_COMPONENTS,
  ...AUTOMATION_TRANSFER_COMPONENTS,
  ...SIMULATION_COMPONENTS,
  ...RUN_COMPONENTS,
  AutomationStart: automationStartSchema,
  AutomationStarted: automationStartedSchema,
  HookBody: hookBodySchema,
  HookCalled: hookCalledSchema,
  HookSecret: hookSecretSchema,
  AutomationDryRun: dryRunSchema,
  ...REPLACE_COMPONENTS,
  ...TEMPLATE_COMPONENTS,
  UserCreate: userCreateSchema,
  OpenApiDocument: documentSchema,
  ...pairingSchemas,
  PasswordChange: passwordChangeSchema,
  PasswordCheck: passwordCheckSchema,
  Problem: problemSchema,
  ProblemKind: kindSchema,
  Provider: providerSchema,
  ProviderUpdate: providerUpdateSchema,
  ProviderDevice: declaredDeviceSchema,
  ProviderFeature: declaredFeatureSchema,
  ProvidedDevice: providedDeviceSchema,
  ProviderState: stateSchema,
  ProviderReport: stateReportSchema,
  ProviderStateAnswer: stateAnswerSchema,
  ProviderCommand: providerCommandSchema,
  ProviderCommands: providerCommandsSchema,
  ProviderCommandAnswer: commandAnswerSchema,
  HistoryDeletion: historyDeletionSchema,
  HistorySettings: historySettingsSchema,
  HistorySettingsUpdate: historySettingsUpdateSchema,
  Recording: recordingSchema,
  RecordingUpdate: recordingUpdateSchema,
  RefreshRequest: refreshSchema,
  RefreshedToken: refreshedSchema,
  Room: roomSchema,
  Presence: presenceSchema,
  PersonPresence: personPresenceSchema,
  PresenceTell: presenceTellSchema,
  PresenceUpdate: presenceUpdateSchema,
  Mode: modeSchema,
  ModeCreate: modeCreateSchema,
  ModeSetting: modeSettingSchema,
  ModeUpdate: modeUpdateSchema,
  ...VARIABLE_COMPONENTS,
  RoomUpdate: roomUpdateSchema,
  RoomReference: deviceSchema.shape.room.def.innerType,
  Session: sessionSchema,
  SetupRequest: setupSchema,
  SignedIn: signedInSchema,
  SystemInfo: systemInfoSchema,
  TargetedCommandRequest: targetedCommandSchema,
  User: userSchema,
  UserUpdate: userUpdateSchema,
  Vocabulary: vocabularySchema,
  ...EVENTS_BY_NAME,
} satisfies Record<string, z.core.$ZodType>;
