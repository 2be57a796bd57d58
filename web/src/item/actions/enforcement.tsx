import { useTranslations } from 'use-intl';
import type { AgentManifest, Run } from '../../../../src/client/index.ts';
import { Tag } from '../../components/tag.tsx';
import css from './actions.module.css';
import { Snapshot } from './snapshot.tsx';

const HELD = ['filesystem', 'network', 'processes'] as const;

/** What the sandbox held the Run to, who carried it, and what its agent was made of. */
export function Enforcement({ itemId, run }: { readonly itemId: string; readonly run: Run }) {
  const t = useTranslations('actions');
  const { enforcement, agent, owner } = run;
  return (
    <section className={css.section}>
      <h3>{t('heldTo')}</h3>
      {enforcement === null ? (
        <p className="small muted">{t('notStarted')}</p>
      ) : (
        <p className={css.line}>
          <Tag look={enforcement.sandbox === 'none' ? 'warning' : 'plain'}>{enforcement.sandbox}</Tag>
          {HELD.map((what) => (
            <Tag key={what} look={enforcement[what] ? 'machine' : 'missing'}>
              {enforcement[what] ? t(`held.${what}`) : t(`free.${what}`)}
            </Tag>
          ))}
          {enforcement.reason !== undefined && <span className="small muted">{enforcement.reason}</span>}
        </p>
      )}
      {agent && <Agent itemId={itemId} agent={agent} />}
      <p className="small faint">{t('carriedBy', { owner })}</p>
    </section>
  );
}

function Agent({ itemId, agent }: { readonly itemId: string; readonly agent: AgentManifest }) {
  const t = useTranslations('actions');
  const { vp, model, effort, tools, systemHash, contextHash, policyHash, omitted } = agent;
  return (
    <>
      <p className={`small ${css.line}`}>
        <span>{vp}</span>
        <code>{model}</code>
        {effort !== undefined && <span className="muted">{t('effort', { effort })}</span>}
      </p>
      <p className="small muted">{t('tools', { tools: tools.join(', ') })}</p>
      {omitted.length > 0 && <p className="small muted">{t('omitted', { what: omitted.join(', ') })}</p>}
      <div className={css.stored}>
        <Snapshot itemId={itemId} hash={systemHash} label={t('system')} />
        <Snapshot itemId={itemId} hash={contextHash} label={t('context')} />
        <Snapshot itemId={itemId} hash={policyHash} label={t('policy')} />
      </div>
    </>
  );
}
