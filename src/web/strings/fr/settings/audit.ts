import type { audit as english } from '#web/strings/en/settings/audit.ts';
import { counted, listed } from '#web/strings/fr/grammar.ts';
import type { Translation } from '#words/texts.ts';

type Words = Readonly<Record<string, string>>;

export const audit: Translation<typeof english> = {
  title: 'Journal d’audit',
  filter: 'Afficher',
  filters: { all: 'Tout', changes: 'Changements', doors: 'Portes', logins: 'Connexions', refusals: 'Refusés' },
  empty: 'Aucune entrée de ce genre.',
  older: 'Afficher les entrées plus anciennes',
  end: 'Pas d’entrées plus anciennes.',
  gone: 'Quelqu’un dont le compte a été retiré',
  console: 'Quelqu’un à la ligne de commande du hub',
  hub: 'Le hub',
  from: (peer) => `Depuis ${peer}`,
  byToken: 'avec un jeton d’API',
  times: (count) => `${count} fois`,
  timesSince: (count, since) => `${count} fois depuis ${since}`,
  clockUnset:
    'Aucun serveur de temps n’a confirmé les heures avec ≈ : elles viennent d’une personne ou sont estimées. L’ordre est juste.',
  marks: {
    'in all off by its type': '« Tout éteindre » selon son type',
    'not in all off': 'reste allumé avec « Tout éteindre »',
    'in all off': 's’éteint avec « Tout éteindre »',
    'not sensitive': 'non protégé',
    sensitive: 'protégé',
  },
  details: {
    automation: (who, name, done) => `${who} a ${done} l’automatisation ${name}.`,
    done: {
      changed: 'modifié',
      started: 'lancé',
      stopped: 'arrêté',
      reset: 'débloqué',
      reverted: 'ramené à une version antérieure',
      enabled: 'activé',
      disabled: 'désactivé',
      signed: 'approuvé',
      restored: 'restauré',
    },
    resumed: (who) => `${who} a laissé repartir toutes les automatisations.`,
    template: (who, id, isRemoved) => `${who} a ${isRemoved ? 'retiré' : 'modifié'} le modèle ${id}.`,
    replaced: (who, from, to) => `${who} a remplacé ${from} par ${to} dans les automatisations.`,
    kept: (days, size, rules) =>
      listed([
        counted(days, 'jour', 'jours'),
        ...(size === null ? [] : [`au plus ${size}`]),
        counted(rules, 'règle', 'règles'),
      ]),
    series: (count) => counted(count, 'série', 'séries'),
    consumers: (count) => counted(count, 'consommateur', 'consommateurs'),
    switched: (what, isOn) => `« ${what} » ${isOn ? 'activé' : 'désactivé'}`,
  },
  sentences: {
    'hub.claimed': ({ who }) => `${who} a pris possession de ce hub.`,
    'user.added': ({ who, whom, detail }) =>
      detail === null ? `${who} a ajouté ${whom}.` : `${who} a ajouté ${whom}, comme ${detail}.`,
    'user.changed': ({ who, whom, isOwn, detail }) =>
      isOwn
        ? `${who} a modifié son propre compte${fields(detail)}.`
        : `${who} a modifié le compte de ${whom}${fields(detail)}.`,
    'user.ended': ({ who }) => `Le compte de ${who} a été fermé, car son temps était écoulé.`,
    'user.removed': ({ who }) => `${who} a retiré un compte.`,
    'password.changed': ({ who, whom, isOwn }) =>
      isOwn ? `${who} a changé son mot de passe.` : `${who} a donné un nouveau mot de passe à ${whom}.`,
    'api_token.added': ({ who }) => `${who} a créé un jeton d’API.`,
    'api_token.removed': ({ who, whom, isOwn }) =>
      isOwn ? `${who} a révoqué un jeton d’API.` : `${who} a révoqué un jeton d’API de ${whom}.`,
    'backup.made': ({ who }) => `${who} a fait une sauvegarde.`,
    'backup.downloaded': ({ who }) => `${who} a téléchargé une sauvegarde.`,
    'backup.restored': ({ who }) => `${who} a restauré une sauvegarde.`,
    'history.imported': ({ who }) => `${who} a importé un historique.`,
    'hub.renamed': ({ who }) => `${who} a renommé le hub.`,
    'hub.changed': ({ who }) => `${who} a changé la langue, le lieu ou l’heure du hub.`,
    'integration.added': ({ who, detail }) => `${who} a ajouté l’intégration ${detail}.`,
    'integration.changed': ({ who, detail }) => `${who} a changé des réglages : ${changed(detail)}.`,
    'integration.removed': ({ who, detail }) => `${who} a retiré l’intégration ${removed(detail)}.`,
    'integration.ignored': ({ who, detail }) => `${who} a masqué quelque chose de type ${detail} que le hub a trouvé.`,
    'integration.restored': ({ who, detail }) =>
      `${who} ne masque plus quelque chose de type ${detail} que le hub a trouvé.`,
    'pairing.opened': ({ who }) => `${who} a laissé entrer de nouveaux appareils.`,
    'automation.added': ({ who, detail }) => `${who} a ajouté l’automatisation ${detail}.`,
    'automation.changed': ({ who, detail }) => `${who} a modifié l’automatisation ${detail}.`,
    'automation.called': ({ detail }) => `Le hook ${detail} a été appelé.`,
    'automation.removed': ({ who, detail }) => `${who} a mis l’automatisation ${detail} à la corbeille.`,
    'device.removed': ({ who, detail }) => `${who} a retiré l’appareil ${detail}.`,
    'device.marked': ({ who, detail }) => `${who} a marqué un appareil : ${detail}.`,
    'recording.changed': ({ who, detail }) => `${who} a changé ce qui est enregistré : ${detail}.`,
    'history.changed': ({ who, detail }) => `${who} a changé la durée de l’historique : ${detail}.`,
    'history.deleted': ({ who, detail }) => `${who} a effacé de l’historique : ${detail}.`,
    'energy.changed': ({ who }) => `${who} a changé les réglages de l’énergie.`,
    'energy.deleted': ({ who, detail }) => `${who} a effacé des comptes d’énergie : ${detail}.`,
    'energy.recalculated': ({ who, detail }) => `${who} a recalculé le coût de l’énergie depuis ${detail}.`,
    'webhook.added': ({ who, detail }) => `${who} a ajouté un webhook vers ${detail}.`,
    'webhook.changed': ({ who, detail }) => `${who} a modifié le webhook vers ${detail}.`,
    'webhook.removed': ({ who, detail }) => `${who} a retiré le webhook vers ${detail}.`,
    'notification_channel.added': ({ who, detail }) => `${who} a ajouté le canal ${detail}.`,
    'notification_channel.changed': ({ who, detail }) => `${who} a modifié le canal ${detail}.`,
    'notification_channel.removed': ({ who, detail }) => `${who} a retiré le canal ${detail}.`,
    'notification.changed': ({ who, detail }) => `${who} a changé les notifications : ${detail}.`,
    'exporter.added': ({ who, detail }) => `${who} a ajouté un export vers ${detail}.`,
    'exporter.changed': ({ who, detail }) => `${who} a modifié l’export vers ${detail}.`,
    'exporter.removed': ({ who, detail }) => `${who} a retiré l’export vers ${detail}.`,
    'exporter.replayed': ({ who, detail }) => `${who} a renvoyé l’historique à ${detail}.`,
    'command.given': ({ who, detail }) => `${who} a envoyé une commande à ${detail}.`,
    'token.reused': ({ whom }) =>
      `Une session de ${whom} a été fermée, car son jeton a servi deux fois et a peut-être été volé. En cas de doute, changez le mot de passe.`,
    'login.succeeded': ({ who }) => `${who} s’est connecté.`,
    'session.revoked': ({ who, detail }) =>
      detail === 'logout'
        ? `${who} s’est déconnecté.`
        : detail === 'all_others'
          ? `${who} s’est déconnecté partout ailleurs.`
          : `${who} a fermé une session.`,
    'login.failed': ({ whom }) =>
      whom === null
        ? 'Quelqu’un a essayé de se connecter avec une adresse e-mail inconnue.'
        : `Quelqu’un a essayé de se connecter comme ${whom} avec un mauvais mot de passe.`,
    'login.throttled': ({ whom }) =>
      whom === null
        ? 'Trop de tentatives de connexion ont été ralenties.'
        : `Trop de tentatives de connexion comme ${whom} ont été ralenties.`,
    'wall_code.refused': ({ who }) => `${who} a saisi les chiffres d’une tablette murale qu’aucune tablette n’affiche.`,
    'password.refused': ({ who }) => `${who} a donné un mauvais mot de passe quand il était demandé.`,
    'claim.failed': () => 'Quelqu’un a essayé un mauvais code de prise en main.',
    'token.refused': () => 'Quelqu’un a utilisé un jeton invalide.',
    'request.refused': ({ detail }) => `Une requête a été refusée${refusal(detail)}.`,
  },
};

