import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import {
  localNames,
  remoteSettings,
  SETTINGS_SCHEMA,
  settingsProblem,
  withLocal,
} from '../../engine/settings-schema.ts';
import type { Settings } from '../../store/store.ts';
import type { ApiDeps } from '../deps.ts';
import { problem } from '../problem.ts';
import { IF_MATCH, notAVersion, versionOf } from './if-match.ts';
import { json } from './json.ts';
import { REFUSALS } from './refusals.ts';

const SETTINGS = SETTINGS_SCHEMA.openapi('Settings');

const CURRENT = z
  .object({
    version: z.number().int().openapi({ description: '0 until something was set.' }),
    settings: SETTINGS,
    local: z.array(z.string()).openapi({ description: 'Set as well, told and changed on the machine only.' }),
    problem: z.string().nullable().openapi({ description: 'Why defaults hold instead.' }),
    project: z
      .string()
      .optional()
      .openapi({ description: 'The git project that the server was started in, if any: the likeliest place of work.' }),
  })
  .openapi('CurrentSettings');

const read = createRoute({
  method: 'get',
  path: '/settings',
  summary: 'What is set for the whole installation',
  responses: { 200: json(CURRENT, 'What is set; the ETag is its version.'), ...REFUSALS },
});

const write = createRoute({
  method: 'put',
  path: '/settings',
  summary: 'Other settings in the place of these; local ones stay',
  request: { headers: IF_MATCH, body: { content: { 'application/json': { schema: SETTINGS } }, required: true } },
  responses: { 200: json(CURRENT, 'What is set now.'), ...REFUSALS },
});

const view = ({ version, value }: Settings, project: string | undefined) => ({
  version,
  settings: remoteSettings(value),
  local: [...localNames(value)],
  problem: settingsProblem(value) ?? null,
  ...(project === undefined ? {} : { project }),
});

const headersOf = ({ version }: Settings) => ({ ETag: `"${version}"` });

/** Settings of the installation, against the version that was read (D34). */
export function settings(app: OpenAPIHono, { store, machine }: ApiDeps): void {
  const project = machine?.project;
  app.openapi(read, async (context) => {
    const now = await store.readSettings();
    return context.json(view(now, project), 200, headersOf(now));
  });
  app.openapi(write, async (context) => {
    const tag = context.req.valid('header')['if-match'];
    const version = versionOf(tag);
    if (version === undefined) return problem(context, notAVersion(tag, '/api/v1/settings'));
    const sent = context.req.valid('json');
    const [local] = localNames(sent);
    if (local !== undefined) {
      const message = `${local} is set on the machine of the server only.`;
      return problem(context, { code: 'local_setting', message, found: local, next: 'Leave it out; it stays.' });
    }
    const before = await store.readSettings();
    const value = withLocal(sent, before.value);
    const wrong = settingsProblem(value);
    if (wrong !== undefined) return problem(context, { code: 'invalid_setting', message: wrong });
    if (before.version !== version || !(await store.writeSettings(version, value))) {
      const found = `${(await store.readSettings()).version}`;
      const message = 'The settings changed since you read them.';
      return problem(context, { code: 'settings_version_stale', message, expected: `version ${version}`, found });
    }
    const now = await store.readSettings();
    return context.json(view(now, project), 200, headersOf(now));
  });
}
