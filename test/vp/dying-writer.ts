/** Writes one VP and kills itself before or after the first call of one function. Arguments: root, function, phase. */
import fs from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';

const [root = '', name = '', phase] = process.argv.slice(2);
const real: unknown = Reflect.get(fs, name);
if (typeof real !== 'function') throw new Error(`there is no ${name}`);

Reflect.set(fs, name, async (...args: unknown[]) => {
  if (phase === 'before') process.kill(process.pid, 'SIGKILL');
  const answer: unknown = await Reflect.apply(real, fs, args);
  process.kill(process.pid, 'SIGKILL');
  return answer;
});
syncBuiltinESMExports();

const { writeVp } = await import('../../src/vp/write-vp.ts');
const draft = { id: 'mortal', name: 'Mortal', role: 'Dies', capabilities: ['dying'], persona: 'You die.' };
await writeVp(draft, { kind: 'project', folder: join(root, '.workcenter', 'vps'), within: root, taken: [] });
