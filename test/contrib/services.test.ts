import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { newMetrics } from '../../src/api/metrics/metrics.ts';
import { EXIT } from '../../src/cli/exit-codes.ts';
import { engineSettings } from '../../src/engine/index.ts';
import { openMemoryStore } from '../../src/store/index.ts';

const read = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const UNIT = read('contrib/systemd/workcenter.service');
const PLIST = read('contrib/launchd/workcenter.plist');

/** The last value of every key of a unit file, by section. */
function unitOf(text: string): ReadonlyMap<string, string> {
  let section = '';
  const values = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [, name] = /^\[(\w+)\]$/.exec(line) ?? [];
    const [, key, value] = /^(\w+)=(.*)$/.exec(line) ?? [];
    expect(name ?? key ?? line, 'a line that is no section, key or comment').toMatch(/^(\w+|#.*|)$/);
    if (name !== undefined) section = name;
    if (key !== undefined) values.set(`${section}.${key}`, value ?? '');
  }
  return values;
}

/** What `systemd-analyze` finds wrong with a unit; undefined where there is none of it. The program is one that exists. */
function verified(unit: string): string | undefined {
  const directory = mkdtempSync(join(tmpdir(), 'wc-unit-'));
  const path = join(directory, 'workcenter.service');
  writeFileSync(path, unit.replace('/usr/local/bin/workcenter', process.execPath));
  try {
    return execFileSync('sh', ['-c', 'systemd-analyze verify "$1" 2>&1', 'sh', path], { encoding: 'utf8' }).trim();
  } catch (error) {
    const { status, stdout } = error as { readonly status?: number; readonly stdout?: string };
    return status === 127 ? undefined : `${stdout}`.trim() || 'refused';
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Names of elements in order, with what is wrong about their nesting. */
function elementsOf(xml: string): { readonly names: readonly string[]; readonly wrong: readonly string[] } {
  const open: string[] = [];
  const names: string[] = [];
  const wrong: string[] = [];
  for (const [, close, name = '', empty] of xml.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/g)) {
    if (close === '/') {
      if (open.pop() !== name) wrong.push(`</${name}>`);
    } else {
      names.push(name);
      if (empty !== '/') open.push(name);
    }
  }
  return { names, wrong: [...wrong, ...open] };
}

const seconds = (value: string | undefined): number => Number(value);

describe('the unit for systemd', () => {
  const unit = unitOf(UNIT);

  it('is understood by systemd where it is there, to the last key', () => {
    expect(verified(UNIT) ?? '').toBe('');
    expect(verified(UNIT.replace('KillMode=process', 'KillMood=process')) ?? 'Unknown key').toContain('Unknown key');
  });

  it('leaves an orderly stop its time, counts it as success and starts again after a failure', () => {
    expect(unit.get('Service.Type')).toBe('exec');
    expect(unit.get('Service.KillSignal')).toBe('SIGTERM');
    expect(seconds(unit.get('Service.TimeoutStopSec')) * 1_000).toBeGreaterThan(2 * engineSettings({}).shutdownMs);
    expect(unit.get('Service.SuccessExitStatus')).toBe(String(EXIT.interrupted));
    expect(unit.get('Service.Restart')).toBe('on-failure');
    expect(unit.get('Service.RestartPreventExitStatus')).toBe(String(EXIT.invalid));
    expect(unit.get('Service.EnvironmentFile')).toMatch(/^-\//);
  });

  it('forbids nothing that the sandbox of Runs is made of', () => {
    const needed = [
      'RestrictNamespaces',
      'ProtectKernelTunables',
      'ProtectProc',
      'PrivateUsers',
      'MemoryDenyWriteExecute',
    ];
    expect(needed.filter((key) => unit.has(`Service.${key}`))).toEqual([]);
    expect([unit.get('Service.NoNewPrivileges'), unit.get('Service.CapabilityBoundingSet')]).toEqual(['yes', '']);
  });
});

describe('the property list for launchd', () => {
  it('is well-formed, and every key has its value', () => {
    const { names, wrong } = elementsOf(PLIST.replace(/<\?.*?\?>|<!DOCTYPE.*?>|<!--.*?-->/gs, ''));
    expect(wrong).toEqual([]);
    expect(names.slice(0, 2)).toEqual(['plist', 'dict']);
    for (const [index, name] of names.entries()) {
      if (name === 'key') expect(['string', 'array', 'dict', 'true', 'false', 'integer']).toContain(names[index + 1]);
    }
    expect(elementsOf('<a><b></a>').wrong).not.toEqual([]);
  });

  it('leaves an orderly stop its time', () => {
    const [, timeout] = /<key>ExitTimeOut<\/key>\s*<integer>(\d+)<\/integer>/.exec(PLIST) ?? [];
    expect(seconds(timeout) * 1_000).toBeGreaterThan(2 * engineSettings({}).shutdownMs);
  });
});

it('every figure is described, with its labels, and no other', async () => {
  const text = await newMetrics(openMemoryStore(), new AbortController().signal).text();
  const served = [...text.matchAll(/^# HELP (workcenter_\w+)/gm)].map(([, name]) => name);
  const described = [...read('docs/service.md').matchAll(/^\| `(workcenter_\w+)` \|/gm)].map(([, name]) => name);
  // The server adds what it alone knows.
  expect(described.toSorted()).toEqual([...served, 'workcenter_streams_open'].toSorted());
  for (const [, name, label, value] of text.matchAll(/^(workcenter_\w+_total)\{(\w+)="(\w+)"\}/gm)) {
    const row = new RegExp(`^\\| \`${name}\` \\| \`${label}\`:.*\\b${value}\\b`, 'm');
    expect(read('docs/service.md'), `${name}{${label}="${value}"}`).toMatch(row);
  }
});
