import { useEffect } from 'preact/hooks';
import type { BridgeCodes, BridgeFabric } from '#web/client/api.ts';
import { useHub } from '#web/hub.ts';
import { Countdown } from '#web/integrations/pairing/pairing-panel.tsx';
import { Icon } from '#web/parts/icon.tsx';
import { QrCode } from '#web/tokens/qr-code.tsx';
import { Notice } from '#web/parts/notice.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { CopyField } from '#web/tokens/copy-field.tsx';
import { useReportedTask } from '#web/parts/use-task.ts';
import { codeGroups } from './bridge-codes.ts';
import { useBridgeWindow } from './bridge-window.ts';
import type { IntegrationShown } from '#web/strings/kind-words.ts';

/** The size of the code on the screen, in pixels: a telephone reads it from an arm's length. */
const CODE_SIZE = 232;

type Props = {
  readonly of: IntegrationShown;
  /** The same function each time. */
  readonly onChanged: () => Promise<void>;
  /** The first look at it opens it. */
  readonly opensAtOnce?: boolean;
};

/** Lets the apps of other makers take the bridge in, and shows which have it. */
export function BridgePanel({ of: integration, onChanged, opensAtOnce = false }: Props) {
  const { account } = useHub();
  const { closesMs, isBusy, fault, ended, open, close } = useBridgeWindow(integration, onChanged);
  const { pairing } = integration;
  const isOpen = closesMs !== null;
  const mayOpen = account.can('hub:manage') && account.can('device:manage');
  useEffect(() => {
    if (opensAtOnce && mayOpen && !isOpen) open();
  }, []);
  return (
    <>
      <section class="panel setup-step">
        <h2 class="form-title">{settingsWords.bridge.title}</h2>
        <p class="unseen" role="status">
          {isOpen ? settingsWords.bridge.isOpen : ''}
        </p>
        {fault === undefined ? null : <Notice tone="danger" text={fault} />}
        {ended === null || isOpen ? null : <Notice text={settingsWords.bridge.ended(ended)} />}
        <p>{isOpen ? settingsWords.bridge.how : settingsWords.bridge.intro}</p>
        {pairing === undefined ? null : <Codes of={pairing} />}
        {isOpen ? <p class="soft">{settingsWords.bridge.uncertified}</p> : null}
        {mayOpen ? (
          <div class="pairing-row">
            <button
              type="button"
              class={isOpen ? 'button' : 'button button-main'}
              aria-disabled={isBusy}
              onClick={isOpen ? close : open}
            >
              <Icon name={isOpen ? 'stop' : 'link'} size={20} />
              {isOpen ? settingsWords.bridge.close : isBusy ? settingsWords.bridge.opening : settingsWords.bridge.open}
            </button>
            {isOpen ? (
              <Countdown closesMs={closesMs} label={settingsWords.setup.timer} words={settingsWords.bridge.left} />
            ) : null}
          </div>
        ) : null}
      </section>
      <JoinedHomes of={integration} onChanged={onChanged} />
    </>
  );
}

function Codes({ of: { manual_code: code, qr } }: { readonly of: BridgeCodes }) {
  const number = codeGroups(code);
  return (
    <>
      <QrCode text={qr} label={settingsWords.bridge.qr(number)} size={CODE_SIZE} />
      <div class="setup-code">
        <CopyField label={settingsWords.bridge.number} value={number} hasFocus={false} />
      </div>
    </>
  );
}

type JoinedHomesProps = { readonly of: IntegrationShown; readonly onChanged: () => Promise<void> };

/** The homes that have a bridge. Strangers have named them. */
function JoinedHomes({ of: { id, fabrics = [] }, onChanged }: JoinedHomesProps) {
  const { client, messages, questions } = useHub();
  // A home that was gone already is not in the list any more either: it is read again after a refusal too.
  const { run, isRunning } = useReportedTask(async ({ id: fabric, label }: BridgeFabric) => {
    await client.call('DELETE', `/integration/${encodeURIComponent(id)}/fabric/${fabric}`);
    messages.show(settingsWords.bridge.removed(label));
  }, onChanged);
  const ask = (fabric: BridgeFabric): void => {
    const { removeTitle: title, removeText: text, removeIt: confirm } = settingsWords.bridge;
    questions.ask({ title: title(fabric.label), text, confirm, tone: 'danger' }, () => run(fabric));
  };
  return (
    <section>
      <h2 class="rows-title">{settingsWords.bridge.homes}</h2>
      {fabrics.length === 0 ? (
        <p class="panel soft">{settingsWords.bridge.noHomes}</p>
      ) : (
        <ul class="rows">
          {fabrics.map((fabric) => (
            <li key={fabric.id} class="row">
              <Icon name="room" />
              <span class="row-text">
                <bdi class="row-title">{fabric.label}</bdi>
                {fabric.vendor === null || fabric.vendor === fabric.label ? null : (
                  <span class="row-note">{fabric.vendor}</span>
                )}
              </span>
              <button
                type="button"
                class="button"
                aria-label={settingsWords.bridge.removeOne(fabric.label)}
                aria-disabled={isRunning}
                onClick={() => ask(fabric)}
              >
                {settingsWords.bridge.remove}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
