import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startScriptedModel } from '../../src/testing.ts';
import { agent, commission, complete, coordinator, create, decide, submit, write } from '../support/scripted-agent.ts';
import { compiledProgram, type Installation, install, type RunOptions } from './program.ts';

compiledProgram();

/** No key of the machine that runs the test may make a model appear. */
const KEYLESS = {
  ANTHROPIC_API_KEY: '',
  OPENAI_API_KEY: '',
  OPENROUTER_API_KEY: '',
  WORKCENTER_SCRIPTED_URL: '',
  WORKCENTER_CONFIG: '/nonexistent/config',
};

/** A provider that nobody listens at: good enough to be named, never asked. */
const WITH_MODEL = { env: { ...KEYLESS, WORKCENTER_SCRIPTED_URL: 'http://127.0.0.1:9/v1' } };
const WITHOUT_MODEL = { env: KEYLESS };

interface Item {
  readonly id: string;
  readonly [name: string]: unknown;
}

async function made(program: Installation, args: readonly string[], options: RunOptions = WITH_MODEL): Promise<Item> {
  const { code, data } = await program.json(['new', ...args], options);
  expect([code, data]).toMatchObject([0, { id: expect.any(String) }]);
  return data as Item;
}

/** Exit code and code of the refusal; nothing may have been created. */
async function refusal(program: Installation, args: readonly string[], options: RunOptions = WITH_MODEL) {
  const { code, data } = await program.json(args, options);
  const { error } = data as { error: Record<string, string | null> };
  for (const name of ['found', 'next']) expect(error[name], `${name} of ${args[0]}`).toMatch(/\S/);
  return [code, error.code] as const;
}

const items = async (program: Installation): Promise<unknown> => {
  const { data } = await program.json(['ls', '--all']);
  return (data as { items: readonly unknown[] }).items.length;
};

