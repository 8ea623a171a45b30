/** One server-sent event; `id` is absent if the frame does not move the position. */
export type Frame = { readonly id: string | undefined; readonly type: string; readonly data: string };

/** Takes the text of an event stream in any pieces, and returns the frames that are complete. */
export function createFrameReader(): (text: string) => readonly Frame[] {
  let rest = '';
  let id: string | undefined;
  let type = '';
  let data: string[] = [];

  const readLine = (line: string): Frame | undefined => {
    if (line === '') {
      const frame = data.length === 0 ? undefined : { id, type: type === '' ? 'message' : type, data: data.join('\n') };
      id = undefined;
      type = '';
      data = [];
      return frame;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') data.push(value);
    else if (field === 'event') type = value;
    else if (field === 'id') id = value;
    return undefined;
  };
  return (text) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    return lines.map((line) => readLine(line.replace(/\r$/, ''))).filter((frame) => frame !== undefined);
  };
}