const FIELDS: Words = { email: 'adresse e-mail', name: 'nom', password: 'mot de passe', role: 'rôle' };

function fields(detail: string | null): string {
  const names = (detail ?? '').split(',').flatMap((name) => FIELDS[name] ?? []);
  return names.length === 0 ? '' : `: ${listed(names)}`;
}

const SETTINGS: Words = {
  address: 'adresse',
  base_topic: 'topic de base',
  enabled: 'activé ou non',
  name: 'nom',
  password: 'mot de passe',
  user: 'utilisateur',
};

function removed(detail: string | null): string {
  const [id = '', devices] = (detail ?? '').split(' ');
  return devices === 'remove' ? `${id} et ses appareils` : id;
}

function changed(detail: string | null): string {
  const [id = '', names = ''] = (detail ?? '').split(' ');
  const words = names.split(',').flatMap((name) => SETTINGS[name] ?? []);
  return words.length === 0 ? id : `${id} (${listed(words)})`;
}

const REFUSALS: Words = {
  peer: ', car elle venait de l’extérieur de la maison',
  proxied_request: ', car elle passait par un proxy',
  misdirected_request: ', car elle visait un autre nom',
  origin_refused: ', car une page d’ailleurs l’a envoyée',
};

function refusal(detail: string | null): string {
  return detail === null ? '' : (REFUSALS[detail] ?? `: ${detail}`);
}
