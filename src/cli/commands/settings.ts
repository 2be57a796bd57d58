import { answer, failure, isFailure, type Outcome } from '../answer.ts';
import { type App, withApp } from '../app.ts';
import type { CommandModule } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { argument, type Input } from '../options.ts';
import { readSettings, SETTINGS, settingNamed, settingValue } from '../settings-keys.ts';

async function get(app: App, name: string | undefined): Promise<Outcome> {
  const values = readSettings((await app.store.readSettings()).value);
  const all: Readonly<Record<string, unknown>> = { ...values };
  if (name !== undefined) {
    const key = settingNamed(name);
    return isFailure(key) ? key : answer(String(all[key.name]), { [key.name]: all[key.name] });
  }
  const { paint } = app.shell;
  const lines = SETTINGS.map((key) => {
    const value = String(all[key.name]) || '(none)';
    return `${key.name.padEnd(13)} ${value.padEnd(12)} ${paint.dim(`${key.what} (${key.expected})`)}`;
  });
  return answer(lines.join('\n'), all);
}

async function set(app: App, name: string, text: string): Promise<Outcome> {
  const value = settingValue(name, text);
  if (isFailure(value)) return value;
  const before = await app.store.readSettings();
  if (!(await app.store.writeSettings(before.version, { ...before.value, [name]: value }))) {
    return failure(EXIT.refused, 'settings_version_stale', 'Somebody changed the settings at the same moment.', {
      next: 'Try again.',
    });
  }
  return answer(`${name} is ${String(value) || '(none)'} now. Servers that run take it up when they start again.`, {
    [name]: value,
  });
}

async function settingsCommand(app: App, input: Input): Promise<Outcome> {
  const [verb = 'get', name, value] = input.args;
  if (verb === 'get') return get(app, name);
  if (verb === 'set' && name !== undefined && value !== undefined) return set(app, name, value);
  return failure(EXIT.invalid, 'usage', 'Settings are read with get and changed with set.', {
    expected: 'get [key] or set <key> <value>',
    found: input.args.join(' '),
  });
}

export const settings: CommandModule = {
  define: (parser) =>
    void parser
      .argument('[verb]', 'get (default) or set')
      .argument('[key]', `one of: ${SETTINGS.map((key) => key.name).join(', ')}`)
      .argument('[value]', 'the new value'),
  examples: [
    'workcenter settings',
    'workcenter settings set concurrency 4',
    'workcenter settings set notify "notify-send \\"$WORKCENTER_SENTENCE\\""',
  ],
  userOnly: false,
  run: (shell, input) => {
    if (argument(input, 0) === 'set' && shell.env.WORKCENTER_RUN !== undefined) {
      return Promise.resolve(
        failure(EXIT.refused, 'user_required', "Changing settings needs a person's authority.", {
          expected: 'a person at a terminal',
          found: 'inside of a Run (WORKCENTER_RUN is set)',
        }),
      );
    }
    return withApp(shell, (app) => settingsCommand(app, input));
  },
};
