import type { ToolPlace } from '../../executors/agent/agent-setup.ts';
import { decidePermission } from '../../executors/agent/permissions/decide-permission.ts';
import type { Policy, Verdict } from '../../executors/agent/permissions/policy.ts';
import { matchesWildcard } from '../../executors/agent/permissions/wildcard.ts';

/**
 * What a rule says of fetching a URL; null where none speaks of URLs. A rule for the tool as a whole may refuse, but
 * opens no way out of an Action that has none: that takes a rule that names the URL.
 */
export function ruledUrl(policy: Policy, place: ToolPlace, url: string): Verdict | null {
  const { mode, workspacePath, projectPath } = place;
  const call = { tool: 'web_fetch', capability: 'reads', mode, attended: true, workspacePath, projectPath } as const;
  const { decision, rule } = decidePermission(policy, { ...call, subject: url });
  if (rule === undefined) return null;
  return decision === 'deny' || rule.url !== undefined ? decision : null;
}

/**
 * Whether any URL at all may be fetched (T5): the network is open, or a rule that comes to be read names some. A rule for
 * the tool as a whole fits every URL, so none behind it is ever read.
 */
export function mayFetchAny({ rules, unattended }: Policy, network: ToolPlace['network']): boolean {
  const mayUse = (verdict: Verdict): boolean => verdict === 'allow' || (verdict === 'ask' && unattended === 'ask');
  for (const { tool, path, command, url, decide } of rules) {
    if (path !== undefined || command !== undefined || !matchesWildcard(tool, 'web_fetch')) continue;
    if (url === undefined) return network === 'all' && mayUse(decide);
    if (mayUse(decide)) return true;
  }
  return network === 'all';
}
