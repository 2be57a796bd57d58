import { type Failure, failure } from './answer.ts';
import { EXIT } from './exit-codes.ts';

/** What was typed behind a command's name, as the parser found it. */
export interface Input {
  readonly args: readonly string[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** The nth argument; the parser has refused the command line if a required one is missing. */
export const argument = (input: Input, index: number): string => input.args[index] ?? '';

export const textOption = (input: Input, name: string): string | undefined => {
  const value = input.options[name];
  return typeof value === 'string' ? value : undefined;
};

export const flagOption = (input: Input, name: string): boolean => input.options[name] === true;

/** An option that may be given several times. */
export const listOption = (input: Input, name: string): readonly string[] => {
  const value = input.options[name];
  return Array.isArray(value) ? value.filter((entry): entry is string => typeof entry === 'string') : [];
};

/** Collector for commander. */
export const collect = (value: string, previous: readonly string[] | undefined): readonly string[] => [
  ...(previous ?? []),
  value,
];

const bad = (name: string, expected: string, found: string): Failure =>
  failure(EXIT.invalid, 'invalid_option', `--${name} cannot be "${found}".`, { expected, found });

const flagName = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** Words that have to be said: blank ones are refused. */
export function wordsOption(input: Input, name: string): string | Failure {
  const text = textOption(input, name)?.trim() ?? '';
  return text === '' ? bad(flagName(name), 'a few words', text) : text;
}

/** A whole number in a range, refused and never clamped. */
export function wholeOption(input: Input, name: string, min: number, max: number): number | undefined | Failure {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return value >= min && value <= max ? value : bad(flagName(name), `${min}..${max}`, text);
}

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** `90s`, `15m`, `2h`, `7d`; a bare number counts seconds. Whole seconds above 0. */
export function durationOption(input: Input, name: string): number | undefined | Failure {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const [, amount, unit = 's'] = /^(\d{1,9})([smhd]?)$/.exec(text) ?? [];
  const seconds = Number(amount) * (SECONDS[unit || 's'] ?? 1);
  return seconds > 0 ? seconds : bad(flagName(name), 'a duration such as 90s, 15m, 2h or 7d', text);
}

export function choiceOption<T extends string>(
  input: Input,
  name: string,
  choices: readonly T[],
): T | undefined | Failure {
  const text = textOption(input, name);
  if (text === undefined) return undefined;
  const choice = choices.find((candidate) => candidate === text);
  return choice ?? bad(flagName(name), choices.join(', '), text);
}
