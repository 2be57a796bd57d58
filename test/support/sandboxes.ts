import type { Enforcement } from '../../src/workspace/sandbox/policy.ts';
import { probeSandbox } from '../../src/workspace/sandbox/probe-sandbox.ts';

/** What this machine can enforce, and what it is without a sandbox: both ways have to be right. */
export const sandboxed: Enforcement = await probeSandbox();
export const bare: Enforcement = await probeSandbox({ disabled: true });