describe('a new goal', () => {
  test('becomes a coordinated item with a contract, a forecast and a title to be bettered', async () => {
    const program = await install();
    const repo = await program.repository({ 'a.txt': 'x\n', 'package.json': '{}', 'package-lock.json': '{}' });
    const goal = ['Make it better', '--criterion', 'It is better', '--check', 'c1=test -f a.txt', '--repo', repo];
    const item = await made(program, [...goal, '--deliver', 'pr', '--budget', '5usd,200k,50req,2h', '--key', 'k1']);
    expect(item).toMatchObject({
      status: 'deciding',
      plan: 'coordinated',
      title: 'Make it better',
      criteria: [{ id: 'c1', text: 'It is better', check: 'test -f a.txt', minProof: 'machine' }],
      delivery: { target: 'pull_request', branch: 'main' },
      limits: { costMicros: 5_000_000, tokens: 200_000, requests: 50, wallClockSec: 7_200 },
      forecast: { basis: 'default', n: 0 },
      coordinatorModel: 'scripted/ultimate',
      setupDetected: true,
    });
    const again = await made(program, [...goal, '--deliver', 'pr', '--budget', '5usd,200k,50req,2h', '--key', 'k1']);
    expect(again.id).toBe(item.id);
    const said = await program.run(['new', ...goal, '--setup', ''], WITH_MODEL);
    expect(said.out).toContain('scripted/ultimate');
    expect(said.out).toContain('forecast');
    expect(said.out).toContain('Next: workcenter up');
    expect(said.out).not.toContain('npm ci');
  });

  test('is read from standard input, and stays a draft without a model or when the settings say so', async () => {
    const program = await install();
    const repo = await program.repository();
    const draft = await made(program, ['Later', '--draft', '--repo', repo], WITHOUT_MODEL);
    expect(draft).toMatchObject({ status: 'draft', coordinatorModel: null });
    expect((await program.run(['settings', 'set', 'startImmediately', 'false'])).code).toBe(0);
    const piped = program.start(['new', '-', '--repo', repo, '--json'], { ...WITH_MODEL, input: 'From a pipe\n' });
    expect(JSON.parse((await piped.ended).out)).toMatchObject({ status: 'draft', goal: 'From a pipe' });
  });

  test('is refused before anything is created', async () => {
    const program = await install();
    const repo = await program.repository();
    const attempt = (...args: readonly string[]) => refusal(program, ['new', 'Better', '--repo', repo, ...args]);
    const many = Array.from({ length: 25 }, (_, index) => ['--criterion', `number ${index}`]).flat();
    expect(await attempt(...many)).toEqual([2, 'invalid_value']);
    expect(await attempt('--criterion', 'a', '--criterion', 'b', '--check', 'c9=true')).toEqual([2, 'invalid_value']);
    expect(await attempt('--attach', '/dev/null')).toEqual([2, 'attachment_kind']);
    expect(await attempt('--budget', '5eur')).toEqual([2, 'invalid_value']);
    expect(await attempt('--deliver', 'email')).toEqual([2, 'invalid_value']);
    expect(await attempt('--repo', join(repo, 'a.txt'))).toEqual([2, 'invalid_field']);
    expect(await refusal(program, ['new', 'x'.repeat(2_001), '--repo', repo])).toEqual([2, 'invalid_value']);
    expect(await refusal(program, ['new', 'Better', '--repo', repo], WITHOUT_MODEL)).toEqual([2, 'model_missing']);
    expect(await items(program)).toBe(0);
  });

  test('says which key is missing, and what an unknown model should be', async () => {
    const program = await install();
    const repo = await program.repository();
    const set = (value: string) => ['settings', 'set', 'models.coordinator', value];
    expect(await refusal(program, set('nosuch/model'))).toEqual([2, 'unknown_provider']);
    expect((await program.run(set('anthropic/claude-opus-5'), WITHOUT_MODEL)).code).toBe(0);
    const { code, err } = await program.run(['new', 'Better', '--repo', repo], WITHOUT_MODEL);
    expect([code, err.includes('key_missing'), err.includes('ANTHROPIC_API_KEY')]).toEqual([2, true, true]);
    expect((await program.run(set('ollama/unheard-of'), WITHOUT_MODEL)).code).toBe(0);
    const priced = ['new', 'Better', '--repo', repo, '--budget', '1usd'];
    expect(await refusal(program, priced, WITHOUT_MODEL)).toEqual([2, 'unpriced_model']);
    expect((await program.run([...priced, '--allow-unmetered'], WITHOUT_MODEL)).code).toBe(0);
  });

  test('stays a draft when an agent asks for it, since only a person may start work', async () => {
    const program = await install();
    const repo = await program.repository();
    const inside = { env: { ...WITH_MODEL.env, WORKCENTER_RUN: 'run-1' } };
    expect(await made(program, ['Better', '--repo', repo], inside)).toMatchObject({ status: 'draft' });
  });
});

describe('a conversation', () => {
  test('reaches the Coordinator once, with its files, and is shown with how far it has come (D14)', async () => {
    const program = await install();
    const repo = await program.repository();
    const { id } = await made(program, ['Better', '--repo', repo]);
    const say = ['say', id, 'Also on Windows', '--attach', join(repo, 'a.txt'), '--client-id', 'one'];
    expect((await program.run(say)).out).toContain('m1 is for the Coordinator');
    expect((await program.run(say)).out).toContain('said before');
    expect((await program.json(['show', id])).data).toMatchObject({
      conversation: [{ entryId: 'm1', text: 'Also on Windows', delivery: 'queued', attachments: [{ name: 'a.txt' }] }],
    });
    expect((await program.run(['log', id])).out).toContain('m1 to the Coordinator: Also on Windows (1 attached)');
  });

  test('refuses 400 kB, bytes that are no text, nobody, and silence', async () => {
    const program = await install();
    const repo = await program.repository();
    const { id } = await made(program, ['Better', '--repo', repo]);
    const piped = async (input: string | Uint8Array) => {
      const { code, out } = await program.start(['say', id, '-', '--json'], { input }).ended;
      return [code, (JSON.parse(out) as { error: { code: string; found: string } }).error];
    };
    expect(await piped('x'.repeat(400_000))).toMatchObject([2, { found: '400000 characters' }]);
    expect(await piped(new Uint8Array([0xff, 0xfe, 0x00]))).toMatchObject([2, { code: 'not_text' }]);
    expect(await refusal(program, ['say', id, ' '])).toEqual([2, 'invalid_value']);
    expect(await refusal(program, ['say', id, 'x', '--to', 'nobody'])).toEqual([4, 'action_not_found']);
    expect(await refusal(program, ['approve', id])).toEqual([4, 'request_not_found']);
    expect(await refusal(program, ['operation', 'resolve', id, 'op', 'applied', '--note', 'x'])).toEqual([
      4,
      'operation_not_found',
    ]);
  });

  test('and all that decides is refused inside of a Run', async () => {
    const program = await install();
    const inside = { env: { WORKCENTER_RUN: 'run-1' } };
    for (const args of [
      ['say', 'x', 'y'],
      ['approve', 'x'],
      ['reject', 'x'],
      ['operation', 'resolve', 'x', 'y', 'applied', '--note', 'z'],
      ['settings', 'unset', 'permissions'],
      ['vp', 'new', 'me'],
    ]) {
      expect([args[0], await refusal(program, args, inside)]).toEqual([args[0], [3, 'user_required']]);
    }
  });
});

