import { parseVp } from '../parse-vp.ts';
import type { Vp } from '../vp.ts';
import { implementer } from './implementer.ts';
import { integrator } from './integrator.ts';
import { researcher } from './researcher.ts';
import { reviewer } from './reviewer.ts';
import { tester } from './tester.ts';
import { writer } from './writer.ts';

/** As files, so that a person can copy one and change it. Modules, so that the bundled program carries them. */
const BUILT_IN_TEXTS: readonly string[] = [implementer, integrator, researcher, reviewer, tester, writer];

/**
 * The VPs that need no file, by id. Together they declare every known capability once and no synonym, so that anybody
 * who declares a capability scores at least as high as they do.
 */
export function builtInVps(): readonly Vp[] {
  return BUILT_IN_TEXTS.map((text) => {
    const parsed = parseVp(text, { kind: 'built-in' });
    if (!parsed.ok) throw new Error(`a built-in VP is broken: ${JSON.stringify(parsed.problems)}`);
    return parsed.vp;
  });
}
