import type { audit as english } from '#web/strings/en/settings/audit.ts';
import { counted, listed } from '#web/strings/de/grammar.ts';
import type { Translation } from '#words/texts.ts';

type Words = Readonly<Record<string, string>>;

export const audit: Translation<typeof english> = {
  title: 'Protokoll',
  filter: 'Zeigen',
  filters: { all: 'Alles', changes: 'Änderungen', doors: 'Türen', logins: 'Anmeldungen', refusals: 'Abgelehnt' },
  empty: 'Keine Einträge dieser Art.',
  older: 'Ältere Einträge zeigen',
  end: 'Keine älteren Einträge.',
  gone: 'Jemand, dessen Konto entfernt wurde,',
  console: 'Jemand an der Befehlszeile des Hubs',
  hub: 'Der Hub',
  from: (peer) => `Von ${peer}`,
  byToken: 'mit einem API-Token',
  times: (count) => `${count}-mal`,
  timesSince: (count, since) => `${count}-mal seit ${since}`,
  clockUnset:
    'Zeiten mit ≈ hat kein Zeitserver bestätigt: Sie folgen der Angabe eines Menschen oder sind geschätzt. Die Reihenfolge stimmt.',
  marks: {
    'in all off by its type': 'bei „Alles aus“ nach seiner Art',
    'not in all off': 'bleibt bei „Alles aus“ an',
    'in all off': 'geht bei „Alles aus“ aus',
    'not sensitive': 'nicht geschützt',
    sensitive: 'geschützt',
  },
  details: {
    automation: (who, name, done) => `${who} hat die Automation ${name} ${done}.`,
    done: {
      changed: 'geändert',
      started: 'gestartet',
      stopped: 'gestoppt',
      reset: 'wieder freigegeben',
      reverted: 'auf eine frühere Version zurückgesetzt',
      enabled: 'eingeschaltet',
      disabled: 'ausgeschaltet',
      signed: 'freigegeben',
      restored: 'wiederhergestellt',
    },
    resumed: (who) => `${who} hat alle Automationen weiterlaufen lassen.`,
    template: (who, id, isRemoved) => `${who} hat die Vorlage ${id} ${isRemoved ? 'entfernt' : 'geändert'}.`,
    replaced: (who, from, to) => `${who} hat in Automationen ${from} durch ${to} ersetzt.`,
    kept: (days, size, rules) =>
      listed([
        counted(days, 'Tag', 'Tage'),
        ...(size === null ? [] : [`höchstens ${size}`]),
        counted(rules, 'Regel', 'Regeln'),
      ]),
    series: (count) => counted(count, 'Messreihe', 'Messreihen'),
    consumers: (count) => counted(count, 'Verbraucher', 'Verbraucher'),
    switched: (what, isOn) => `„${what}“ ${isOn ? 'an' : 'aus'}`,
  },
  sentences: {
    'hub.claimed': ({ who }) => `${who} hat diesen Hub übernommen.`,
    'user.added': ({ who, whom, detail }) =>
      detail === null ? `${who} hat ${whom} hinzugefügt.` : `${who} hat ${whom} hinzugefügt, als ${detail}.`,
    'user.changed': ({ who, whom, isOwn, detail }) =>
      isOwn
        ? `${who} hat das eigene Konto geändert${fields(detail)}.`
        : `${who} hat das Konto von ${whom} geändert${fields(detail)}.`,
    'user.ended': ({ who }) => `Das Konto von ${who} wurde geschlossen, weil seine Zeit vorbei war.`,
    'user.removed': ({ who }) => `${who} hat ein Konto entfernt.`,
    'password.changed': ({ who, whom, isOwn }) =>
      isOwn ? `${who} hat das eigene Passwort geändert.` : `${who} hat für ${whom} ein neues Passwort gesetzt.`,
    'api_token.added': ({ who }) => `${who} hat ein API-Token angelegt.`,
    'api_token.removed': ({ who, whom, isOwn }) =>
      isOwn ? `${who} hat ein API-Token widerrufen.` : `${who} hat ein API-Token von ${whom} widerrufen.`,
    'backup.made': ({ who }) => `${who} hat eine Sicherung angelegt.`,
    'backup.downloaded': ({ who }) => `${who} hat eine Sicherung heruntergeladen.`,
    'backup.restored': ({ who }) => `${who} hat eine Sicherung wiederhergestellt.`,
    'history.imported': ({ who }) => `${who} hat Verlauf importiert.`,
    'hub.renamed': ({ who }) => `${who} hat den Hub umbenannt.`,
    'hub.changed': ({ who }) => `${who} hat Sprache, Ort oder Zeit des Hubs geändert.`,
    'integration.added': ({ who, detail }) => `${who} hat die Integration ${detail} hinzugefügt.`,
    'integration.changed': ({ who, detail }) => `${who} hat Einstellungen geändert: ${changed(detail)}.`,
    'integration.removed': ({ who, detail }) => `${who} hat die Integration ${removed(detail)} entfernt.`,
    'integration.ignored': ({ who, detail }) =>
      `${who} hat etwas der Art ${detail} ausgeblendet, das der Hub gefunden hat.`,
    'integration.restored': ({ who, detail }) =>
      `${who} blendet etwas der Art ${detail}, das der Hub gefunden hat, nicht mehr aus.`,
    'pairing.opened': ({ who }) => `${who} hat neue Geräte zugelassen.`,
    'automation.added': ({ who, detail }) => `${who} hat die Automation ${detail} hinzugefügt.`,
    'automation.changed': ({ who, detail }) => `${who} hat die Automation ${detail} geändert.`,
    'automation.called': ({ detail }) => `Der Hook ${detail} wurde aufgerufen.`,
    'automation.removed': ({ who, detail }) => `${who} hat die Automation ${detail} in den Papierkorb gelegt.`,
    'device.removed': ({ who, detail }) => `${who} hat das Gerät ${detail} entfernt.`,
    'device.marked': ({ who, detail }) => `${who} hat ein Gerät markiert: ${detail}.`,
    'recording.changed': ({ who, detail }) => `${who} hat geändert, was aufgezeichnet wird: ${detail}.`,
    'history.changed': ({ who, detail }) => `${who} hat geändert, wie lange der Verlauf bleibt: ${detail}.`,
    'history.deleted': ({ who, detail }) => `${who} hat Verlauf gelöscht: ${detail}.`,
    'energy.changed': ({ who }) => `${who} hat die Energieeinstellungen geändert.`,
    'energy.deleted': ({ who, detail }) => `${who} hat Energiewerte gelöscht: ${detail}.`,
    'energy.recalculated': ({ who, detail }) => `${who} hat die Energiekosten ab ${detail} neu berechnet.`,
    'webhook.added': ({ who, detail }) => `${who} hat einen Webhook an ${detail} hinzugefügt.`,
    'webhook.changed': ({ who, detail }) => `${who} hat den Webhook an ${detail} geändert.`,
    'webhook.removed': ({ who, detail }) => `${who} hat den Webhook an ${detail} entfernt.`,
    'notification_channel.added': ({ who, detail }) => `${who} hat den Mitteilungsweg ${detail} hinzugefügt.`,
    'notification_channel.changed': ({ who, detail }) => `${who} hat den Mitteilungsweg ${detail} geändert.`,
    'notification_channel.removed': ({ who, detail }) => `${who} hat den Mitteilungsweg ${detail} entfernt.`,
    'notification.changed': ({ who, detail }) => `${who} hat Mitteilungen geändert: ${detail}.`,
    'exporter.added': ({ who, detail }) => `${who} hat einen Export an ${detail} hinzugefügt.`,
    'exporter.changed': ({ who, detail }) => `${who} hat den Export an ${detail} geändert.`,
    'exporter.removed': ({ who, detail }) => `${who} hat den Export an ${detail} entfernt.`,
    'exporter.replayed': ({ who, detail }) => `${who} hat den Verlauf noch einmal an ${detail} gesendet.`,
    'command.given': ({ who, detail }) => `${who} hat einen Befehl an ${detail} gesendet.`,
    'token.reused': ({ whom }) =>
      `Eine Anmeldung von ${whom} wurde beendet, weil ihr Token zweimal benutzt wurde und vielleicht gestohlen ist. Ändere im Zweifel das Passwort.`,
    'login.succeeded': ({ who }) => `${who} hat sich angemeldet.`,
    'session.revoked': ({ who, detail }) =>
      detail === 'logout'
        ? `${who} hat sich abgemeldet.`
        : detail === 'all_others'
          ? `${who} hat sich überall sonst abgemeldet.`
          : `${who} hat eine Anmeldung beendet.`,
    'login.failed': ({ whom }) =>
      whom === null
        ? 'Jemand hat versucht, sich mit einer unbekannten E-Mail-Adresse anzumelden.'
        : `Jemand hat versucht, sich als ${whom} mit einem falschen Passwort anzumelden.`,
    'login.throttled': ({ whom }) =>
      whom === null
        ? 'Zu viele Anmeldeversuche wurden gebremst.'
        : `Zu viele Versuche, sich als ${whom} anzumelden, wurden gebremst.`,
    'wall_code.refused': ({ who }) => `${who} hat Ziffern eines Wand-Tablets eingegeben, die kein Tablet zeigt.`,
    'password.refused': ({ who }) => `${who} hat auf Nachfrage ein falsches Passwort eingegeben.`,
    'claim.failed': () => 'Jemand hat einen falschen Einrichtungscode eingegeben.',
    'token.refused': () => 'Jemand hat ein ungültiges Token benutzt.',
    'request.refused': ({ detail }) => `Eine Anfrage wurde abgelehnt${refusal(detail)}.`,
  },
};

