import { useTranslations } from 'use-intl';
import type { Contract, Item } from '../../../../src/client/index.ts';
import { Tag } from '../../components/tag.tsx';
import { duration, useMoney } from '../../components/values.tsx';
import css from './contract.module.css';
import { type Criterion, checkText } from './contract-parts.ts';

/** What was asked for, to be read: nothing of it is short for something else. */
export function ContractView({ contract, limits }: { readonly contract: Contract; readonly limits: Item['limits'] }) {
  const t = useTranslations('contract');
  const { goal, instructions, criteria, setup, delivery, directory, workspace } = contract;
  return (
    <div className={css.parts}>
      <section>
        <h3>{t('part.goal')}</h3>
        <p className={css.text} dir="auto">
          {goal}
        </p>
      </section>
      <section>
        <h3>{t('criteria')}</h3>
        <ol className={css.criteria}>
          {criteria.map((criterion) => (
            <CriterionLine key={criterion.id} criterion={criterion} />
          ))}
        </ol>
      </section>
      <section>
        <h3>{t('part.setup')}</h3>
        {setup ? (
          <>
            <pre className={css.command}>{setup.run}</pre>
            <p className="small muted">
              {t('network', { network: setup.network })} · {t('timeout', { time: duration(setup.timeoutSec * 1_000) })}
              {setup.inputs.length > 0 && ` · ${t('inputs', { paths: setup.inputs.join(', ') })}`}
            </p>
          </>
        ) : (
          <p className="muted">{t('noSetup')}</p>
        )}
      </section>
      <section>
        <h3>{t('part.delivery')}</h3>
        <p>
          {t(`target.${delivery.target}`)} {delivery.branch !== undefined && <code>{delivery.branch}</code>}
        </p>
      </section>
      <section>
        <h3>{t('part.instructions')}</h3>
        <p className={instructions === null ? 'muted' : css.text} dir="auto">
          {instructions ?? t('noInstructions')}
        </p>
      </section>
      <section>
        <h3>{t('place')}</h3>
        <p>
          <code>{directory}</code> <span className="muted">{t(`workspace.${workspace}`)}</span>
        </p>
      </section>
      <Limits limits={limits} />
    </div>
  );
}

function CriterionLine({ criterion: { id, text, check, minProof } }: { readonly criterion: Criterion }) {
  const t = useTranslations('contract');
  return (
    <li>
      <p>
        <code className="faint">{id}</code>{' '}
        <span className={css.text} dir="auto">
          {text}
        </span>{' '}
        <Tag title={t('minProof')}>{t(`proofs.${minProof}`)}</Tag>
      </p>
      {check ? <pre className={css.command}>{checkText(check)}</pre> : <p className="small muted">{t('noCheck')}</p>}
    </li>
  );
}

const LIMITS = ['costMicros', 'tokens', 'requests', 'runRequests', 'wallClockSec', 'attempts'] as const;

/** What it may cost. They are no part of the contract, but of what was agreed. */
function Limits({ limits }: { readonly limits: Item['limits'] }) {
  const t = useTranslations('contract');
  const money = useMoney();
  const said = (name: (typeof LIMITS)[number], value: number): string => {
    if (name === 'costMicros') return money(value);
    return name === 'wallClockSec' ? duration(value * 1_000) : t('amount', { n: value });
  };
  return (
    <section>
      <h3>{t('limits')}</h3>
      <dl className={css.limits}>
        {LIMITS.map((name) => {
          const value = limits[name];
          return (
            <div key={name}>
              <dt className="muted">{t(`limit.${name}`)}</dt>
              <dd className="num">{typeof value === 'number' ? said(name, value) : t('noLimit')}</dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
