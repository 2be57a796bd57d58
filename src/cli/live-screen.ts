/** A block of lines at the bottom of a terminal that is drawn over itself. Close it, or the cursor stays hidden. */
export interface LiveScreen {
  readonly draw: (lines: readonly string[]) => void;
  /** Removes the block, so that what follows stands where it was. */
  readonly close: () => void;
}

export function openLiveScreen(write: (text: string) => void): LiveScreen {
  let height = 0;
  let last = '';
  const back = (): string => (height === 0 ? '' : `\u001b[${height}A`);
  return {
    draw(lines) {
      const text = lines.map((line) => `${line}\u001b[K\n`).join('');
      if (text === last) return;
      write(`${height === 0 ? '\u001b[?25l' : ''}${back()}\r${text}\u001b[0J`);
      height = lines.length;
      last = text;
    },
    close() {
      if (height > 0) write(`${back()}\r\u001b[0J\u001b[?25h`);
      height = 0;
      last = '';
    },
  };
}