const FIELDS: Words = { email: 'E-Mail-Adresse', name: 'Name', password: 'Passwort', role: 'Rolle' };

function fields(detail: string | null): string {
  const names = (detail ?? '').split(',').flatMap((name) => FIELDS[name] ?? []);
  return names.length === 0 ? '' : `: ${listed(names)}`;
}

const SETTINGS: Words = {
  address: 'Adresse',
  base_topic: 'Basis-Topic',
  enabled: 'an oder aus',
  name: 'Name',
  password: 'Passwort',
  user: 'Benutzer',
};

function removed(detail: string | null): string {
  const [id = '', devices] = (detail ?? '').split(' ');
  return devices === 'remove' ? `${id} und ihre Geräte` : id;
}

function changed(detail: string | null): string {
  const [id = '', names = ''] = (detail ?? '').split(' ');
  const words = names.split(',').flatMap((name) => SETTINGS[name] ?? []);
  return words.length === 0 ? id : `${id} (${listed(words)})`;
}

const REFUSALS: Words = {
  peer: ', weil sie von außerhalb des Zuhauses kam',
  proxied_request: ', weil sie über einen Proxy kam',
  misdirected_request: ', weil sie für einen anderen Namen bestimmt war',
  origin_refused: ', weil eine fremde Seite sie gesendet hat',
};

function refusal(detail: string | null): string {
  return detail === null ? '' : (REFUSALS[detail] ?? `: ${detail}`);
}
