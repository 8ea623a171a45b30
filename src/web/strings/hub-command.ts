/** What a person types before the name of a command at the machine that runs the hub, as the hub says in its page. */
export function hubCommand(): string {
  return document.querySelector('meta[name="hub-command"]')?.getAttribute('content') ?? 'hearthd';
}
