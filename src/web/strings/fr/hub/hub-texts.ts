import { createHubTexts } from '#web/strings/language/hub-text-tables.ts';
import { errors } from './hub-errors.ts';
import { templateTexts } from './hub-template-texts.ts';

/** What the hub always says in the same words: of integrations and templates. */
const texts: Readonly<Record<string, string>> = {
  'A broker such as Mosquitto, through which other integrations reach their devices.':
    'Un broker comme Mosquitto, par lequel d’autres intégrations atteignent leurs appareils.',
  'Boards with ESPHome firmware: lamps, relays, sensors, blinds, thermostats and whatever else they drive.':
    'Cartes avec le micrologiciel ESPHome : lampes, relais, capteurs, stores, thermostats et tout ce qu’elles pilotent.',
  'Devices and programs that announce themselves over MQTT, as they do for Home Assistant.':
    'Appareils et programmes qui s’annoncent par MQTT, comme pour Home Assistant.',
  'Devices that a script of your own brings in over the API, with an API token for its name.':
    'Appareils qu’un script à vous apporte par l’API, avec un jeton d’API à son nom.',
  'Devices without hardware, to try the hub.': 'Des appareils sans matériel, pour essayer le hub.',
  'LED strips and lamps with WLED firmware, each with its segments, effects and presets.':
    'Rubans LED et lampes avec WLED, chacun avec ses segments, effets et préréglages.',
  'Lamps, plugs, switches and sensors of a Hue bridge (the square one, or newer).':
    'Lampes, prises, interrupteurs et capteurs d’un pont Hue (le carré, ou plus récent).',
  'Plugs, lamps, blinds and sensors with the Tasmota firmware, which the hub reaches through an MQTT broker.':
    'Prises, lampes, stores et capteurs avec Tasmota, que le hub atteint par un broker MQTT.',
  'Relays, dimmers, blinds, meters and sensors of Shelly, from the Plus and Pro series on.':
    'Relais, variateurs, stores, compteurs et capteurs Shelly, à partir des séries Plus et Pro.',
  'Z-Wave devices, through a Z-Wave JS server that has the radio stick.':
    'Appareils Z-Wave, par un serveur Z-Wave JS qui a la clé radio.',
  'Zigbee devices behind a Zigbee2MQTT, which the hub reaches through an MQTT broker.':
    'Appareils Zigbee derrière un Zigbee2MQTT, que le hub atteint par un broker MQTT.',
  'Home Assistant discovery': 'Découverte Home Assistant',
  'MQTT broker': 'Broker MQTT',
  Script: 'Script (API)',
  'Simulated home': 'Maison simulée',

  'Something that it names is gone.': 'Quelque chose qu’elle nomme n’existe plus.',
  'Something that it names is of another kind now, so a part of it does nothing.':
    'Quelque chose qu’elle nomme est maintenant d’un autre type : une partie d’elle ne fait rien.',
  'Who signed it is gone: somebody with the rights has to sign it.':
    'La personne qui l’a enregistrée n’est plus là : quelqu’un qui a les droits doit les lui donner.',
  'Who signed it lacks a right: somebody with the rights has to sign it.':
    'La personne qui l’a enregistrée n’a plus un des droits : quelqu’un qui les a doit les lui donner.',
  'It needs the location of the home, to know the sun.': 'Elle a besoin du lieu de la maison pour connaître le soleil.',
  'Address of the broker': 'Adresse du broker',
  'mqtt://host:port, or mqtts://host:port with TLS': 'mqtt://nom:port, ou mqtts://nom:port avec TLS',
  'User name': 'Nom d’utilisateur',
  Password: 'Mot de passe',
  Address: 'Adresse',
  'API token for commands from there': 'Jeton d’API pour les commandes venant de là',
  'Also take the devices of Zigbee2MQTT': 'Prendre aussi les appareils de Zigbee2MQTT',
  'Base topic': 'Topic de base',
  'Birth topic': 'Topic de naissance',
  'Discovery prefix': 'Préfixe de découverte',
  'Discovery topic': 'Topic de découverte',
  'Devices with a Matter code, over your own network and without the cloud of their makers.':
    'Des appareils à code Matter, par votre propre réseau et sans le cloud de leurs fabricants.',
  'Type the number that is printed on the device or in its manual, or the text of its QR code. A device that another app already has needs a new code from there: share it in that app.':
    'Saisissez le numéro imprimé sur l’appareil ou dans sa notice, ou le texte de son code QR. Un appareil déjà présent dans une autre app a besoin d’un nouveau code : partagez-le depuis cette app.',
  'First the hub asks each of its devices to forget this home. One that does not answer keeps its keys, and obeys no other home until you reset it.':
    'D’abord, chacun de ses appareils est prié d’oublier cette maison. Celui qui ne répond pas garde ses clés et n’obéit à aucune autre maison tant que vous ne l’avez pas réinitialisé.',
  'Connect the device to your network first: by cable, or with its maker’s app or your phone for Wi-Fi and Thread.':
    'Connectez d’abord l’appareil à votre réseau : par câble, ou, pour le Wi-Fi et Thread, avec l’app du fabricant ou votre téléphone.',
  'If an app has it already, share it there: that gives a code for the hub.':
    'S’il est déjà dans une app, partagez-le depuis celle-ci : elle donne un code pour le hub.',
  'Code of the first device': 'Code du premier appareil',
  'The number that is printed on it or the text of its QR code. Without one, devices are added later':
    'Le numéro imprimé dessus ou le texte de son code QR. Sans lui, les appareils sont ajoutés plus tard',
  'Then enter the code here, and those of more devices under Add devices.':
    'Saisissez ensuite le code ici, et ceux d’autres appareils dans Ajouter des appareils.',
  'Starting Matter …': 'Démarrage de Matter…',
  'Looking for the device …': 'Recherche de l’appareil…',
  'The device was found …': 'Appareil trouvé…',
  'Checking the device …': 'Vérification de l’appareil…',
  'The device joins your home …': 'L’appareil rejoint votre maison…',
  'Asking the device what it can do …': 'L’appareil dit ce qu’il sait faire…',
  'No device with this code answers in your network. Is it on, and ready to be added? If another app has it already, share it there and use the code that the app shows. A device for Wi-Fi, Thread or Bluetooth has to join your network first: add it with your phone, then share it from there.':
    'Aucun appareil ne répond à ce code. Est-il allumé et prêt à être ajouté ? S’il est déjà dans une autre app, partagez-le depuis celle-ci et utilisez le nouveau code.',
  'The device is in another home, which has not opened it. Share it in the app that has it, and use the code that the app shows.':
    'L’appareil est dans une autre maison, qui ne l’a pas ouvert. Partagez-le depuis l’app qui l’a et utilisez le code qu’elle affiche.',
  'The device was found, but this is not its code.': 'L’appareil est là, mais ce n’est pas son code.',
  'The device was found, but does not answer any more. Bring it closer to the router, and try again.':
    'L’appareil était là, mais ne répond plus. Réessayez.',
  'The device is in this home already.': 'L’appareil est déjà dans cette maison.',
  'The device is in as many homes as it can. Remove one of them in its app.':
    'L’appareil est déjà dans autant d’apps que possible. Retirez-le de l’une d’elles.',
  'The device could not prove what it says of itself. The hub did not take it in.':
    'L’appareil n’a pas pu prouver ce qu’il prétend être. Il n’a pas été ajouté.',
  'It was stopped.': 'Arrêté.',
  'The device took too long. Try again.': 'L’appareil a mis trop de temps. Réessayez.',
  'The disk of the hub does not take the keys of the device.': 'Le disque du hub n’accepte plus rien.',
  'The device could not be added. The log of the hub has the reason.': 'L’appareil n’a pas pu être ajouté.',
  'A device for Wi-Fi, Thread or Bluetooth has to join your network first: add it with your phone, then share it from there.':
    'Ajoutez d’abord l’appareil avec votre téléphone pour qu’il rejoigne votre réseau. Partagez-le ensuite depuis celui-ci et utilisez le nouveau code.',
  'is neither the number of a Matter device nor the text of its QR code, which begins with MT:':
    'N’est ni le numéro d’un appareil Matter ni le texte de son code QR, qui commence par MT:',
  'has not the length of a code: the number has 11 or 21 digits':
    'N’a pas la longueur d’un code : le numéro a 11 ou 21 chiffres',
  'is mistyped: the last digit does not fit the others': 'Est mal saisi : le dernier chiffre ne va pas avec les autres',
  'is the code of several devices: use that of each': 'Est le code de plusieurs appareils : utilisez celui de chacun',
  'is of a newer kind than the hub knows': 'Est d’un genre plus récent que ceux que le hub connaît',
  'is none that a device may have': 'Est un code qu’aucun appareil ne peut avoir',
  'Matter devices': 'Appareils Matter',
  'Matter bridge': 'Pont Matter',
  'Your devices in Apple Home, Google Home, Alexa and SmartThings, over your own network alone.':
    'Vos appareils dans Apple Home, Google Home, Alexa et SmartThings, par votre seul réseau.',
  'Offer to other homes': 'Proposer aux autres apps',
  'UDP port': 'Port UDP',
  'Another one needs SocketBindAllow=udp: with its number in the unit of the service':
    'Un autre demande SocketBindAllow=udp: avec son numéro dans l’unité du service',
  'Choose the rooms and devices, and an API token for the commands from there.':
    'Choisissez les pièces et les appareils, et un jeton d’API pour les commandes venues de là.',
  'Open the bridge for pairing. Scan its code with the app of the other home, or type the number.':
    'Ouvrez le pont à l’appairage. Scannez son code avec l’autre app, ou tapez le numéro.',
  'For a second app, open it again: several may have the bridge at once.':
    'Pour une deuxième app, ouvrez-le encore : plusieurs peuvent avoir le pont à la fois.',
  'its time is over': 'le temps est écoulé',
  'another home has the bridge now': 'une autre maison a maintenant le pont',
  'too many wrong codes came': 'trop de codes faux sont venus',
  'another home has opened the bridge itself: close that first':
    'une autre maison a elle-même ouvert le pont. Fermez-le d’abord là-bas',
  'the disk is full, so no other home can join': 'le disque est plein, donc aucune maison ne peut s’ajouter',
  'it could not be opened': 'il n’a pas pu être ouvert',
  'Offer to Home Assistant': 'Proposer à Home Assistant',
  'Seconds of silence until its devices are offline': 'Secondes de silence avant que ses appareils soient hors ligne',
  'As in the settings of Zigbee2MQTT (mqtt.base_topic)': 'Comme dans les réglages de Zigbee2MQTT (mqtt.base_topic)',
  'As in the settings of the devices': 'Comme dans les réglages des appareils',
  'Devices in these rooms, and these devices, appear there. What opens the home only if it is chosen by itself':
    'Les appareils de ces pièces, et ces appareils, y apparaissent. Ce qui ouvre la maison, seulement s’il est choisi à part',
  'Here the hub says "online", so that devices announce themselves again':
    'Ici le hub dit « online », pour que les appareils s’annoncent de nouveau',
  'Only without its own integration: with both, each device would be there twice':
    'Seulement sans sa propre intégration : avec les deux, chaque appareil serait là deux fois',
  'The script may set it, too': 'Le script peut le régler aussi',
  'Under which the devices announce themselves; the firmware has no other.':
    'Celui sous lequel les appareils s’annoncent ; le micrologiciel n’en a pas d’autre.',
  'What is offered can be used from there as far as this token may use it; without one it is only shown':
    'Ce qui est proposé peut être utilisé de là autant que ce jeton le permet ; sans jeton, c’est seulement montré',
  'Connect the device to your network with the Shelly app or its own page.':
    'Reliez l’appareil à votre réseau avec l’application Shelly ou sa propre page.',
  'Connect the light to your network with the WLED app or its own page.':
    'Reliez la lampe à votre réseau avec l’application WLED ou sa propre page.',
  'Enter the address of that broker here.': 'Donnez ici l’adresse de ce broker.',
  'Give each device the address of your MQTT broker, on its own page.':
    'Donnez à chaque appareil l’adresse de votre broker MQTT, sur sa propre page.',
  'Give the hub the address of the same broker. The devices appear by themselves.':
    'Donnez au hub l’adresse du même broker. Les appareils apparaissent d’eux-mêmes.',
  'Give the hub the same broker. What announces itself there appears by itself.':
    'Donnez au hub le même broker. Ce qui s’y annonce apparaît de soi-même.',
  'Give the node the native API: api: in its configuration, best with encryption: and a key.':
    'Donnez au nœud l’API native : api: dans sa configuration, au mieux avec encryption: et une clé.',
  'Have the devices or programs that the hub should reach, such as Zigbee2MQTT, connect to that broker.':
    'Faites connecter à ce broker les appareils ou programmes que le hub doit atteindre, comme Zigbee2MQTT.',
  'Install Zigbee2MQTT there (zigbee2mqtt.io) and give it the address of an MQTT broker.':
    'Installez-y Zigbee2MQTT (zigbee2mqtt.io) et donnez-lui l’adresse d’un broker MQTT.',
  'Install an MQTT broker on this computer or another one in the home. Mosquitto is small and comes with Debian: sudo apt install mosquitto':
    'Installez un broker MQTT sur cet ordinateur ou un autre de la maison. Mosquitto est petit et vient avec Debian : sudo apt install mosquitto',
  'Leave its option 19 off (SetOption19 0): then it announces itself in the way of Tasmota.':
    'Laissez son option 19 désactivée (SetOption19 0) : il s’annonce alors à la manière de Tasmota.',
  'New devices appear a few seconds after the search starts. One of them fails at first, as real ones sometimes do.':
    'De nouveaux appareils apparaissent quelques secondes après le début de la recherche. L’un échoue d’abord, comme parfois dans la réalité.',
  'Plug a Zigbee adapter into this computer or another one in the home.':
    'Branchez un adaptateur Zigbee sur cet ordinateur ou un autre de la maison.',
  'Put the device into pairing mode: usually by holding its button for five seconds, or by switching a lamp on and off five times. Keep it within a few meters of the Zigbee adapter.':
    'Mettez l’appareil en mode d’association : le plus souvent en tenant son bouton cinq secondes, ou en allumant et éteignant une lampe cinq fois. Gardez-le à quelques mètres de l’adaptateur Zigbee.',
  'Run Z-Wave JS UI, or the plain Z-Wave JS server, on the machine with the radio stick, and switch its WebSocket server on.':
    'Lancez Z-Wave JS UI, ou le simple serveur Z-Wave JS, sur la machine qui a la clé radio, et activez son serveur WebSocket.',
  'Switch a new lamp on, or hold the button of a switch or sensor for ten seconds. The bridge searches for about a minute.':
    'Allumez une lampe neuve, ou tenez dix secondes le bouton d’un interrupteur ou d’un capteur. Le pont cherche pendant une minute environ.',
  'Switch on Home Assistant discovery in the device or program, and give it the address of your MQTT broker.':
    'Activez la découverte Home Assistant dans l’appareil ou le programme, et donnez-lui l’adresse de votre broker MQTT.',
  'That server has no password: everyone who reaches its port can open your locks. Let only the hub reach it, by a firewall or by running it on the machine of the hub.':
    'Ce serveur n’a pas de mot de passe : qui atteint son port peut ouvrir vos serrures. Ne laissez que le hub l’atteindre, par un pare-feu ou en le lançant sur la machine du hub.',
  'The hub finds it, or takes its address, and asks for the key if there is one. Each node is set up for itself.':
    'Le hub le trouve, ou prend son adresse, et demande la clé s’il y en a une. Chaque nœud s’installe à part.',
  'The hub finds it, or takes its address. Each device is set up for itself; sensors of the BLU series come with their gateway.':
    'Le hub le trouve, ou prend son adresse. Chaque appareil s’installe à part ; les capteurs de la série BLU viennent avec leur passerelle.',
  'The hub finds it, or takes its address. Each light is set up for itself.':
    'Le hub la trouve, ou prend son adresse. Chaque lampe s’installe à part.',
  'The hub finds the server, or takes its address.': 'Le hub trouve le serveur, ou prend son adresse.',
  'Asking what is at this address …': 'Recherche de ce qui est à cette adresse…',
  'Nobody pressed the button within a minute.': 'Personne n’a appuyé sur le bouton en une minute.',
  'Press the round button on the bridge.': 'Appuyez sur le bouton rond du pont.',
  'Setting the key …': 'Pose de la clé…',
  'Trying the key …': 'Essai de la clé…',
  'Trying the password …': 'Essai du mot de passe…',
  'Writing to the device …': 'Écriture sur l’appareil…',
  'This node has no encryption key: anyone in the network can command it, and set a key that you do not know.':
    'Ce nœud n’a pas de clé : n’importe qui sur le réseau peut le commander, et poser une clé que vous ne connaissez pas.',
  'Write this key down: other programs need it, and the node keeps it until it is erased. Then go on.':
    'Notez cette clé : d’autres programmes en ont besoin, et le nœud la garde jusqu’à son effacement. Puis continuez.',
  'I set this myself': 'Je le règle moi-même',
  'Leave it open': 'Le laisser ouvert',
  'Let the hub set this': 'Laisser le hub le régler',
  'Set a key': 'Poser une clé',
  'Try again': 'Réessayer',
  'As it was set on the device itself.': 'Tel qu’il est réglé sur l’appareil lui-même.',
  'The MQTT broker at {0} refuses the connection (reason {1})': 'Le broker MQTT à {0} refuse la connexion (raison {1})',
  'The certificate of the MQTT broker at {0} cannot be trusted':
    'On ne peut pas se fier au certificat du broker MQTT à {0}',
  'The MQTT broker at {0} closed the connection': 'Le broker MQTT à {0} a fermé la connexion',
  'What answers at {0} does not speak correct MQTT': 'Ce qui répond à {0} ne parle pas un MQTT correct',
  'The MQTT broker at {0} does not answer': 'Le broker MQTT à {0} ne répond pas',
  'The name in {0} has no address': 'Le nom dans {0} n’a pas d’adresse',
  'The network has no way to {0}': 'Aucun chemin ne mène à {0} sur le réseau',
  'The MQTT broker at {0} refuses this user and password':
    'Le broker MQTT à {0} refuse cet utilisateur et ce mot de passe',
  'Nothing answers at {0}': 'Rien ne répond à {0}',
  'Zigbee2MQTT is not running': 'Zigbee2MQTT ne tourne pas',
  ...templateTexts,
};

/** The words for what the hub says in whole sentences. */
export const hubTexts = createHubTexts({ errors, texts });
