import { useState } from 'preact/hooks';
import type { CreatedApiToken, ApiToken } from '#web/client/api.ts';
import { PanelForm } from '#web/form/panel-form.tsx';
import { SelectField } from '#web/form/select-field.tsx';
import { NAME_INPUT, TextField, FieldError } from '#web/form/text-field.tsx';
import { useForm } from '#web/form/use-form.ts';
import { useHub } from '#web/hub.ts';
import { Notice } from '#web/parts/notice.tsx';
import { PageHead } from '#web/parts/page-head.tsx';
import { settings as settingsWords } from '#web/strings/en/settings/settings.ts';
import { CopyField } from './copy-field.tsx';
import { EVERYWHERE, type Places, PlacesField } from './places-field.tsx';
import { PLACE_RIGHTS } from '#web/client/vocabulary.ts';
import { Choice } from '#web/form/choice.tsx';
import { rightsOf } from '#web/state/account/rights.ts';

const DAY_S = 86_400;
/** Seconds; empty for ever. */
const LIFETIMES = ['', String(7 * DAY_S), String(30 * DAY_S), String(365 * DAY_S)];
const FIELDS = ['name', 'scopes', 'provider', 'rooms', 'devices', 'networks', 'expires_in'];

/** Creates an API token, and shows it this one time. */
export function TokenAddPage() {
  const [added, setAdded] = useState<CreatedApiToken | null>(null);
  return (
    <div class="page narrow">
      <PageHead
        title={added === null ? settingsWords.tokens.addTitle : added.name}
        back={{ href: '/settings/tokens', label: settingsWords.tokens.title }}
      />
      {added === null ? <NewToken onAdded={setAdded} /> : <ShownOnce token={added.token} />}
    </div>
  );
}

function ShownOnce({ token }: { readonly token: string }) {
  return (
    <>
      <div class="panel form">
        <Notice tone="warn" text={settingsWords.tokens.shownOnce} />
        <CopyField label={settingsWords.tokens.token} value={token} />
        <div class="field">
          <p class="field-label">{settingsWords.tokens.example}</p>
          <code class="code code-block">{settingsWords.tokens.curl(location.origin)}</code>
        </div>
      </div>
      <a class="button button-main" href="/settings/tokens">
        {settingsWords.tokens.done}
      </a>
    </>
  );
}

function NewToken({ onAdded }: { readonly onAdded: (token: CreatedApiToken) => void }) {
  const { client, account } = useHub();
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<ChosenScopes>('read');
  const [provider, setProvider] = useState('');
  const [places, setPlaces] = useState<Places>(EVERYWHERE);
  const [networks, setNetworks] = useState('');
  const [lifetime, setLifetime] = useState('');
  const form = useForm(FIELDS);
  const { rooms, devices } = places;
  // Scopes for the whole home cannot be limited to a part of it.
  const role = account.me.value?.role ?? '';
  const given = scopesOf(chosen, role).filter((scope) => !places.isLimited || canBeLimited(scope));
  const hasPlaces = !places.isLimited || rooms.size + devices.size > 0;
  const add = async (): Promise<void> => {
    const addresses = networks.split(/[\s,;]+/).filter((one) => one !== '');
    const wanted = {
      name: name.trim(),
      scopes: given,
      ...(given.includes('device:provide') ? { provider: provider.trim() } : {}),
      ...(places.isLimited && rooms.size > 0 ? { rooms: [...rooms] } : {}),
      ...(places.isLimited && devices.size > 0 ? { devices: [...devices] } : {}),
      ...(addresses.length === 0 ? {} : { networks: addresses }),
      ...(lifetime === '' ? {} : { expires_in: Number(lifetime) }),
    };
    onAdded(await client.call<CreatedApiToken>('POST', '/api_token', wanted));
  };
  return (
    <PanelForm
      form={form}
      submit={settingsWords.tokens.make}
      busy={settingsWords.tokens.making}
      isIdle={given.length === 0 || !hasPlaces}
      needed={{ name, ...(given.includes('device:provide') ? { provider } : {}) }}
      onSubmit={add}
    >
      <TextField
        label={settingsWords.tokens.name}
        value={name}
        onValue={setName}
        hint={settingsWords.tokens.nameHint}
        error={form.faults['name']}
        input={NAME_INPUT}
      />
      <ScopesField
        role={role}
        isLimited={places.isLimited}
        value={chosen}
        onValue={setChosen}
        provider={provider}
        onProvider={setProvider}
        faults={form.faults}
      />
      <PlacesField value={places} onValue={setPlaces} error={form.faults['rooms'] ?? form.faults['devices']} />
      <SelectField
        label={settingsWords.tokens.expires}
        value={lifetime}
        onValue={setLifetime}
        options={LIFETIMES.map((seconds, index) => [seconds, settingsWords.tokens.lifetimes[index] ?? seconds])}
      />
      <TextField
        label={settingsWords.tokens.networks}
        value={networks}
        onValue={setNetworks}
        hint={settingsWords.tokens.networksHint}
        error={form.faults['networks']}
        input={{ autocapitalize: 'off', spellcheck: false }}
      />
    </PanelForm>
  );
}

