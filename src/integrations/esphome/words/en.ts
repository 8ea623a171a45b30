import { frame } from '#integrations/words/en.ts';

/** This kind says these in English; the other languages have words for the same. */
export const words = {
  kind: {
    name: 'ESPHome',
    about: 'Boards with ESPHome firmware: lamps, relays, sensors, blinds, thermostats and whatever else they drive.',
    help: [
      'Give the node the native API: api: in its configuration, best with encryption: and a key.',
      'The hub finds it, or takes its address, and asks for the key if there is one. Each node is set up for itself.',
      'Its address is in the log of the node, and in the list of devices of your router.',
    ],
  },
  settings: {
    host: { label: 'Address of the node', hint: 'Such as 192.168.1.50.' },
    take_rooms: { label: 'Put new devices into the rooms that the node has for them' },
    mac: { label: 'MAC address of the node', hint: 'Twelve digits, as the node said them during the set-up.' },
    key: {
      label: 'Encryption key',
      hint: 'The key under api: encryption: in the configuration of the node.',
    },
  },
  steps: {
    ...frame.steps,
    trying_key: 'Trying the key …',
    write_down: 'Write this key down: other programs need it, and the node keeps it until it is erased. Then go on.',
    setting_key: 'Setting the key …',
  },
  choices: {
    offer_key: {
      text: 'This node has no encryption key: anyone in the network can command it, and set a key that you do not know.',
      options: {
        set: { title: 'Set a key', detail: 'The hub makes one and shows it to you.' },
        leave: { title: 'Leave it open', detail: 'The hub speaks to the node without encryption.' },
      },
    },
  },
  faults: {
    ...frame.faults,
    no_node: 'is not the address of an ESPHome node',
    other_node: 'is the address of another node than the one found',
    has_password: 'is that of a node with a password: give it an encryption key instead',
    no_key: 'is no key: it has 44 letters, digits and signs',
    wrong_key: 'is not the key of the node',
  },
  failures: {
    node_lost: 'The node does not answer any more.',
    key_not_taken: 'The node did not take the key.',
    key_not_used:
      'The node took the key, but does not answer with it. Set it up again with the key that you wrote down.',
  },
} as const;

/** Why it does not work, by the code of the failure. */
export const errors = {
  NODE_UNREACHABLE: 'The node does not answer',
  NODE_SILENT: 'The node no longer answers on an open connection',
  BAD_ANSWER: 'What answers at this address does not speak as an ESPHome node',
  OTHER_NODE: 'Another node answers at this address: set that one up, or correct the address',
  KEY_NEEDED: 'The node wants an encrypted connection: enter its key in the settings',
  KEY_REFUSED: 'The node has another key: enter the new one in the settings',
  NOT_ENCRYPTED:
    'The node does not encrypt although the hub has its key: take the key out of the settings if that is meant so',
  PASSWORD_NEEDED: 'The node has a password, which the hub does not use: give it an encryption key instead',
} as const;
