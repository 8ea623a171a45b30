/** The templates of automations that come with the hub say these, by their ids and the names of their inputs. */
export const templateTexts = {
  'motion-light': {
    name: 'Light by motion',
    description:
      'Turns lamps on when somebody moves in the dark, dimmed at night, and off some minutes after the last motion. Lamps switched by hand are left alone for a while. If the sensor fails, the lamps stay on for an hour at most.',
    inputs: {
      motion: { label: 'Motion sensors' },
      lights: { label: 'Lamps' },
      lux: { label: 'Light sensor' },
      dark_lx: { label: 'Dark means below' },
      hold_s: { label: 'Turn off after no motion for' },
      level: { label: 'Brightness', hint: 'Leave it out for lamps that cannot be dimmed.' },
      night_level: { label: 'Brightness at night' },
      night_from: { label: 'Night begins' },
      night_to: { label: 'Night ends' },
      yield_s: { label: 'Leave hand-switched lamps alone for' },
    },
  },
  'wake-up-light': {
    name: 'Wake-up light',
    description:
      'Raises lamps slowly before you get up. Lamps that are already on, or that somebody turns off meanwhile, are left alone. Nothing happens on days off, while nobody is at home, or after the hub was off for a quarter of an hour.',
    inputs: {
      lights: { label: 'Lamps' },
      at: { label: 'Begin at' },
      days: { label: 'Days' },
      minutes: { label: 'Minutes to full brightness' },
      level: { label: 'Full brightness' },
      stay_min: { label: 'Off again after (minutes)' },
      only_home: { label: 'Only while somebody is at home' },
    },
  },
  'sunset-lights': {
    name: 'Lights at sunset',
    description:
      'Turns lamps on around sunset and off at a time of night. Lamps switched by hand are left alone for 30 min. It needs the location of the home.',
    inputs: {
      lights: { label: 'Lamps' },
      level: { label: 'Brightness', hint: 'Leave it out for lamps that cannot be dimmed.' },
      offset_s: { label: 'How long before or after sunset' },
      not_before: { label: 'Not before' },
      not_after: { label: 'Not after' },
      off_at: { label: 'Off at' },
      only_home: { label: 'Only while somebody is at home' },
    },
  },
  'button-scenes': {
    name: 'Button for scenes',
    description:
      'Each press of a button goes to the next of two or three scenes; another press turns lamps off. It goes by what the lamps report, so it begins with the first scene after somebody changed them.',
    inputs: {
      button: { label: 'Button' },
      next_press: { label: 'Press for the next scene' },
      first: { label: 'First scene' },
      second: { label: 'Second scene' },
      third: { label: 'Third scene' },
      lights: { label: 'Lamps to turn off' },
      off_press: { label: 'Press to turn off' },
    },
  },
  leak: {
    name: 'Water leak',
    description:
      'Any leak sensor, also one that joins later, closes the water, sounds a siren and tells everybody until somebody acknowledges it. It says so when the valve does not close. It never opens the water again by itself.',
    inputs: {
      valve: { label: 'Water valve' },
      siren: { label: 'Siren' },
      siren_s: { label: 'The siren sounds for' },
    },
  },
  'door-left-open': {
    name: 'Door left open',
    description:
      'Says that a door or window has been open for too long, reminds until it is closed, and takes the message back then. With a thermometer outside only while it is cold there.',
    inputs: {
      doors: { label: 'Doors and windows' },
      after_s: { label: 'After' },
      repeat_s: { label: 'Remind every' },
      outside: { label: 'Thermometer outside' },
      below: { label: 'Only below' },
    },
  },
  'low-batteries': {
    name: 'Low batteries',
    description:
      'Tells of each device whose battery runs low, also of one that joins later, and again after a week if it is still so.',
    inputs: {
      below: { label: 'Low means below' },
      except: { label: 'Not these' },
    },
  },
  'away-off': {
    name: 'All off when everybody is away',
    description:
      'Turns off everything that may be off, some minutes after the last person left or when somebody sets the home to away. Tells of windows that are open. While it is unknown whether somebody is at home, nothing happens.',
    inputs: {
      after_s: { label: 'After' },
      set_mode: { label: 'Set the home to away' },
      windows: { label: 'Windows and doors to look at' },
    },
  },
  'presence-imitation': {
    name: 'As if somebody were at home',
    description:
      'While the home is set to away or vacation, lamps do what they did a week ago at the same time. What nobody recorded changes nothing.',
    inputs: {
      lights: { label: 'Lamps' },
      from: { label: 'From' },
      to: { label: 'To' },
      modes: { label: 'While the home is set to' },
    },
  },
  'window-heating': {
    name: 'Heating down while a window is open',
    description:
      'Lowers thermostats while a window is open, and puts them back when all windows are closed, unless somebody changed them meanwhile. It never heats more. If a window sensor fails, the heating stays down for an hour at most.',
    inputs: {
      windows: { label: 'Windows' },
      thermostats: { label: 'Thermostats' },
      low: { label: 'Lower to' },
      open_s: { label: 'Lower after a window was open for' },
      closed_s: { label: 'Back after all were closed for' },
    },
  },
  'appliance-finished': {
    name: 'Appliance finished',
    description:
      'Tells when a washing machine, dryer or dishwasher is done: its power was up, and has then been down for some minutes. Pauses within the program do not count.',
    inputs: {
      meter: { label: 'Power of the appliance' },
      name: { label: 'Name of the appliance', default: 'The appliance' },
      start_w: { label: 'Runs above' },
      end_w: { label: 'Done below' },
      end_s: { label: 'How long the power must stay low' },
      door: { label: 'Door of the appliance', hint: 'Takes the message back when somebody opens it.' },
    },
  },
  'humidity-fan': {
    name: 'Fan by humidity',
    description:
      'Turns a fan on when the air is damp or gets damp quickly, as in a shower, and off when it is dry again. It runs for at least ten minutes and at most as long as you say. A fan that is already on, or that was switched by hand, is left alone.',
    inputs: {
      humidity: { label: 'Humidity' },
      fan: { label: 'Fan' },
      above: { label: 'Damp means above' },
      rise: { label: 'Or a rise within five minutes by' },
      dry: { label: 'Dry means below' },
      longest_s: { label: 'At most' },
      quiet_from: { label: 'Not at night: from' },
      quiet_to: { label: 'To' },
    },
  },
} as const;
