import { useTranslations } from 'use-intl';
import type { Proof } from '../../../../src/client/index.ts';
import { Tag, type TagLook } from '../../components/tag.tsx';
import { Ago, duration } from '../../components/values.tsx';
import css from './overview.module.css';

/** The heart of the page: for each criterion the strength of its proof, and the receipt that anybody can repeat. */
export function ProofTable({ proofs }: { readonly proofs: readonly Proof[] }) {
  const t = useTranslations('pane');
  return (
    <table className={css.table}>
      <thead>
        <tr>
          <th scope="col">{t('criterion')}</th>
          <th scope="col" className={css.proof}>
            {t('proof')}
          </th>
          <th scope="col" className={css.receipt}>
            {t('receipt')}
          </th>
        </tr>
      </thead>
      <tbody>
        {proofs.map((proof) => (
          <Row key={proof.id} proof={proof} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ proof }: { readonly proof: Proof }) {
  const t = useTranslations('pane');
  const isStale = proof.standing === 'stale';
  return (
    <tr className={isStale ? css.stale : undefined}>
      <td>
        <code className="faint">{proof.id}</code>{' '}
        <span className={css.text} dir="auto">
          {proof.text}
        </span>
        {isStale && proof.staledBy !== null && (
          <p className={`small ${css.why}`}>{t('staleBy', { action: proof.staledBy })}</p>
        )}
      </td>
      <td className={css.proof}>
        <Strength proof={proof} />
      </td>
      <td className={`small muted ${css.receipt}`}>
        <Receipt proof={proof} />
      </td>
    </tr>
  );
}

const lookOf = ({ standing, proof }: Proof): TagLook => {
  if (standing === 'passed') return proof ?? 'machine';
  return standing === 'failed' ? 'failed' : 'missing';
};

function Strength({ proof }: { readonly proof: Proof }) {
  const t = useTranslations();
  const { standing, proof: strength, flags } = proof;
  const isProven = standing === 'passed' && strength !== null;
  return (
    <span className={css.tags}>
      <Tag look={lookOf(proof)} {...(isProven ? { title: t(`proof.${strength}Long`) } : {})}>
        {isProven ? t(`proof.${strength}`) : t(`standing.${standing}`)}
      </Tag>
      {flags.map((flag) => (
        <Tag key={flag} look="warning">
          {flag.replaceAll('_', ' ')}
        </Tag>
      ))}
    </span>
  );
}

function Receipt({ proof }: { readonly proof: Proof }) {
  const t = useTranslations('pane');
  const { claim, check, minProof } = proof;
  const receipt = claim?.receipt;
  if (receipt && 'command' in receipt) {
    const { command, exitCode, durationMs, at } = receipt;
    return (
      <>
        <code>{command}</code>
        <br />
        {exitCode !== null && t('exit', { code: exitCode })} · {duration(durationMs)} · <code>{at.slice(0, 7)}</code>
      </>
    );
  }
  if (claim) {
    return (
      <>
        {claim.evidence} · <Ago at={claim.at} />
      </>
    );
  }
  return check === null ? t('noCheck', { proof: minProof }) : <code>{check}</code>;
}
