import type { Device, Feature } from '#web/client/api.ts';
import { FeatureControl } from '#web/controls/feature-control.tsx';
import { RecordingPanel } from '#web/device/history/recording-panel.tsx';
import { useHub } from '#web/hub.ts';
import { useNamedIntegrations } from '#web/readings/use-kinds.ts';
import { Ago } from '#web/parts/ago.tsx';
import { Facts } from '#web/parts/facts.tsx';
import type { DeviceEntry } from '#web/state/home-state.ts';
import { refusalOf, isSensitiveByItself } from '#web/state/account/rights.ts';
import { device as deviceWords } from '#web/strings/en/home/device.ts';
import { page as pageWords } from '#web/strings/en/page.ts';
import { Choice } from '#web/form/choice.tsx';
import { problemWords } from '#web/strings/problem-words.ts';
import { useReportedTask } from '#web/parts/use-task.ts';
import { HubProblem } from '#web/client/hub-problem.ts';
import { Icon } from '#web/parts/icon.tsx';
import { Features } from './features.tsx';

/** The device could not be reached: it may be forgotten anyway. */
const UNREACHED = new Set(['DEVICE_OFFLINE', 'INTEGRATION_DOWN', 'COMMAND_FAILED']);

/** Everything technical, under one fold. */
export function DeviceDetails({ entry }: { readonly entry: DeviceEntry }) {
  const { account } = useHub();
  const device = entry.device.value;
  const canManage = account.can('device:manage');
  const ofCategory = (wanted: string): readonly Feature[] => {
    return device.features.filter(({ kind, category }) => kind !== 'action' && category === wanted);
  };
  return (
    <details class="fold">
      <summary>{deviceWords.details}</summary>
      <div class="device-columns">
        <div class="device-column">
          <Actions entry={entry} />
          <Features title={pageWords.device.config} entry={entry} features={ofCategory('config')} />
          <Features title={pageWords.device.diagnostic} entry={entry} features={ofCategory('diagnostic')} />
          {account.can('history:read') ? <RecordingPanel device={device} /> : null}
        </div>
        <div class="device-column">
          <AboutPanel device={device} />
          {canManage ? <DeviceMarks device={device} /> : null}
          {canManage && device.integration !== 'group' ? <ForgetDevice device={device} /> : null}
        </div>
      </div>
    </details>
  );
}

function Actions({ entry }: { readonly entry: DeviceEntry }) {
  const { account } = useHub();
  const device = entry.device.value;
  const actions = device.features.filter(({ kind }) => kind === 'action');
  if (actions.length === 0) return null;
  const isWhole = refusalOf(account, device) !== undefined;
  const refusal = isWhole ? undefined : actions.map((one) => refusalOf(account, device, one)).find(Boolean);
  return (
    <section class="panel">
      <h2 class="panel-title">{pageWords.device.actions}</h2>
      <div class="actions">
        {actions.map((feature) => (
          <FeatureControl key={feature.key} entry={entry} feature={feature} />
        ))}
      </div>
      {refusal === undefined ? null : <p class="refusal">{refusal}</p>}
    </section>
  );
}

/** Shows what the device is, how it is connected and when it was last seen. */
function AboutPanel({ device }: { readonly device: Device }) {
  const { value: integrations = [] } = useNamedIntegrations();
  const integration = integrations.find(({ id }) => id === device.integration);
  const { last_seen_at: seenAt } = device.availability;
  return (
    <Facts
      title={pageWords.device.about}
      facts={[
        [pageWords.device.lastSeen, seenAt === null ? pageWords.device.never : <Ago key="seen" at={seenAt} />],
        [pageWords.device.manufacturer, device.manufacturer],
        [pageWords.device.model, device.model],
        [pageWords.device.firmware, device.firmware],
        [
          pageWords.device.integration,
          device.integration === 'group' ? null : (integration?.name ?? device.integration),
        ],
        [pageWords.device.address, device.external_id],
        [pageWords.device.selector, <code key="selector">{device.selector}</code>],
      ]}
    />
  );
}

/** Marks what only the household knows: a garage door on a plain plug, the plug of a fridge. */
function DeviceMarks({ device }: { readonly device: Device }) {
  const { account, client } = useHub();
  const { run, isRunning } = useReportedTask(
    (change: { readonly sensitive: boolean } | { readonly all_off: boolean }) =>
      client.call('PATCH', `/device/${device.id}`, change),
  );
  const isAlways = isSensitiveByItself(device);
  // The hub asks for more to take the mark away than to set it.
  const isFixed = isAlways || (device.sensitive && !account.can('hub:manage'));
  if (!device.features.some(({ writable }) => writable)) return null;
  return (
    <section class="panel">
      <h2 class="panel-title">{pageWords.marks.title}</h2>
      <Choice
        type="checkbox"
        label={pageWords.marks.sensitive}
        note={isAlways ? pageWords.marks.always : pageWords.marks.sensitiveNote}
        isChosen={device.sensitive}
        isDisabled={isFixed || isRunning}
        onChoice={(sensitive) => run({ sensitive })}
      />
      {device.features.some(({ capability, writable }) => capability === 'on' && writable) ? (
        <Choice
          type="checkbox"
          label={pageWords.marks.allOff}
          note={pageWords.marks.allOffNote}
          isChosen={device.all_off}
          isDisabled={isRunning}
          onChoice={(isIn) => run({ all_off: isIn })}
        />
      ) : null}
    </section>
  );
}

/** Removes a device from the home: asks first, and asks again if the device does not answer. */
function ForgetDevice({ device }: { readonly device: Device }) {
  const { client, messages, questions, router } = useHub();
  const { forget: words } = pageWords;
  const { run, isRunning } = useReportedTask(async (isForced: boolean) => {
    try {
      await client.call('DELETE', `/device/${device.id}${isForced ? '?force=true' : ''}`);
      messages.show(words.done(device.name));
      router.go('/');
    } catch (cause) {
      if (!(cause instanceof HubProblem) && !(cause instanceof TypeError)) throw cause;
      const failure = problemWords(cause, device.name);
      if (isForced || !(cause instanceof HubProblem && UNREACHED.has(cause.code))) {
        return messages.show(failure, 'danger');
      }
      const text = words.forceText(failure);
      questions.ask(
        { title: words.forceQuestion(device.name), text, confirm: words.forceConfirm, tone: 'danger' },
        () => run(true),
      );
    }
  });
  return (
    <button
      type="button"
      class="button button-danger button-wide"
      disabled={isRunning}
      onClick={() =>
        questions.ask(
          { title: words.question(device.name), text: words.text, confirm: words.confirm, tone: 'danger' },
          () => run(false),
        )
      }
    >
      <Icon name="trash" size={20} />
      {isRunning ? words.busy : words.title}
    </button>
  );
}
