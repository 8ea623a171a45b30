import { COMMANDS, GLOBAL_OPTIONS } from '#cli/command-table.ts';
import type { CommandOption } from '#cli/command.ts';

/** Completion of commands and options for bash, from the table of commands. */
export function createCompletion(): string {
  const firsts = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? name))];
  const groups = firsts.filter((first) => COMMANDS.some(({ name }) => name.startsWith(`${first} `)));
  const seconds = groups.map((group) => {
    const names = COMMANDS.filter(({ name }) => name.startsWith(`${group} `)).map(({ name }) => name.split(' ')[1]);
    return `    ${group}) words='${names.join(' ')}' ;;`;
  });
  const options = COMMANDS.filter((command) => command.options.length > 0).map(
    (command) => `    '${command.name}') words='${list([...command.options, ...GLOBAL_OPTIONS])}' ;;`,
  );
  return `# bash completion for hearthd(8)
_hearthd() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD-1]} command=\${COMP_WORDS[1]} words=''
  case $command in
    ${groups.join('|')}) command="$command \${COMP_WORDS[2]}" ;;
  esac
  case $previous in
    ${FILES.join('|')}) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
    --*) [ "$previous" = --role ] && words='owner admin resident guest' ;;
  esac
  if [ "$COMP_CWORD" -eq 1 ]; then words='${firsts.join(' ')} --help'
  elif [[ $current == -* ]]; then case $command in
${options.join('\n')}
    *) words='${list(GLOBAL_OPTIONS)}' ;;
  esac
  elif [ "$COMP_CWORD" -eq 2 ]; then case \${COMP_WORDS[1]} in
${seconds.join('\n')}
    backup|restore) mapfile -t COMPREPLY < <(compgen -f -- "$current"); return ;;
  esac
  fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _hearthd hearthd
`;
}

const FILES = ['--config', '--state-dir'];

function list(options: readonly CommandOption[]): string {
  return options.map(({ name }) => `--${name}`).join(' ');
}