describe('VPs and models', () => {
  test('are listed, made, added and shown, also when a file is broken', async () => {
    const program = await install();
    const repo = await program.repository();
    const config = join(program.root, 'config');
    const options = { cwd: repo, env: { WORKCENTER_CONFIG: config } };
    const vp = (...args: readonly string[]) => program.run(['vp', ...args], options);
    expect((await vp('new', 'db-expert', '--capability', 'database', '--model', 'ultimate')).code).toBe(0);
    expect(await readFile(join(repo, '.workcenter/vps/db-expert.md'), 'utf8')).toContain('model: ultimate');
    expect(await refusal(program, ['vp', 'new', 'db-expert'], options)).toEqual([2, 'vp_duplicate']);
    const path = await program.write('mine.md', '---\nname: Mine\nrole: Does it\ncapabilities: [x]\n---\n\nI do.\n');
    expect((await vp('add', path, '--user')).out).toContain(join(config, 'vps', 'mine.md'));
    await mkdir(join(repo, '.claude/agents'), { recursive: true });
    await writeFile(join(repo, '.workcenter/vps/broken.md'), 'no front matter');
    const { data } = await program.json(['vp'], options);
    expect(data).toMatchObject({ findings: [{ kind: 'broken', id: 'broken' }] });
    const ids = (data as { vps: readonly { id: string; source: { kind: string } }[] }).vps.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(['db-expert', 'mine', 'reviewer']));
    expect((await vp('show', 'reviewer')).out).toContain('built-in');
    expect(await refusal(program, ['vp', 'show', 'broken'], options)).toEqual([4, 'vp_not_found']);
    expect(await refusal(program, ['vp', 'add', join(repo, 'a.txt')], options)).toEqual([2, 'vp_invalid']);
  });

  test('may be set without a key, which is said', async () => {
    const program = await install();
    const set = ['settings', 'set', 'models.coordinator', 'anthropic/claude-opus-5-5'];
    const said = await program.run(set, { env: KEYLESS });
    expect([said.code, said.out]).toEqual([0, 'models.coordinator is anthropic/claude-opus-5-5 now.\n']);
    expect(said.err).toContain('Set ANTHROPIC_API_KEY');
    const { code, data } = await program.json(set, { env: KEYLESS });
    expect([code, data]).toMatchObject([0, { note: expect.stringContaining('ANTHROPIC_API_KEY') }]);
    const keyed = await program.run(set, { env: { ...KEYLESS, ANTHROPIC_API_KEY: 'sk-ant' } });
    expect([keyed.code, keyed.err]).toEqual([0, '']);
  });

  test('say what is missing without a key, and never what a key is', async () => {
    const program = await install();
    const without = await program.run(['models'], WITHOUT_MODEL);
    expect(without.out).toContain('ANTHROPIC_API_KEY is not set');
    const secret = 'sk-ant-very-secret';
    const withKey = await program.run(['models'], { env: { ...KEYLESS, ANTHROPIC_API_KEY: secret } });
    expect(withKey.out).toContain('ANTHROPIC_API_KEY is set');
    expect(withKey.out).toMatch(/ultimate\s+anthropic\//);
    const { data } = await program.json(['models'], { env: { ...KEYLESS, ANTHROPIC_API_KEY: secret } });
    expect(JSON.stringify([withKey.out, data])).not.toContain(secret);
  });
});

