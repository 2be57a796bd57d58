import { SETTING_RANGES } from '../engine/settings-ranges.ts';
import { type Failure, failure, isFailure } from './answer.ts';
import { EXIT } from './exit-codes.ts';

export type SettingValue = string | number;

interface SettingKey {
  readonly name: string;
  readonly what: string;
  readonly initial: SettingValue;
  readonly expected: string;
  readonly parse: (text: string) => SettingValue | undefined;
}

const whole =
  ([min, max]: readonly [number, number]) =>
  (text: string): number | undefined => {
    const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };

const oneOf =
  (...words: readonly string[]) =>
  (text: string): string | undefined =>
    words.includes(text) ? text : undefined;

/** Every setting of an installation; kept in the store, read when an engine starts. */
export const SETTINGS: readonly SettingKey[] = Object.freeze([
  {
    name: 'concurrency',
    what: 'Runs at a time',
    initial: 3,
    expected: '1..64',
    parse: whole(SETTING_RANGES.concurrency),
  },
  {
    name: 'notify',
    what: 'command that is run when an item needs you or has ended; empty for none',
    initial: '',
    expected: 'a shell command',
    parse: (text) => text,
  },
  {
    name: 'sandbox',
    what: 'whether commands and checks run in a sandbox where there is one',
    initial: 'on',
    expected: 'on or off',
    parse: oneOf('on', 'off'),
  },
  {
    name: 'minFreeBytes',
    what: 'below this much free space no Run starts',
    initial: 200 * 1024 * 1024,
    expected: '0..1000000000000',
    parse: whole(SETTING_RANGES.minFreeBytes),
  },
  {
    name: 'shutdownMs',
    what: 'how long an orderly stop waits for Runs to end',
    initial: 10_000,
    expected: '1000..600000',
    parse: whole(SETTING_RANGES.shutdownMs),
  },
]);

export interface Settings {
  readonly concurrency: number;
  readonly notify: string;
  readonly sandbox: string;
  readonly minFreeBytes: number;
  readonly shutdownMs: number;
}

/** The key of that name, or the list of those there are. */
export function settingNamed(name: string): SettingKey | Failure {
  const key = SETTINGS.find((candidate) => candidate.name === name);
  if (key) return key;
  return failure(EXIT.invalid, 'unknown_setting', `There is no setting ${name}.`, {
    expected: SETTINGS.map((candidate) => candidate.name).join(', '),
    found: name,
  });
}

/** A value as it is stored, or why it is none. */
export function settingValue(name: string, text: string): SettingValue | Failure {
  const key = settingNamed(name);
  if (isFailure(key)) return key;
  const value = key.parse(text);
  if (value !== undefined) return value;
  return failure(EXIT.invalid, 'invalid_setting', `${name} cannot be "${text}".`, {
    expected: key.expected,
    found: text,
  });
}

const stored = (value: Readonly<Record<string, unknown>>, key: SettingKey): SettingValue => {
  const found = value[key.name];
  return typeof found === typeof key.initial ? (found as SettingValue) : key.initial;
};

/** What is stored, with the defaults for the rest. */
export function readSettings(value: Readonly<Record<string, unknown>>): Settings {
  const all = Object.fromEntries(SETTINGS.map((key) => [key.name, stored(value, key)]));
  return {
    concurrency: Number(all.concurrency),
    notify: String(all.notify),
    sandbox: String(all.sandbox),
    minFreeBytes: Number(all.minFreeBytes),
    shutdownMs: Number(all.shutdownMs),
  };
}
