import { createHubTexts } from '#web/strings/language/hub-text-tables.ts';
import { errors } from './hub-errors.ts';
import { templateTexts } from './hub-template-texts.ts';

/** What the hub always says in the same words: of integrations and templates. */
const texts: Readonly<Record<string, string>> = {
  'A broker such as Mosquitto, through which other integrations reach their devices.':
    'Ein Broker wie Mosquitto, über den andere Integrationen ihre Geräte erreichen.',
  'Boards with ESPHome firmware: lamps, relays, sensors, blinds, thermostats and whatever else they drive.':
    'Platinen mit der Firmware ESPHome: Lampen, Relais, Sensoren, Rollläden, Thermostate und was sie sonst noch steuern.',
  'Devices and programs that announce themselves over MQTT, as they do for Home Assistant.':
    'Geräte und Programme, die sich über MQTT anmelden, wie sie es für Home Assistant tun.',
  'Devices that a script of your own brings in over the API, with an API token for its name.':
    'Geräte, die ein eigenes Skript über die API einbringt, mit einem API-Token auf seinen Namen.',
  'Devices without hardware, to try the hub.': 'Geräte ohne Hardware, um den Hub auszuprobieren.',
  'LED strips and lamps with WLED firmware, each with its segments, effects and presets.':
    'LED-Streifen und Lampen mit der Firmware WLED, jeweils mit Segmenten, Effekten und Voreinstellungen.',
  'Lamps, plugs, switches and sensors of a Hue bridge (the square one, or newer).':
    'Lampen, Steckdosen, Schalter und Sensoren einer Hue Bridge (der eckigen oder einer neueren).',
  'Plugs, lamps, blinds and sensors with the Tasmota firmware, which the hub reaches through an MQTT broker.':
    'Steckdosen, Lampen, Rollläden und Sensoren mit der Firmware Tasmota, die der Hub über einen MQTT-Broker erreicht.',
  'Relays, dimmers, blinds, meters and sensors of Shelly, from the Plus and Pro series on.':
    'Relais, Dimmer, Rollläden, Zähler und Sensoren von Shelly, ab den Reihen Plus und Pro.',
  'Z-Wave devices, through a Z-Wave JS server that has the radio stick.':
    'Z-Wave-Geräte über einen Z-Wave-JS-Server, an dem der Funkstick steckt.',
  'Zigbee devices behind a Zigbee2MQTT, which the hub reaches through an MQTT broker.':
    'Zigbee-Geräte hinter einem Zigbee2MQTT, das der Hub über einen MQTT-Broker erreicht.',
  'Home Assistant discovery': 'Home-Assistant-Erkennung',
  'MQTT broker': 'MQTT-Broker',
  Script: 'Skript',
  'Simulated home': 'Simuliertes Zuhause',

  'Something that it names is gone.': 'Etwas, das sie nennt, gibt es nicht mehr.',
  'Something that it names is of another kind now, so a part of it does nothing.':
    'Etwas, das sie nennt, ist jetzt von anderer Art: Ein Teil von ihr tut nichts.',
  'Who signed it is gone: somebody with the rights has to sign it.':
    'Wer sie zuletzt gespeichert hat, ist nicht mehr da: Jemand mit den Rechten muss sie ihr geben.',
  'Who signed it lacks a right: somebody with the rights has to sign it.':
    'Wer sie zuletzt gespeichert hat, hat ein Recht nicht mehr: Jemand mit den Rechten muss sie ihr geben.',
  'It needs the location of the home, to know the sun.': 'Sie braucht den Ort des Zuhauses, um die Sonne zu kennen.',

  'Address of the broker': 'Adresse des Brokers',
  'mqtt://host:port, or mqtts://host:port with TLS': 'mqtt://name:port, oder mqtts://name:port mit TLS',
  'User name': 'Benutzername',
  Password: 'Passwort',
  Address: 'Adresse',
  'API token for commands from there': 'API-Token für Befehle von dort',
  'Also take the devices of Zigbee2MQTT': 'Auch die Geräte von Zigbee2MQTT nehmen',
  'Base topic': 'Basis-Topic',
  'Birth topic': 'Birth-Topic',
  'Discovery prefix': 'Präfix der Erkennung',
  'Discovery topic': 'Topic der Erkennung',
  'Devices with a Matter code, over your own network and without the cloud of their makers.':
    'Geräte mit Matter-Code, über dein eigenes Netz und ohne die Cloud ihrer Hersteller.',
  'Type the number that is printed on the device or in its manual, or the text of its QR code. A device that another app already has needs a new code from there: share it in that app.':
    'Tippe die Nummer ein, die auf dem Gerät oder in der Anleitung steht, oder den Text seines QR-Codes. Ein Gerät, das schon in einer anderen App ist, braucht einen neuen Code von dort: Teile es in dieser App.',
  'First the hub asks each of its devices to forget this home. One that does not answer keeps its keys, and obeys no other home until you reset it.':
    'Zuerst erfährt jedes seiner Geräte, dass es dieses Zuhause vergessen soll. Eines, das nicht antwortet, behält seine Schlüssel und gehorcht keinem anderen Zuhause, bis du es zurücksetzt.',
  'Connect the device to your network first: by cable, or with its maker’s app or your phone for Wi-Fi and Thread.':
    'Bringe das Gerät zuerst in dein Netz: per Kabel, oder für WLAN und Thread mit der App des Herstellers oder deinem Handy.',
  'If an app has it already, share it there: that gives a code for the hub.':
    'Wenn es schon in einer App ist, teile es dort: Das gibt einen Code für den Hub.',
  'Code of the first device': 'Code des ersten Geräts',
  'The number that is printed on it or the text of its QR code. Without one, devices are added later':
    'Die Nummer, die darauf steht, oder der Text seines QR-Codes. Ohne kommen Geräte später hinzu',
  'Then enter the code here, and those of more devices under Add devices.':
    'Gib dann hier den Code ein, und die weiterer Geräte unter Geräte hinzufügen.',
  'Starting Matter …': 'Matter wird gestartet …',
  'Looking for the device …': 'Gerät wird gesucht …',
  'The device was found …': 'Gerät gefunden …',
  'Checking the device …': 'Gerät wird geprüft …',
  'The device joins your home …': 'Gerät kommt in dein Zuhause …',
  'Asking the device what it can do …': 'Das Gerät wird gefragt, was es kann …',
  'No device with this code answers in your network. Is it on, and ready to be added? If another app has it already, share it there and use the code that the app shows. A device for Wi-Fi, Thread or Bluetooth has to join your network first: add it with your phone, then share it from there.':
    'Kein Gerät mit diesem Code antwortet. Ist es an und bereit? Wenn es schon in einer anderen App ist, teile es dort und nimm den neuen Code.',
  'The device is in another home, which has not opened it. Share it in the app that has it, and use the code that the app shows.':
    'Das Gerät ist in einem anderen Zuhause, das es nicht geöffnet hat. Teile es in der App, die es hat, und nimm den Code, den sie zeigt.',
  'The device was found, but this is not its code.': 'Das Gerät ist da, aber das ist nicht sein Code.',
  'The device was found, but does not answer any more. Bring it closer to the router, and try again.':
    'Das Gerät war da, antwortet aber nicht mehr. Versuche es noch einmal.',
  'The device is in this home already.': 'Das Gerät ist schon in diesem Zuhause.',
  'The device is in as many homes as it can. Remove one of them in its app.':
    'Das Gerät ist in so vielen Apps, wie es kann. Entferne es aus einer davon.',
  'The device could not prove what it says of itself. The hub did not take it in.':
    'Das Gerät konnte nicht beweisen, was es zu sein behauptet. Es wurde nicht hinzugefügt.',
  'It was stopped.': 'Angehalten.',
  'The device took too long. Try again.': 'Das Gerät hat zu lange gebraucht. Versuche es noch einmal.',
  'The disk of the hub does not take the keys of the device.': 'Der Speicher des Hubs nimmt nichts mehr an.',
  'The device could not be added. The log of the hub has the reason.': 'Das Gerät konnte nicht hinzugefügt werden.',
  'A device for Wi-Fi, Thread or Bluetooth has to join your network first: add it with your phone, then share it from there.':
    'Füge das Gerät zuerst mit deinem Handy hinzu, damit es in dein Netz kommt. Teile es dann dort und nimm den neuen Code.',
  'is neither the number of a Matter device nor the text of its QR code, which begins with MT:':
    'Ist weder die Nummer eines Matter-Geräts noch der Text seines QR-Codes, der mit MT: beginnt',
  'has not the length of a code: the number has 11 or 21 digits':
    'Hat nicht die Länge eines Codes: Die Nummer hat 11 oder 21 Ziffern',
  'is mistyped: the last digit does not fit the others': 'Ist vertippt: Die letzte Ziffer passt nicht zu den anderen',
  'is the code of several devices: use that of each': 'Ist der Code mehrerer Geräte: Nimm den jedes einzelnen',
  'is of a newer kind than the hub knows': 'Ist von einer neueren Art, als der Hub kennt',
  'is none that a device may have': 'Ist einer, den kein Gerät haben darf',
  'Matter devices': 'Matter-Geräte',
  'Matter bridge': 'Matter-Bridge',
  'Your devices in Apple Home, Google Home, Alexa and SmartThings, over your own network alone.':
    'Deine Geräte in Apple Home, Google Home, Alexa und SmartThings, allein über dein eigenes Netz.',
  'Offer to other homes': 'Anderen Apps anbieten',
  'UDP port': 'UDP-Port',
  'Another one needs SocketBindAllow=udp: with its number in the unit of the service':
    'Ein anderer braucht SocketBindAllow=udp: mit seiner Nummer in der Unit des Dienstes',
  'Choose the rooms and devices, and an API token for the commands from there.':
    'Wähle die Räume und Geräte und einen API-Token für die Befehle von dort.',
  'Open the bridge for pairing. Scan its code with the app of the other home, or type the number.':
    'Öffne die Bridge zum Koppeln. Scanne ihren Code mit der anderen App, oder tippe die Nummer ein.',
  'For a second app, open it again: several may have the bridge at once.':
    'Für eine zweite App öffne sie noch einmal: Mehrere können die Bridge zugleich haben.',
  'its time is over': 'die Zeit ist um',
  'another home has the bridge now': 'ein anderes Zuhause hat die Bridge jetzt',
  'too many wrong codes came': 'es kamen zu viele falsche Codes',
  'another home has opened the bridge itself: close that first':
    'ein anderes Zuhause hat die Bridge selbst geöffnet. Schließe sie erst dort',
  'the disk is full, so no other home can join': 'der Datenträger ist voll, darum kann kein Zuhause dazukommen',
  'it could not be opened': 'sie ließ sich nicht öffnen',
  'Offer to Home Assistant': 'Für Home Assistant anbieten',
  'Seconds of silence until its devices are offline': 'Sekunden Stille, bis seine Geräte offline sind',
  'As in the settings of Zigbee2MQTT (mqtt.base_topic)': 'Wie in den Einstellungen von Zigbee2MQTT (mqtt.base_topic)',
  'As in the settings of the devices': 'Wie in den Einstellungen der Geräte',
  'Devices in these rooms, and these devices, appear there. What opens the home only if it is chosen by itself':
    'Geräte in diesen Räumen und diese Geräte erscheinen dort. Was das Zuhause öffnet, nur, wenn es einzeln ausgewählt ist',
  'Here the hub says "online", so that devices announce themselves again':
    'Hier sagt der Hub „online“, damit Geräte sich neu anmelden',
  'Only without its own integration: with both, each device would be there twice':
    'Nur ohne die eigene Integration: Mit beiden wäre jedes Gerät doppelt da',
  'The script may set it, too': 'Auch das Skript darf das einstellen',
  'Under which the devices announce themselves; the firmware has no other.':
    'Darunter melden sich die Geräte an; die Firmware kennt kein anderes.',
  'What is offered can be used from there as far as this token may use it; without one it is only shown':
    'Was angeboten ist, lässt sich von dort so weit bedienen, wie dieses Token es darf; ohne eines wird es nur gezeigt',

  'Connect the device to your network with the Shelly app or its own page.':
    'Verbinde das Gerät mit der Shelly-App oder über seine eigene Seite mit deinem Netz.',
  'Connect the light to your network with the WLED app or its own page.':
    'Verbinde die Lampe mit der WLED-App oder über ihre eigene Seite mit deinem Netz.',
  'Enter the address of that broker here.': 'Gib hier die Adresse dieses Brokers ein.',
  'Give each device the address of your MQTT broker, on its own page.':
    'Gib jedem Gerät auf seiner eigenen Seite die Adresse deines MQTT-Brokers.',
  'Give the hub the address of the same broker. The devices appear by themselves.':
    'Gib dem Hub die Adresse desselben Brokers. Die Geräte erscheinen von selbst.',
  'Give the hub the same broker. What announces itself there appears by itself.':
    'Gib dem Hub denselben Broker. Was sich dort anmeldet, erscheint von selbst.',
  'Give the node the native API: api: in its configuration, best with encryption: and a key.':
    'Gib dem Knoten die native API: api: in seiner Konfiguration, am besten mit encryption: und einem Schlüssel.',
  'Have the devices or programs that the hub should reach, such as Zigbee2MQTT, connect to that broker.':
    'Verbinde die Geräte oder Programme, die der Hub erreichen soll, mit diesem Broker, zum Beispiel Zigbee2MQTT.',
  'Install Zigbee2MQTT there (zigbee2mqtt.io) and give it the address of an MQTT broker.':
    'Installiere dort Zigbee2MQTT (zigbee2mqtt.io) und gib ihm die Adresse eines MQTT-Brokers.',
  'Install an MQTT broker on this computer or another one in the home. Mosquitto is small and comes with Debian: sudo apt install mosquitto':
    'Installiere einen MQTT-Broker auf diesem oder einem anderen Rechner im Zuhause. Mosquitto ist klein und gehört zu Debian: sudo apt install mosquitto',
  'Leave its option 19 off (SetOption19 0): then it announces itself in the way of Tasmota.':
    'Lass die Option 19 aus (SetOption19 0): Dann meldet es sich auf die Art von Tasmota an.',
  'New devices appear a few seconds after the search starts. One of them fails at first, as real ones sometimes do.':
    'Neue Geräte erscheinen einige Sekunden nach Beginn der Suche. Eines klappt erst beim zweiten Mal, wie manchmal in Wirklichkeit.',
  'Plug a Zigbee adapter into this computer or another one in the home.':
    'Stecke einen Zigbee-Adapter an diesen oder einen anderen Rechner im Zuhause.',
  'Put the device into pairing mode: usually by holding its button for five seconds, or by switching a lamp on and off five times. Keep it within a few meters of the Zigbee adapter.':
    'Versetze das Gerät in den Verbindungsmodus: meist, indem du seine Taste fünf Sekunden lang hältst oder eine Lampe fünfmal ein- und ausschaltest. Es sollte nur wenige Meter vom Zigbee-Adapter entfernt sein.',
  'Run Z-Wave JS UI, or the plain Z-Wave JS server, on the machine with the radio stick, and switch its WebSocket server on.':
    'Starte Z-Wave JS UI oder den einfachen Z-Wave-JS-Server auf dem Rechner mit dem Funkstick und schalte seinen WebSocket-Server ein.',
  'Switch a new lamp on, or hold the button of a switch or sensor for ten seconds. The bridge searches for about a minute.':
    'Schalte eine neue Lampe ein, oder halte die Taste eines Schalters oder Sensors zehn Sekunden lang. Die Bridge sucht etwa eine Minute.',
  'Switch on Home Assistant discovery in the device or program, and give it the address of your MQTT broker.':
    'Schalte im Gerät oder Programm die Home-Assistant-Erkennung ein und gib ihm die Adresse deines MQTT-Brokers.',
  'That server has no password: everyone who reaches its port can open your locks. Let only the hub reach it, by a firewall or by running it on the machine of the hub.':
    'Dieser Server hat kein Passwort: Wer seinen Port erreicht, kann deine Schlösser öffnen. Lass nur den Hub an ihn heran, mit einer Firewall oder indem er auf dem Rechner des Hubs läuft.',
  'The hub finds it, or takes its address, and asks for the key if there is one. Each node is set up for itself.':
    'Der Hub findet ihn oder nimmt seine Adresse und fragt nach dem Schlüssel, wenn es einen gibt. Jeder Knoten wird für sich eingerichtet.',
  'The hub finds it, or takes its address. Each device is set up for itself; sensors of the BLU series come with their gateway.':
    'Der Hub findet es oder nimmt seine Adresse. Jedes Gerät wird für sich eingerichtet; Sensoren der Reihe BLU kommen mit ihrem Gateway.',
  'The hub finds it, or takes its address. Each light is set up for itself.':
    'Der Hub findet sie oder nimmt ihre Adresse. Jede Lampe wird für sich eingerichtet.',
  'The hub finds the server, or takes its address.': 'Der Hub findet den Server oder nimmt seine Adresse.',

  'Asking what is at this address …': 'Fragt, was unter dieser Adresse ist …',
  'Nobody pressed the button within a minute.': 'Niemand hat innerhalb einer Minute die Taste gedrückt.',
  'Press the round button on the bridge.': 'Drücke die runde Taste an der Bridge.',
  'Setting the key …': 'Setzt den Schlüssel …',
  'Trying the key …': 'Probiert den Schlüssel …',
  'Trying the password …': 'Probiert das Passwort …',
  'Writing to the device …': 'Schreibt auf das Gerät …',
  'This node has no encryption key: anyone in the network can command it, and set a key that you do not know.':
    'Dieser Knoten hat keinen Schlüssel: Jeder im Netz kann ihm Befehle geben und einen Schlüssel setzen, den du nicht kennst.',
  'Write this key down: other programs need it, and the node keeps it until it is erased. Then go on.':
    'Schreibe diesen Schlüssel auf: Andere Programme brauchen ihn, und der Knoten behält ihn, bis er gelöscht wird. Dann geht es weiter.',
  'I set this myself': 'Ich stelle das selbst ein',
  'Leave it open': 'Offen lassen',
  'Let the hub set this': 'Der Hub soll das einstellen',
  'Set a key': 'Schlüssel setzen',
  'Try again': 'Noch einmal versuchen',
  'As it was set on the device itself.': 'Wie er am Gerät selbst gesetzt wurde.',
  'The MQTT broker at {0} refuses the connection (reason {1})':
    'Der MQTT-Broker unter {0} lehnt die Verbindung ab (Grund {1})',
  'The certificate of the MQTT broker at {0} cannot be trusted':
    'Dem Zertifikat des MQTT-Brokers unter {0} ist nicht zu trauen',
  'The MQTT broker at {0} closed the connection': 'Der MQTT-Broker unter {0} hat die Verbindung geschlossen',
  'What answers at {0} does not speak correct MQTT': 'Was unter {0} antwortet, spricht kein richtiges MQTT',
  'The MQTT broker at {0} does not answer': 'Der MQTT-Broker unter {0} antwortet nicht',
  'The name in {0} has no address': 'Der Name in {0} hat keine Adresse',
  'The network has no way to {0}': 'Zu {0} führt kein Weg im Netz',
  'The MQTT broker at {0} refuses this user and password':
    'Der MQTT-Broker unter {0} nimmt Benutzer und Passwort nicht an',
  'Nothing answers at {0}': 'Unter {0} antwortet nichts',
  'Zigbee2MQTT is not running': 'Zigbee2MQTT läuft nicht',

  ...templateTexts,
};

/** The words for what the hub says in whole sentences. */
export const hubTexts = createHubTexts({ errors, texts });
