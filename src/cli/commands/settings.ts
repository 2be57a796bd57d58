import { leavesOf, type Tree, valueAt, without, withValue } from '../../engine/settings-tree.ts';
import { answer, type Failure, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import type { Input } from '../options.ts';
import { refusedInRun } from '../refused-in-run.ts';
import { wrapText } from '../render/text.ts';
import {
  CONFIGURATION_KEYS,
  type ConfigurationPlace,
  configurationPlace,
  unknownSetting,
} from '../settings/configuration-keys.ts';
import { readSettings, SETTINGS, settingValue } from '../settings-keys.ts';
import { fileText } from '../text-input.ts';

/** Loaded only where a configuration is judged: it brings the models and their prices. */
const judge = () => import('../settings/configuration-value.ts');

const SCALARS = SETTINGS.map(({ name }) => name);

const isScalar = (name: string): boolean => SCALARS.includes(name);

const shown = (value: unknown): string => {
  if (value === undefined || value === '') return '(none)';
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** One value as the program uses it: scalars have defaults, the rest may not be there. */
function find(stored: Tree, name: string): { readonly value: unknown } | Failure {
  if (isScalar(name)) return { value: valueAt(readSettings(stored), [name]) };
  const place = configurationPlace(name);
  if (place) return { value: valueAt(stored, place.segments) };
  const branch = valueAt(stored, name.split('.'));
  const isBranch = CONFIGURATION_KEYS.some(({ pattern }) => pattern.startsWith(`${name}.`));
  return isBranch ? { value: branch } : unknownSetting(name, SCALARS);
}

async function get(app: App, name: string): Promise<Outcome> {
  const found = find((await app.store.readSettings()).value, name);
  return isFailure(found) ? found : answer(shown(found.value), { [name]: found.value ?? null });
}

const WIDTH = 30;

/** What is set, then what could be. */
async function list(app: App): Promise<Outcome> {
  const { paint, columns } = app.shell;
  const { value: stored } = await app.store.readSettings();
  const { configurationProblem, configurationTree } = await judge();
  const scalars = readSettings(stored);
  const line = (name: string, value: unknown, what: string): string =>
    `${name.padEnd(WIDTH)} ${shown(value).padEnd(12)} ${paint.dim(what)}`.trimEnd();
  const own = configurationTree(stored);
  const problem = configurationProblem(stored);
  const lines = [
    ...SETTINGS.map((key) => line(key.name, valueAt(scalars, [key.name]), `${key.what} (${key.expected})`)),
    ...leavesOf(own, (path) => configurationPlace(path) !== undefined).map(([path, value]) => line(path, value, '')),
    ...(problem === undefined ? [] : [paint.red(`Not read, so that defaults hold: ${problem}`)]),
    '',
    paint.bold('Can be set as well'),
    ...CONFIGURATION_KEYS.flatMap(({ pattern, what, expected }) => {
      const [first = '', ...more] = wrapText(`${what} (${expected})`, columns - WIDTH - 3);
      return [
        `  ${pattern.padEnd(WIDTH)} ${paint.dim(first)}`,
        ...more.map((each) => `${' '.repeat(WIDTH + 3)}${paint.dim(each)}`),
      ];
    }),
  ];
  return answer(lines.join('\n'), { ...scalars, ...own, problem: problem ?? null });
}

const stale = (): Failure =>
  failure(EXIT.refused, 'settings_version_stale', 'Somebody changed the settings at the same moment.', {
    expected: 'the version that was read',
    found: 'a newer one',
    next: 'Try again.',
  });

async function write(app: App, version: number, value: Tree, said: string, json: unknown): Promise<Outcome> {
  return (await app.store.writeSettings(version, value)) ? answer(said, json) : stale();
}

async function setConfiguration(app: App, place: ConfigurationPlace, text: string): Promise<Outcome> {
  const { configurationValue, modelNote, modelProblem } = await judge();
  const { modelSettings, readConfiguration } = await import('../../engine/configuration.ts');
  const { version, value: stored } = await app.store.readSettings();
  const taken = configurationValue(stored, place, text);
  if (isFailure(taken)) return taken;
  const tree = withValue(stored, place.segments, taken.value);
  const judged = [place, taken.value, modelSettings(readConfiguration(tree)), app.shell.env] as const;
  const wrong = modelProblem(...judged);
  if (wrong) return wrong;
  const path = place.segments.join('.');
  const note = modelNote(...judged);
  const json = { [path]: taken.value, ...(note === undefined ? {} : { note }) };
  const written = await write(app, version, tree, `${path} is ${shown(taken.value)} now.`, json);
  if (note !== undefined && !isFailure(written) && !app.shell.json) app.shell.err(note);
  return written;
}

async function set(app: App, name: string, typed: string): Promise<Outcome> {
  if (!isScalar(name)) {
    const place = configurationPlace(name);
    if (!place) return unknownSetting(name, SCALARS);
    const text = await fileText(app.shell, typed);
    return isFailure(text) ? text : setConfiguration(app, place, text);
  }
  const value = settingValue(name, typed);
  if (isFailure(value)) return value;
  const before = await app.store.readSettings();
  const said = `${name} is ${shown(value)} now. Servers that run take it up when they start again.`;
  return write(app, before.version, { ...before.value, [name]: value }, said, { [name]: value });
}

async function unset(app: App, name: string): Promise<Outcome> {
  const place = configurationPlace(name);
  if (!place && !isScalar(name)) return unknownSetting(name, SCALARS);
  const segments = place?.segments ?? [name];
  const { version, value } = await app.store.readSettings();
  const found = valueAt(value, segments);
  if (found === undefined) return answer(`${name} was not set.`, { [name]: null });
  return write(app, version, without(value, segments), `${name} is not set any more.`, { [name]: null });
}

const usage = (input: Input): Failure =>
  failure(EXIT.invalid, 'usage', 'Settings are read with get, changed with set and taken back with unset.', {
    expected: 'nothing, get KEY, set KEY VALUE or unset KEY',
    found: input.args.join(' ') || 'nothing',
    next: 'workcenter settings',
  });

function settingsCommand(app: App, input: Input): Promise<Outcome> {
  const [verb = 'get', name, value] = input.args;
  if (verb === 'get') return name === undefined ? list(app) : get(app, name);
  if (verb === 'set' && name !== undefined && value !== undefined) return set(app, name, value);
  if (verb === 'unset' && name !== undefined) return unset(app, name);
  return Promise.resolve(usage(input));
}

export const settings: CommandModule = {
  define: (parser) =>
    void parser
      .argument('[verb]', 'get (default), set or unset')
      .argument('[key]', 'a key of the list that workcenter settings shows')
      .argument('[value]', 'the new value; @FILE reads a file'),
  examples: [
    'workcenter settings',
    'workcenter settings set models.tags.fast anthropic/claude-haiku-4-5',
    'workcenter settings set limits.dailyUsd 20',
    'workcenter settings set notify "notify-send \\"$WORKCENTER_SENTENCE\\""',
  ],
  userOnly: false,
  run: (shell, input) => {
    const { WORKCENTER_RUN: runId } = shell.env;
    const changes = input.args[0] === 'set' || input.args[0] === 'unset';
    if (changes && runId !== undefined) return Promise.resolve(refusedInRun('Changing settings', runId));
    return withApp(shell, (app) => settingsCommand(app, input));
  },
};
