import type { WorkspacePolicy } from '../../core/model/contract.ts';
import type { Limits } from '../../core/model/item.ts';
import type { Problem } from '../../core/rules/contract-rules.ts';
import type { PlanDocument } from '../read/schema.ts';
import { listOf } from './compile-contract.ts';

/** VPs of the place that a plan is for, by id, and what carries them out. */
export type KnownVps = ReadonlyMap<string, 'agent' | 'command'>;

interface FileFacts {
  readonly workspace: WorkspacePolicy;
  readonly isGit: boolean;
  readonly limits: Limits;
  /** Unknown: what is not there shows at the Run. */
  readonly vps?: KnownVps | undefined;
  readonly userHome?: string | undefined;
}

const isInside = (path: string): boolean => !path.startsWith('/') && !path.split('/').includes('..');

function attemptProblems({ budget, actions }: PlanDocument): readonly Problem[] {
  const most = budget?.attempts;
  return actions.flatMap(({ maxAttempts }, index) => {
    if (most === undefined || maxAttempts === undefined || maxAttempts <= most) return [];
    const expected = `1..${most}, as budget.attempts says`;
    return [{ path: `actions[${index}].maxAttempts`, expected, found: String(maxAttempts) }];
  });
}

function protectionProblems({ criteria }: PlanDocument): readonly Problem[] {
  return criteria.flatMap((criterion, index) => {
    const { check, minProof } = typeof criterion === 'object' ? criterion : {};
    const guarded = typeof check === 'object' && listOf(check.protect).length > 0;
    if (check === undefined || minProof !== 'machine-protected' || guarded) return [];
    const path = `criteria[${index}].minProof`;
    return [{ path, expected: 'a check with protect', found: 'machine-protected without it' }];
  });
}

function setupProblems({ setup }: PlanDocument): readonly Problem[] {
  const inputs = typeof setup === 'object' ? setup.inputs : undefined;
  return listOf(inputs).flatMap((path, index) => {
    if (isInside(path)) return [];
    const at = Array.isArray(inputs) ? `setup.inputs[${index}]` : 'setup.inputs';
    return [{ path: at, expected: 'a path inside the project', found: path }];
  });
}

function deliveryProblems({ delivery }: PlanDocument): readonly Problem[] {
  if (typeof delivery !== 'object' || delivery.branch === undefined) return [];
  if (delivery.target === 'merge' || delivery.target === 'pull_request') return [];
  const expected = 'a branch only where the target is pull_request or merge';
  return [{ path: 'delivery.branch', expected, found: `${delivery.branch} for ${delivery.target}` }];
}

function workspaceProblems({ actions }: PlanDocument, { workspace, isGit }: FileFacts): readonly Problem[] {
  const expected = 'in-place where there is no git repository';
  if (workspace === 'isolated') return isGit ? [] : [{ path: 'workspace', expected, found: 'isolated' }];
  return actions.flatMap((action, index) =>
    action.workspace === 'integrate'
      ? [{ path: `actions[${index}].workspace`, expected: 'read or shared in place', found: 'integrate' }]
      : [],
  );
}

function pathProblems(entry: PlanDocument['sandbox'], at: string, userHome: string | undefined): readonly Problem[] {
  const expected = userHome === undefined ? 'an absolute path' : 'an absolute path, or one that begins with ~/';
  const isUsable = (path: string): boolean => path.startsWith('/') || (userHome !== undefined && path.startsWith('~/'));
  return (['readable', 'writable'] as const).flatMap((key) =>
    listOf(entry?.[key]).flatMap((path, index) => {
      if (isUsable(path)) return [];
      const place = Array.isArray(entry?.[key]) ? `${at}.${key}[${index}]` : `${at}.${key}`;
      return [{ path: place, expected, found: path }];
    }),
  );
}

function vpProblems({ actions }: PlanDocument, vps: KnownVps | undefined): readonly Problem[] {
  if (vps === undefined) return [];
  const agents = [...vps].flatMap(([id, kind]) => (kind === 'agent' ? [id] : []));
  return actions.flatMap(({ vp }, index) => {
    const kind = vp === undefined ? 'agent' : vps.get(vp);
    if (vp === undefined || kind === 'agent') return [];
    const expected =
      kind === 'command' ? `its command as run, for the VP ${vp} is one` : `one of ${agents.join(', ') || 'none'}`;
    return [{ path: `actions[${index}].vp`, expected, found: vp }];
  });
}

/** The core says so too, but not where (D27). */
function meteredProblems({ actions, budget }: PlanDocument, limits: Limits): readonly Problem[] {
  const isMetered =
    limits.costMicros === null || limits.allowUnmetered || actions.every(({ run }) => run === undefined);
  if (isMetered) return [];
  const origin = budget?.usd === undefined ? 'the settings limit money' : 'usd is limited';
  const expected = `true, for ${origin} and commands report no cost`;
  return [{ path: 'budget.allowUnmetered', expected, found: budget?.allowUnmetered === false ? 'false' : 'nothing' }];
}

/** Rules that only the file knows, because its compiled form would hide what was asked for (D3: refused, not clamped). */
export function fileProblems(document: PlanDocument, facts: FileFacts): readonly Problem[] {
  return [
    ...attemptProblems(document),
    ...protectionProblems(document),
    ...setupProblems(document),
    ...deliveryProblems(document),
    ...workspaceProblems(document, facts),
    ...vpProblems(document, facts.vps),
    ...meteredProblems(document, facts.limits),
    ...pathProblems(document.sandbox, 'sandbox', facts.userHome),
    ...document.actions.flatMap(({ sandbox }, index) =>
      pathProblems(sandbox, `actions[${index}].sandbox`, facts.userHome),
    ),
  ];
}
