#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';

/** The version is asked often and by scripts: it is answered before anything else is loaded. */
function versionOf(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const data: unknown = JSON.parse(text);
  const version = typeof data === 'object' && data !== null && 'version' in data ? data.version : undefined;
  return typeof version === 'string' ? version : 'unknown';
}

/** Node 22 and newer keep compiled code between starts. */
function keepCompiledCode(): void {
  const enable: unknown = Reflect.get(nodeModule, 'enableCompileCache');
  if (typeof enable === 'function') enable();
}

async function main(): Promise<void> {
  const args = process.argv.slice(2);
  const version = versionOf();
  if (args.length === 1 && (args[0] === '--version' || args[0] === '-V')) {
    process.stdout.write(`${version}\n`);
    return;
  }
  keepCompiledCode();
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(args, version);
}

await main();