type TokenScope = ApiToken['scopes'][number];
/** In the order in which they are offered. */
const SCOPES = Object.keys(settingsWords.tokens.scopes) as readonly TokenScope[];
const CAN_BE_LIMITED: ReadonlySet<string> = new Set(PLACE_RIGHTS);

/** Whether it can be limited to some rooms and devices. */
function canBeLimited(scope: TokenScope): boolean {
  return CAN_BE_LIMITED.has(scope);
}

/** The usual scripts, and the scopes that each needs. */
const PRESETS = {
  read: ['device:read', 'event:read', 'history:read', 'notification:read', 'automation:read'],
  control: ['device:read', 'event:read', 'device:control', 'scene:run'],
  bring: ['device:provide'],
  prometheus: ['metrics:read'],
} as const satisfies Readonly<Record<string, readonly TokenScope[]>>;
type Preset = keyof typeof PRESETS;

/** A usual script, or scope by scope. */
type ChosenScopes = Preset | ReadonlySet<TokenScope>;

/** The scopes that a person of this role can give. The hub checks again at each use. */
function scopesOf(chosen: ChosenScopes, role: string): readonly TokenScope[] {
  const own = rightsOf(role);
  return (typeof chosen === 'string' ? [...PRESETS[chosen]] : [...chosen]).filter((scope) => own.includes(scope));
}

type Props = {
  readonly role: string;
  /** To some rooms and devices. */
  readonly isLimited: boolean;
  readonly value: ChosenScopes;
  readonly onValue: (scopes: ChosenScopes) => void;
  /** The name for which the script may speak, if it has devices of its own. */
  readonly provider: string;
  readonly onProvider: (name: string) => void;
  readonly faults: { readonly [field: string]: string | undefined };
};

/** Asks what a token may do, among what its person may: by what it is for, or right by right. */
function ScopesField({ role, isLimited, value, onValue, provider, onProvider, faults }: Props) {
  const own = rightsOf(role);
  const scopes = scopesOf(value, role);
  const choose = (scope: TokenScope, isChosen: boolean): void =>
    onValue(new Set(isChosen ? [...scopes, scope] : scopes.filter((one) => one !== scope)));
  return (
    <>
      <fieldset class="choice-list">
        <legend class="field-label">{settingsWords.tokens.may}</legend>
        {(Object.keys(PRESETS) as readonly Preset[])
          .filter((preset) => own.includes(PRESETS[preset][0]))
          .map((preset) => (
            <Choice
              key={preset}
              type="radio"
              name="preset"
              label={settingsWords.tokens.presets[preset]}
              note={settingsWords.tokens.presetNotes[preset]}
              isChosen={value === preset}
              onChoice={() => onValue(preset)}
            />
          ))}
      </fieldset>
      {scopes.includes('device:provide') && !isLimited ? (
        <TextField
          label={settingsWords.tokens.provider}
          value={provider}
          onValue={onProvider}
          hint={settingsWords.tokens.providerHint}
          error={faults['provider']}
          input={{ autocapitalize: 'off', spellcheck: false, maxLength: 32 }}
        />
      ) : null}
      <details class="more" open={faults['scopes'] !== undefined}>
        <summary>{settingsWords.tokens.each}</summary>
        <fieldset class="choice-list">
          <legend class="unseen">{settingsWords.tokens.each}</legend>
          {SCOPES.filter((scope) => own.includes(scope)).map((scope) => {
            const isOut = isLimited && !canBeLimited(scope);
            return (
              <Choice
                key={scope}
                type="checkbox"
                label={settingsWords.tokens.scopes[scope]}
                note={isOut ? settingsWords.tokens.wholeHomeOnly : settingsWords.tokens.scopeNotes[scope]}
                isChosen={scopes.includes(scope) && !isOut}
                isDisabled={isOut}
                onChoice={(isIn) => choose(scope, isIn)}
              />
            );
          })}
          <FieldError text={faults['scopes']} />
        </fieldset>
      </details>
    </>
  );
}
