/** What the hub always says in the same words: of integrations, templates and notifications. */
export const texts: Readonly<Record<string, string>> = {
  'A broker such as Mosquitto, through which other integrations reach their devices.':
    'Un broker comme Mosquitto, par lequel d’autres intégrations atteignent leurs appareils.',
  'Boards with ESPHome firmware: lamps, relays, sensors, blinds, thermostats and whatever else they drive.':
    'Cartes avec le micrologiciel ESPHome : lampes, relais, capteurs, stores, thermostats et tout ce qu’elles pilotent.',
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
    'Pour une deuxième app, ouvrez-le encore : plusieurs peuvent avoir le pont à la fois.',
  'its time is over': 'le temps est écoulé',
  'another home has the bridge now': 'une autre maison a maintenant le pont',
  'too many wrong codes came': 'trop de codes faux sont venus',
  'another home has opened the bridge itself: close that first':
    'une autre maison a elle-même ouvert le pont. Fermez-le d’abord là-bas',
  'it could not be opened': 'il n’a pas pu être ouvert',
  'Offer to Home Assistant': 'Proposer à Home Assistant',
  'Seconds of silence until its devices are offline': 'Secondes de silence avant que ses appareils soient hors ligne',
  'As in the settings of Zigbee2MQTT (mqtt.base_topic)': 'Comme dans les réglages de Zigbee2MQTT (mqtt.base_topic)',
  'As in the settings of the devices': 'Comme dans les réglages des appareils',
  'Devices in these rooms, and these devices, appear there. What opens the home only if it is chosen by itself':
    'Les appareils de ces pièces, et ces appareils, y apparaissent. Ce qui ouvre la maison, seulement s’il est choisi à part',
  'Here the hub says "online", so that devices announce themselves again':
    'Ici le hub dit « online », pour que les appareils s’annoncent de nouveau',
  'Only without its own integration: with both, each device would be there twice':
    'Seulement sans sa propre intégration : avec les deux, chaque appareil serait là deux fois',
  'The script may set it, too': 'Le script peut le régler aussi',
  'Under which the devices announce themselves; the firmware has no other.':
    'Celui sous lequel les appareils s’annoncent ; le micrologiciel n’en a pas d’autre.',
  'What is offered can be used from there as far as this token may use it; without one it is only shown':
    'Ce qui est proposé peut être utilisé de là autant que ce jeton le permet ; sans jeton, c’est seulement montré',
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
    'Donnez au nœud l’API native : api: dans sa configuration, au mieux avec encryption: et une clé.',
  'Have the devices or programs that the hub should reach, such as Zigbee2MQTT, connect to that broker.':
    'Faites connecter à ce broker les appareils ou programmes que le hub doit atteindre, comme Zigbee2MQTT.',
  'Install Zigbee2MQTT there (zigbee2mqtt.io) and give it the address of an MQTT broker.':
    'Installez-y Zigbee2MQTT (zigbee2mqtt.io) et donnez-lui l’adresse d’un broker MQTT.',
  'Install an MQTT broker on this computer or another one in the home. Mosquitto is small and comes with Debian: sudo apt install mosquitto':
    'Installez un broker MQTT sur cet ordinateur ou un autre de la maison. Mosquitto est petit et vient avec Debian : sudo apt install mosquitto',
  'Leave its option 19 off (SetOption19 0): then it announces itself in the way of Tasmota.':
    'Laissez son option 19 désactivée (SetOption19 0) : il s’annonce alors à la manière de Tasmota.',
  'New devices appear a few seconds after the search starts. One of them fails at first, as real ones sometimes do.':
    'De nouveaux appareils apparaissent quelques secondes après le début de la recherche. L’un échoue d’abord, comme parfois dans la réalité.',
  'Plug a Zigbee adapter into this computer or another one in the home.':
    'Branchez un adaptateur Zigbee sur cet ordinateur ou un autre de la maison.',
  'Put the device into pairing mode: usually by holding its button for five seconds, or by switching a lamp on and off five times. Keep it within a few meters of the Zigbee adapter.':
    'Mettez l’appareil en mode d’association : le plus souvent en tenant son bouton cinq secondes, ou en allumant et éteignant une lampe cinq fois. Gardez-le à quelques mètres de l’adaptateur Zigbee.',
  'Run Z-Wave JS UI, or the plain Z-Wave JS server, on the machine with the radio stick, and switch its WebSocket server on.':
    'Lancez Z-Wave JS UI, ou le simple serveur Z-Wave JS, sur la machine qui a la clé radio, et activez son serveur WebSocket.',
  'Switch a new lamp on, or hold the button of a switch or sensor for ten seconds. The bridge searches for about a minute.':
    'Allumez une lampe neuve, ou tenez dix secondes le bouton d’un interrupteur ou d’un capteur. Le pont cherche pendant une minute environ.',
  'Switch on Home Assistant discovery in the device or program, and give it the address of your MQTT broker.':
    'Activez la découverte Home Assistant dans l’appareil ou le programme, et donnez-lui l’adresse de votre broker MQTT.',
  'That server has no password: everyone who reaches its port can open your locks. Let only the hub reach it, by a firewall or by running it on the machine of the hub.':
    'Ce serveur n’a pas de mot de passe : qui atteint son port peut ouvrir vos serrures. Ne laissez que le hub l’atteindre, par un pare-feu ou en le lançant sur la machine du hub.',
  'The hub finds it, or takes its address, and asks for the key if there is one. Each node is set up for itself.':
    'Le hub le trouve, ou prend son adresse, et demande la clé s’il y en a une. Chaque nœud s’installe à part.',
  'The hub finds it, or takes its address. Each device is set up for itself; sensors of the BLU series come with their gateway.':
    'Le hub le trouve, ou prend son adresse. Chaque appareil s’installe à part ; les capteurs de la série BLU viennent avec leur passerelle.',
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
    'Ce nœud n’a pas de clé : n’importe qui sur le réseau peut le commander, et poser une clé que vous ne connaissez pas.',
  'Write this key down: other programs need it, and the node keeps it until it is erased. Then go on.':
    'Notez cette clé : d’autres programmes en ont besoin, et le nœud la garde jusqu’à son effacement. Puis continuez.',
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
  'Water at {0}': 'De l’eau : {0}',
  'The sensor reports water.': 'Le capteur signale de l’eau.',
  'Smoke at {0}': 'De la fumée : {0}',
  'The detector reports smoke.': 'Le détecteur signale de la fumée.',
  'Carbon monoxide at {0}': 'Du monoxyde de carbone : {0}',
  'The detector reports carbon monoxide. It has no smell: leave the room and let air in.':
    'Le détecteur signale du monoxyde de carbone. Il n’a pas d’odeur : quittez la pièce et aérez.',
  'Gas at {0}': 'Du gaz : {0}',
  'The detector reports gas.': 'Le détecteur signale du gaz.',
  '{0} is jammed': '{0} est bloqué',
  'The lock could not move its bolt all the way.': 'La serrure n’a pas pu pousser son pêne jusqu’au bout.',
  'The battery of {0} is low': 'La pile de {0} est faible',
  'Charge or replace it soon.': 'Rechargez-la ou remplacez-la bientôt.',
  '{0} has been offline for a day': '{0} est hors ligne depuis un jour',
  'The hub cannot reach it. Look at its power and whether it is still in reach.':
    'Le hub ne l’atteint pas. Vérifiez son alimentation et s’il est encore à portée.',
  '{0} has not been connected for five minutes': '{0} n’est pas connecté depuis cinq minutes',
  'The disk is nearly full': 'Le disque est presque plein',
  'The last backup failed': 'La dernière sauvegarde a échoué',
  '{0} more notifications from {1}': '{0} autres notifications de {1}',
  '{0} more notification from {1}': '{0} autre notification de {1}',
  'After so long open': 'Après ce temps ouvert',
  After: 'Après',
  'All off when everybody is away': 'Tout éteindre quand tout le monde est parti',
  'Any leak sensor, also one that joins later, closes the water, sounds a siren and tells everybody until somebody acknowledges it. It says so when the valve does not close. It never opens the water again by itself.':
    'Tout détecteur de fuite, même ajouté plus tard, coupe l’eau, fait sonner une sirène et prévient tout le monde jusqu’à confirmation. Elle le dit si la vanne ne se ferme pas. Elle ne rouvre jamais l’eau d’elle-même.',
  'Appliance finished': 'Appareil ménager terminé',
  'As if somebody were at home': 'Comme si quelqu’un était là',
  'At most': 'Au plus',
  'Back after so long closed': 'Retour après ce temps fermé',
  'Begin at': 'Commencer à',
  'Brightness at night': 'Luminosité la nuit',
  Brightness: 'Luminosité',
  'Button for scenes': 'Bouton à scènes',
  Button: 'Bouton',
  'Damp means above': 'Humide veut dire au-dessus de',
  'Dark means below': 'Sombre veut dire au-dessous de',
  Days: 'Jours',
  'Done below': 'Fini au-dessous de',
  'Door left open': 'Porte restée ouverte',
  'Door of the appliance': 'Porte de l’appareil',
  'Doors and windows': 'Portes et fenêtres',
  'Dry means below': 'Sec veut dire au-dessous de',
  'Each press of a button goes to the next of two or three scenes; another press turns lamps off. It goes by what the lamps report, so it begins with the first scene after somebody changed them.':
    'Chaque appui sur un bouton passe à la suivante de deux ou trois scènes ; un autre appui éteint des lampes. Elle se fie à ce que signalent les lampes, et recommence donc à la première scène si quelqu’un les a changées.',
  'Fan by humidity': 'Ventilateur selon l’humidité',
  Fan: 'Ventilateur',
  'First scene': 'Première scène',
  'For so long': 'Pendant',
  From: 'De',
  'Full brightness': 'Pleine luminosité',
  'Heating down while a window is open': 'Chauffage baissé tant qu’une fenêtre est ouverte',
  Humidity: 'Humidité',
  'Lamps to turn off': 'Lampes à éteindre',
  Lamps: 'Lampes',
  'Leave a lamp alone after a hand moved it': 'Laisser une lampe touchée à la main',
  'Leave it out for lamps that cannot be dimmed.': 'Laissez vide pour des lampes non variables.',
  'Less than 0: before.': 'Moins de 0 : avant.',
  'Light by motion': 'Lumière au mouvement',
  'Light sensor': 'Capteur de lumière',
  'Lights at sunset': 'Lumières au coucher du soleil',
  'Low batteries': 'Piles faibles',
  'Low means below': 'Faible veut dire au-dessous de',
  'Lower to': 'Baisser à',
  'Lowers thermostats while a window is open, and puts them back when all windows are closed, unless a hand changed them meanwhile. It never heats more. A window sensor that is gone keeps the heating down for an hour at most.':
    'Baisse les thermostats tant qu’une fenêtre est ouverte, et les remet quand toutes sont fermées, sauf si quelqu’un les a changés entre-temps. Elle ne chauffe jamais plus. Un capteur disparu garde le chauffage baissé une heure au plus.',
  'Minutes to full brightness': 'Minutes jusqu’à la pleine luminosité',
  'Motion sensors': 'Détecteurs de mouvement',
  'Name of the appliance': 'Nom de l’appareil',
  'Night begins': 'La nuit commence',
  'Night ends': 'La nuit finit',
  'Not after': 'Pas après',
  'Not at night: from': 'Pas la nuit : de',
  'Not before': 'Pas avant',
  'Not these': 'Pas ceux-ci',
  'Off after so long without motion': 'Éteindre après ce temps sans mouvement',
  'Off again after so many minutes': 'Éteindre après tant de minutes',
  'Off at': 'Éteindre à',
  'Only below': 'Seulement au-dessous de',
  'Only while somebody is at home': 'Seulement quand quelqu’un est à la maison',
  'Or a rise within five minutes by': 'Ou une hausse en cinq minutes de',
  'Power of the appliance': 'Puissance de l’appareil',
  'Press for the next scene': 'Appui pour la scène suivante',
  'Press to turn off': 'Appui pour éteindre',
  'Raises lamps slowly before you get up. Lamps that are on already stay as they are, and so do lamps that a hand turns off meanwhile. Nothing happens on days off, while nobody is at home, or after the hub was off for a quarter of an hour.':
    'Monte doucement les lampes avant votre lever. Celles déjà allumées restent telles quelles, comme celles qu’une main éteint entre-temps. Rien ne se passe les jours libres, quand personne n’est là, ou si le hub a été éteint un quart d’heure.',
  'Remind every': 'Rappeler toutes les',
  'Runs above': 'Tourne au-dessus de',
  'Says that a door or window has been open for too long, reminds until it is closed, and takes the message back then. With a thermometer outside only while it is cold there.':
    'Signale une porte ou fenêtre ouverte trop longtemps, le rappelle jusqu’à sa fermeture, puis retire le message. Avec un thermomètre dehors, seulement quand il y fait froid.',
  'Second scene': 'Deuxième scène',
  'Set the home to away': 'Mettre la maison sur « Absent »',
  Siren: 'Sirène',
  'So long after sunset': 'Ce temps après le coucher du soleil',
  'Takes the message back when somebody opens it.': 'Retire le message quand quelqu’un l’ouvre.',
  'Tells of each device whose battery runs low, also of one that joins later, and again after a week if it is still so.':
    'Signale chaque appareil dont la pile faiblit, même ajouté plus tard, et de nouveau après une semaine si c’est encore le cas.',
  'Tells when a washing machine, dryer or dishwasher is done: its power was up, and has then been down for some minutes. Pauses within the program do not count.':
    'Signale la fin du lave-linge, sèche-linge ou lave-vaisselle : sa puissance était haute, puis basse quelques minutes. Les pauses du programme ne comptent pas.',
  'The appliance': 'L’appareil',
  'The siren sounds for': 'La sirène sonne pendant',
  'Thermometer outside': 'Thermomètre dehors',
  Thermostats: 'Les thermostats',
  'Third scene': 'Troisième scène',
  To: 'À',
  'Turns a fan on when the air is damp or gets damp quickly, as in a shower, and off when it is dry again. It runs for ten minutes at least, and for so long at most. A fan that is on already is left alone, and so is one that a hand moved.':
    'Allume un ventilateur quand l’air est humide ou le devient vite, comme sous la douche, et l’éteint quand il est sec. Il tourne dix minutes au moins, et ce temps au plus. Un ventilateur déjà allumé est laissé, comme celui qu’une main a touché.',
  'Turns everything off that may be off, some minutes after the last person left or when somebody sets the home to away. Tells of windows that are open. While it is unknown whether somebody is at home, nothing happens.':
    'Éteint tout ce qui peut l’être, quelques minutes après le dernier départ ou quand quelqu’un met la maison sur « Absent ». Signale les fenêtres ouvertes. Tant qu’on ne sait pas si quelqu’un est là, rien ne se passe.',
  'Turns lamps on around sunset and off at a time of night. A lamp that a hand moved is left alone for half an hour. It needs the location of the home.':
    'Allume des lampes vers le coucher du soleil et les éteint à une heure de la nuit. Une lampe touchée à la main est laissée une demi-heure. Il faut le lieu de la maison.',
  'Turns lamps on when somebody moves in the dark, and off some minutes after the last motion. Dim at night. A lamp that a hand moved is left alone for a while. A sensor that is gone keeps the lamps on for an hour at most.':
    'Allume des lampes quand quelqu’un bouge dans le noir, et les éteint quelques minutes après le dernier mouvement. Tamisé la nuit. Une lampe touchée à la main est laissée un moment. Un capteur disparu garde les lampes allumées une heure au plus.',
  'Wake-up light': 'Lumière de réveil',
  'Water leak': 'Fuite d’eau',
  'Water valve': 'Vanne d’eau',
  'While the home is set to away or vacation, lamps do what they did a week ago at the same time. What nobody recorded changes nothing.':
    'Tant que la maison est sur « Absent » ou « Vacances », les lampes font ce qu’elles faisaient une semaine plus tôt à la même heure. Ce que personne n’a enregistré ne change rien.',
  'While the home is set to': 'Tant que la maison est sur',
  'Windows and doors to look at': 'Fenêtres et portes à surveiller',
  Windows: 'Fenêtres',
  'Address of the bridge': 'Adresse du pont',
  'Such as 192.168.1.20.': 'Par exemple 192.168.1.20.',
  'Such as 192.168.1.30.': 'Par exemple 192.168.1.30.',
  'Such as 192.168.1.40.': 'Par exemple 192.168.1.40.',
  'Such as 192.168.1.50.': 'Par exemple 192.168.1.50.',
  'Such as 192.168.1.30:3000.': 'Par exemple 192.168.1.30:3000.',
  'Put new devices into the rooms that the bridge has for them':
    'Mettre les nouveaux appareils dans les pièces où le pont les a',
  'Put new devices into the rooms that the node has for them':
    'Mettre les nouveaux appareils dans les pièces où le nœud les a',
  'Put new devices into the rooms that the server has as their locations':
    'Mettre les nouveaux appareils dans les pièces que le serveur a comme lieux',
  'SHA-256 fingerprint of the certificate that the bridge showed during the set-up.':
    'Empreinte SHA-256 du certificat que le pont a montré à l’installation.',
  'Address of the node': 'Adresse du nœud',
  'MAC address of the node': 'Adresse MAC du nœud',
  'Twelve digits, as the node said them during the set-up.':
    'Douze chiffres, comme le nœud les a dits à l’installation.',
  'Encryption key': 'Clé de chiffrement',
  'The key under api: encryption: in the configuration of the node.':
    'La clé sous api: encryption: dans la configuration du nœud.',
  'Address of the device': 'Adresse de l’appareil',
  'Password of the device': 'Mot de passe de l’appareil',
  'Only if one is set on the device itself.': 'Seulement s’il y en a un sur l’appareil lui-même.',
  'Sleeps and calls the hub': 'Dort et appelle le hub',
  'A device with a battery. Its Outbound WebSocket leads to the hub.':
    'Un appareil à pile. Son Outbound WebSocket mène au hub.',
  'Address of the light': 'Adresse de la lampe',
  'Address of the server': 'Adresse du serveur',
};