describe('what a Coordinator asks', () => {
  test('is answered by the number of a suggestion, and what it proposes is confirmed or refused', async () => {
    const propose = (text: string) => ({ kind: 'propose_contract', criteria: [{ id: 'c1', text }] });
    const model = await startScriptedModel({
      name: 'asks',
      steps: [
        coordinator(
          decide({ decisions: [{ kind: 'request_human', question: 'Which system?', options: ['Linux', 'Windows'] }] }),
          decide({ reply: 'Shall I say so?', decisions: [propose('It works on Windows')] }),
          decide({ reply: 'Or this?', decisions: [propose('It works anywhere')] }),
        ),
      ],
    });
    try {
      const program = await install();
      const repo = await program.repository();
      const options = { env: { ...KEYLESS, WORKCENTER_SCRIPTED_URL: model.openaiUrl } };
      const asked = await program.json(['new', 'It works', '--repo', repo, '--watch'], options);
      const { id } = asked.data as Item;
      expect(asked).toMatchObject({ code: 5, data: { requests: [{ id: 'r1', options: ['Linux', 'Windows'] }] } });
      expect((await program.run(['answer', id])).out).toContain('#2  Windows');
      expect(await refusal(program, ['approve', id, 'r1'])).toEqual([2, 'choice_not_offered']);
      expect((await program.run(['answer', id, '#2'])).code).toBe(0);
      await program.run(['up', '--until-idle'], options);
      const shown = (await program.run(['show', id])).out;
      expect(shown).toContain('+     text: It works on Windows');
      expect(shown).toContain('Windows');
      expect((await program.run(['approve', id])).out).toContain('r2 is answered: confirm.');
      expect((await program.json(['show', id])).data).toMatchObject({ criteria: [{ text: 'It works on Windows' }] });
      expect((await program.run(['say', id, 'Say it better'])).code).toBe(0);
      await program.run(['up', '--until-idle'], options);
      expect((await program.run(['reject', id, '--note', 'Good enough'])).out).toContain('r3 is answered: reject.');
      expect((await program.json(['show', id])).data).toMatchObject({ criteria: [{ text: 'It works on Windows' }] });
    } finally {
      await model.close();
    }
  });
});

describe('a goal that is carried', () => {
  test('ends proven, with its conversation, who did it and what it cost', async () => {
    const model = await startScriptedModel({
      name: 'one file',
      steps: [
        coordinator(
          decide({ title: 'One file', reply: 'I begin.', decisions: [create(commission('a', { for: ['c1'] }))] }),
          decide({ decisions: [complete()] }),
        ),
        agent(/Make a true/, write('b.txt', 'b\n'), submit('Wrote b.txt.')),
      ],
    });
    try {
      const program = await install();
      const repo = await program.repository();
      const options = { env: { ...KEYLESS, WORKCENTER_SCRIPTED_URL: model.openaiUrl } };
      const goal = ['new', 'Write b.txt', '--check', 'c1=test -f b.txt', '--repo', repo, '--watch'];
      const { code, out, err } = await program.run(goal, options);
      expect([code, out + err]).toEqual([0, expect.stringContaining('Done. 1 of 1 proven.')]);
      expect(out).toContain('The Coordinator commissioned a for ');
      const id = /^(\w{10}) {2}Write b.txt/m.exec(err)?.[1] ?? '';
      const { data } = await program.json(['show', id]);
      expect(data).toMatchObject({ title: 'One file', status: 'done', decisions: [{ reply: 'I begin.' }, {}] });
      expect((await program.run(['show', id, '--run', 'a'])).out).toContain('scripted/');
      expect((await program.run(['output', id, 'a'])).out).toContain('b.txt');
      const { data: cost } = await program.json(['cost', id]);
      expect(cost).toMatchObject({ total: { requests: 4, unpriced: 0 }, forecast: { basis: 'default' } });
    } finally {
      await model.close();
    }
  });
});
