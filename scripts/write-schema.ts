/** `npm run schema`: writes the published JSON Schema of a plan file from the module that validates it. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const source = 'src/plan/read/schema.ts';
const target = 'schemas/plan.json';

async function main(): Promise<number> {
  if (!existsSync(source)) {
    console.error(`${source} is not there; it should export planJsonSchema, the schema as a plain object`);
    return 1;
  }
  const loaded: unknown = await import(pathToFileURL(source).href);
  const schema: unknown =
    typeof loaded === 'object' && loaded !== null ? Reflect.get(loaded, 'planJsonSchema') : undefined;
  if (typeof schema !== 'object' || schema === null) {
    console.error(`${source} should export planJsonSchema, the schema as a plain object; it does not`);
    return 1;
  }
  mkdirSync('schemas', { recursive: true });
  writeFileSync(target, `${JSON.stringify(schema, null, 2)}\n`);
  console.log(`wrote ${target}`);
  return 0;
}

process.exitCode = await main();
