import { createHubTexts } from '#web/strings/language/hub-text-tables.ts';
import { errors } from './hub-errors.ts';
import { templateTexts } from './hub-template-texts.ts';

/** What the hub always says in the same words: of integrations and templates. */
const texts: Readonly<Record<string, string>> = {
  'A broker such as Mosquitto, through which other integrations reach their devices.':
    'Un broker como Mosquitto, por el que otras integraciones llegan a sus dispositivos.',
  'Boards with ESPHome firmware: lamps, relays, sensors, blinds, thermostats and whatever else they drive.':
    'Placas con firmware ESPHome: lámparas, relés, sensores, persianas, termostatos y lo que manejen.',
  'Devices and programs that announce themselves over MQTT, as they do for Home Assistant.':
    'Dispositivos y programas que se anuncian por MQTT, como para Home Assistant.',
  'Devices that a script of your own brings in over the API, with an API token for its name.':
    'Dispositivos que un script tuyo aporta por la API, con un token de API a su nombre.',
  'Devices without hardware, to try the hub.': 'Dispositivos sin hardware, para probar el hub.',
  'LED strips and lamps with WLED firmware, each with its segments, effects and presets.':
    'Tiras LED y lámparas con WLED, cada una con sus segmentos, efectos y preajustes.',
  'Lamps, plugs, switches and sensors of a Hue bridge (the square one, or newer).':
    'Lámparas, enchufes, interruptores y sensores de un puente Hue (el cuadrado, o más nuevo).',
  'Plugs, lamps, blinds and sensors with the Tasmota firmware, which the hub reaches through an MQTT broker.':
    'Enchufes, lámparas, persianas y sensores con Tasmota, a los que el hub llega por un broker MQTT.',
  'Relays, dimmers, blinds, meters and sensors of Shelly, from the Plus and Pro series on.':
    'Relés, reguladores, persianas, medidores y sensores de Shelly, desde las series Plus y Pro.',
  'Z-Wave devices, through a Z-Wave JS server that has the radio stick.':
    'Dispositivos Z-Wave, por un servidor Z-Wave JS que tiene la llave de radio.',
  'Zigbee devices behind a Zigbee2MQTT, which the hub reaches through an MQTT broker.':
    'Dispositivos Zigbee detrás de un Zigbee2MQTT, al que el hub llega por un broker MQTT.',
  'Home Assistant discovery': 'Descubrimiento de Home Assistant',
  'MQTT broker': 'Broker MQTT',
  Script: 'Script (API)',
  'Simulated home': 'Casa simulada',

  'Something that it names is gone.': 'Algo que nombra ya no existe.',
  'Something that it names is of another kind now, so a part of it does nothing.':
    'Algo que nombra es ahora de otro tipo: una parte no hace nada.',
  'Who signed it is gone: somebody with the rights has to sign it.':
    'Quien la guardó ya no está: alguien con los permisos tiene que dárselos.',
  'Who signed it lacks a right: somebody with the rights has to sign it.':
    'A quien la guardó le falta un permiso: alguien con los permisos tiene que dárselos.',
  'It needs the location of the home, to know the sun.': 'Necesita el lugar de la casa para saber del sol.',
  'Address of the broker': 'Dirección del broker',
  'mqtt://host:port, or mqtts://host:port with TLS': 'mqtt://nombre:puerto, o mqtts://nombre:puerto con TLS',
  'User name': 'Nombre de usuario',
  Password: 'Contraseña',
  Address: 'Dirección',
  'API token for commands from there': 'Token de API para órdenes de allí',
  'Also take the devices of Zigbee2MQTT': 'Tomar también los dispositivos de Zigbee2MQTT',
  'Base topic': 'Tema base',
  'Birth topic': 'Tema de nacimiento',
  'Discovery prefix': 'Prefijo de descubrimiento',
  'Discovery topic': 'Tema de descubrimiento',
  'Devices with a Matter code, over your own network and without the cloud of their makers.':
    'Dispositivos con código Matter, por tu propia red y sin la nube de sus fabricantes.',
  'Type the number that is printed on the device or in its manual, or the text of its QR code. A device that another app already has needs a new code from there: share it in that app.':
    'Escribe el número impreso en el dispositivo o en su manual, o el texto de su código QR. Un dispositivo que ya está en otra app necesita un código nuevo: compártelo desde esa app.',
  'First the hub asks each of its devices to forget this home. One that does not answer keeps its keys, and obeys no other home until you reset it.':
    'Primero se pide a cada uno de sus dispositivos que olvide esta casa. El que no responde conserva sus llaves y no obedece a ninguna otra casa hasta que lo restablezcas.',
  'Connect the device to your network first: by cable, or with its maker’s app or your phone for Wi-Fi and Thread.':
    'Conecta primero el dispositivo a tu red: por cable, o, para wifi y Thread, con la app del fabricante o tu móvil.',
  'If an app has it already, share it there: that gives a code for the hub.':
    'Si ya está en una app, compártelo desde allí: eso da un código para el hub.',
  'Code of the first device': 'Código del primer dispositivo',
  'The number that is printed on it or the text of its QR code. Without one, devices are added later':
    'El número impreso en él o el texto de su código QR. Sin él, los dispositivos se añaden más tarde',
  'Then enter the code here, and those of more devices under Add devices.':
    'Escribe después el código aquí, y los de otros dispositivos en Añadir dispositivos.',
  'Starting Matter …': 'Iniciando Matter…',
  'Looking for the device …': 'Buscando el dispositivo…',
  'The device was found …': 'Dispositivo encontrado…',
  'Checking the device …': 'Comprobando el dispositivo…',
  'The device joins your home …': 'El dispositivo está entrando en tu casa…',
  'Asking the device what it can do …': 'El dispositivo dice lo que sabe hacer…',
  'No device with this code answers in your network. Is it on, and ready to be added? If another app has it already, share it there and use the code that the app shows. A device for Wi-Fi, Thread or Bluetooth has to join your network first: add it with your phone, then share it from there.':
    'Ningún dispositivo responde a este código. ¿Está encendido y listo para añadirse? Si ya está en otra app, compártelo desde allí y usa el código nuevo.',
  'The device is in another home, which has not opened it. Share it in the app that has it, and use the code that the app shows.':
    'El dispositivo está en otra casa, que no lo ha abierto. Compártelo desde la app que lo tiene y usa el código que muestra.',
  'The device was found, but this is not its code.': 'El dispositivo está, pero este no es su código.',
  'The device was found, but does not answer any more. Bring it closer to the router, and try again.':
    'El dispositivo estaba, pero ya no responde. Inténtalo otra vez.',
  'The device is in this home already.': 'El dispositivo ya está en esta casa.',
  'The device is in as many homes as it can. Remove one of them in its app.':
    'El dispositivo ya está en todas las apps que admite. Quítalo de una de ellas.',
  'The device could not prove what it says of itself. The hub did not take it in.':
    'El dispositivo no pudo demostrar lo que dice ser. No se ha añadido.',
  'It was stopped.': 'Parado.',
  'The device took too long. Try again.': 'El dispositivo tardó demasiado. Inténtalo otra vez.',
  'The disk of the hub does not take the keys of the device.': 'El disco del hub ya no admite nada.',
  'The device could not be added. The log of the hub has the reason.': 'No se pudo añadir el dispositivo.',
  'A device for Wi-Fi, Thread or Bluetooth has to join your network first: add it with your phone, then share it from there.':
    'Añade primero el dispositivo con tu móvil para que entre en tu red. Luego compártelo desde allí y usa el código nuevo.',
  'is neither the number of a Matter device nor the text of its QR code, which begins with MT:':
    'No es ni el número de un dispositivo Matter ni el texto de su código QR, que empieza por MT:',
  'has not the length of a code: the number has 11 or 21 digits':
    'No tiene la longitud de un código: el número tiene 11 o 21 cifras',
  'is mistyped: the last digit does not fit the others': 'Está mal escrito: la última cifra no encaja con las demás',
  'is the code of several devices: use that of each': 'Es el código de varios dispositivos: usa el de cada uno',
  'is of a newer kind than the hub knows': 'Es de un tipo más nuevo que los que conoce el hub',
  'is none that a device may have': 'Es uno que ningún dispositivo puede tener',
  'Matter devices': 'Dispositivos Matter',
  'Matter bridge': 'Puente Matter',
  'Your devices in Apple Home, Google Home, Alexa and SmartThings, over your own network alone.':
    'Tus dispositivos en Apple Home, Google Home, Alexa y SmartThings, solo por tu propia red.',
  'Offer to other homes': 'Ofrecer a otras apps',
  'UDP port': 'Puerto UDP',
  'Another one needs SocketBindAllow=udp: with its number in the unit of the service':
    'Otro necesita SocketBindAllow=udp: con su número en la unidad del servicio',
  'Choose the rooms and devices, and an API token for the commands from there.':
    'Elige las habitaciones y los dispositivos, y un token de API para las órdenes de allí.',
  'Open the bridge for pairing. Scan its code with the app of the other home, or type the number.':
    'Abre el puente para emparejarlo. Escanea su código con la otra app, o escribe el número.',
  'For a second app, open it again: several may have the bridge at once.':
    'Para una segunda app, ábrelo otra vez: varias pueden tener el puente a la vez.',
  'its time is over': 'se acabó el tiempo',
  'another home has the bridge now': 'otro hogar tiene ahora el puente',
  'too many wrong codes came': 'llegaron demasiados códigos erróneos',
  'another home has opened the bridge itself: close that first':
    'otro hogar ha abierto el puente por su cuenta. Ciérralo antes allí',
  'the disk is full, so no other home can join': 'el disco está lleno, así que ningún hogar puede unirse',
  'it could not be opened': 'no se pudo abrir',
  'Offer to Home Assistant': 'Ofrecer a Home Assistant',
  'Seconds of silence until its devices are offline':
    'Segundos de silencio hasta dar sus dispositivos por desconectados',
  'As in the settings of Zigbee2MQTT (mqtt.base_topic)': 'Como en los ajustes de Zigbee2MQTT (mqtt.base_topic)',
  'As in the settings of the devices': 'Como en los ajustes de los dispositivos',
  'Devices in these rooms, and these devices, appear there. What opens the home only if it is chosen by itself':
    'Los dispositivos de estas habitaciones, y estos dispositivos, aparecen allí. Lo que abre la casa, solo si se elige por separado',
  'Here the hub says "online", so that devices announce themselves again':
    'Aquí el hub dice «online», para que los dispositivos se anuncien otra vez',
  'Only without its own integration: with both, each device would be there twice':
    'Solo sin su propia integración: con las dos, cada dispositivo estaría dos veces',
  'The script may set it, too': 'El script también puede ponerlo',
  'Under which the devices announce themselves; the firmware has no other.':
    'Aquel con el que se anuncian los dispositivos; el firmware no tiene otro.',
  'What is offered can be used from there as far as this token may use it; without one it is only shown':
    'Lo ofrecido se puede usar desde allí hasta donde permita este token; sin él solo se muestra',
  'Connect the device to your network with the Shelly app or its own page.':
    'Conecta el dispositivo a tu red con la aplicación de Shelly o su propia página.',
  'Connect the light to your network with the WLED app or its own page.':
    'Conecta la lámpara a tu red con la aplicación de WLED o su propia página.',
  'Enter the address of that broker here.': 'Escribe aquí la dirección de ese broker.',
  'Give each device the address of your MQTT broker, on its own page.':
    'Da a cada dispositivo la dirección de tu broker MQTT, en su propia página.',
  'Give the hub the address of the same broker. The devices appear by themselves.':
    'Da al hub la dirección del mismo broker. Los dispositivos aparecen solos.',
  'Give the hub the same broker. What announces itself there appears by itself.':
    'Da al hub el mismo broker. Lo que se anuncia allí aparece solo.',
  'Give the node the native API: api: in its configuration, best with encryption: and a key.':
    'Da al nodo la API nativa: api: en su configuración, mejor con encryption: y una llave.',
  'Have the devices or programs that the hub should reach, such as Zigbee2MQTT, connect to that broker.':
    'Haz que se conecten a ese broker los dispositivos o programas a los que debe llegar el hub, como Zigbee2MQTT.',
  'Install Zigbee2MQTT there (zigbee2mqtt.io) and give it the address of an MQTT broker.':
    'Instala allí Zigbee2MQTT (zigbee2mqtt.io) y dale la dirección de un broker MQTT.',
  'Install an MQTT broker on this computer or another one in the home. Mosquitto is small and comes with Debian: sudo apt install mosquitto':
    'Instala un broker MQTT en este ordenador o en otro de la casa. Mosquitto es pequeño y viene con Debian: sudo apt install mosquitto',
  'Leave its option 19 off (SetOption19 0): then it announces itself in the way of Tasmota.':
    'Deja su opción 19 desactivada (SetOption19 0): así se anuncia al modo de Tasmota.',
  'New devices appear a few seconds after the search starts. One of them fails at first, as real ones sometimes do.':
    'Los dispositivos nuevos aparecen unos segundos después de empezar la búsqueda. Uno falla al principio, como a veces los de verdad.',
  'Plug a Zigbee adapter into this computer or another one in the home.':
    'Conecta un adaptador Zigbee a este ordenador o a otro de la casa.',
  'Put the device into pairing mode: usually by holding its button for five seconds, or by switching a lamp on and off five times. Keep it within a few meters of the Zigbee adapter.':
    'Pon el dispositivo en modo de emparejamiento: casi siempre manteniendo su botón cinco segundos, o encendiendo y apagando una lámpara cinco veces. Déjalo a pocos metros del adaptador Zigbee.',
  'Run Z-Wave JS UI, or the plain Z-Wave JS server, on the machine with the radio stick, and switch its WebSocket server on.':
    'Ejecuta Z-Wave JS UI, o el servidor Z-Wave JS sin más, en la máquina con la llave de radio, y activa su servidor WebSocket.',
  'Switch a new lamp on, or hold the button of a switch or sensor for ten seconds. The bridge searches for about a minute.':
    'Enciende una lámpara nueva, o mantén diez segundos el botón de un interruptor o sensor. El puente busca durante un minuto.',
  'Switch on Home Assistant discovery in the device or program, and give it the address of your MQTT broker.':
    'Activa el descubrimiento de Home Assistant en el dispositivo o programa, y dale la dirección de tu broker MQTT.',
  'That server has no password: everyone who reaches its port can open your locks. Let only the hub reach it, by a firewall or by running it on the machine of the hub.':
    'Ese servidor no tiene contraseña: quien llegue a su puerto puede abrir tus cerraduras. Deja que solo llegue el hub, con un cortafuegos o ejecutándolo en la máquina del hub.',
  'The hub finds it, or takes its address, and asks for the key if there is one. Each node is set up for itself.':
    'El hub lo encuentra, o toma su dirección, y pide la llave si la hay. Cada nodo se configura por separado.',
  'The hub finds it, or takes its address. Each device is set up for itself; sensors of the BLU series come with their gateway.':
    'El hub lo encuentra, o toma su dirección. Cada dispositivo se configura por separado; los sensores de la serie BLU vienen con su pasarela.',
  'The hub finds it, or takes its address. Each light is set up for itself.':
    'El hub la encuentra, o toma su dirección. Cada lámpara se configura por separado.',
  'The hub finds the server, or takes its address.': 'El hub encuentra el servidor, o toma su dirección.',
  'Asking what is at this address …': 'Preguntando qué hay en esta dirección…',
  'Nobody pressed the button within a minute.': 'Nadie pulsó el botón en un minuto.',
  'Press the round button on the bridge.': 'Pulsa el botón redondo del puente.',
  'Setting the key …': 'Poniendo la llave…',
  'Trying the key …': 'Probando la llave…',
  'Trying the password …': 'Probando la contraseña…',
  'Writing to the device …': 'Escribiendo en el dispositivo…',
  'This node has no encryption key: anyone in the network can command it, and set a key that you do not know.':
    'Este nodo no tiene llave: cualquiera en la red puede darle órdenes, y poner una llave que tú no conoces.',
  'Write this key down: other programs need it, and the node keeps it until it is erased. Then go on.':
    'Anota esta llave: otros programas la necesitan, y el nodo la conserva hasta que se borra. Después sigue.',
  'I set this myself': 'Lo pongo yo',
  'Leave it open': 'Dejarlo abierto',
  'Let the hub set this': 'Que lo ponga el hub',
  'Set a key': 'Poner una llave',
  'Try again': 'Volver a intentarlo',
  'As it was set on the device itself.': 'Como se puso en el propio dispositivo.',
  'The MQTT broker at {0} refuses the connection (reason {1})':
    'El broker MQTT en {0} rechaza la conexión (motivo {1})',
  'The certificate of the MQTT broker at {0} cannot be trusted':
    'No se puede confiar en el certificado del broker MQTT en {0}',
  'The MQTT broker at {0} closed the connection': 'El broker MQTT en {0} cerró la conexión',
  'What answers at {0} does not speak correct MQTT': 'Lo que responde en {0} no habla MQTT correcto',
  'The MQTT broker at {0} does not answer': 'El broker MQTT en {0} no responde',
  'The name in {0} has no address': 'El nombre en {0} no tiene dirección',
  'The network has no way to {0}': 'La red no tiene camino a {0}',
  'The MQTT broker at {0} refuses this user and password': 'El broker MQTT en {0} rechaza este usuario y contraseña',
  'Nothing answers at {0}': 'Nada responde en {0}',
  'Zigbee2MQTT is not running': 'Zigbee2MQTT no está en marcha',
  ...templateTexts,
};

/** The words for what the hub says in whole sentences. */
export const hubTexts = createHubTexts({ errors, texts });
