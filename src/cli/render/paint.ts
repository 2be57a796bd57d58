/** Colours by meaning; never the only carrier of it (ui.md, "Look"). */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly green: (text: string) => string;
  readonly red: (text: string) => string;
  readonly amber: (text: string) => string;
  readonly blue: (text: string) => string;
  readonly violet: (text: string) => string;
  readonly strike: (text: string) => string;
}

const plain = (text: string): string => text;
const wrap =
  (open: number, close: number) =>
  (text: string): string =>
    text === '' ? '' : `\u001b[${open}m${text}\u001b[${close}m`;

export const PLAIN: Paint = Object.freeze({
  bold: plain,
  dim: plain,
  green: plain,
  red: plain,
  amber: plain,
  blue: plain,
  violet: plain,
  strike: plain,
});

const COLOURED: Paint = Object.freeze({
  bold: wrap(1, 22),
  dim: wrap(2, 22),
  green: wrap(32, 39),
  red: wrap(31, 39),
  amber: wrap(33, 39),
  blue: wrap(34, 39),
  violet: wrap(35, 39),
  strike: wrap(9, 29),
});

export const paintFor = (colour: boolean): Paint => (colour ? COLOURED : PLAIN);
