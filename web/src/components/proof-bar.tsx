import { useTranslations } from 'use-intl';
import type { ProofStrength, Standing } from '../../../src/client/index.ts';
import css from './proof-bar.module.css';

export interface ProofMark {
  readonly id: string;
  readonly standing: Standing;
  readonly proof: ProofStrength | null;
}

/** How one criterion looks as a segment. */
export const lookOf = ({ standing, proof }: Pick<ProofMark, 'standing' | 'proof'>): string => {
  if (standing === 'passed') return proof ?? 'machine';
  return standing === 'failed' || standing === 'stale' ? standing : 'missing';
};

/** One segment for each criterion: machine, independent, self, failed, stale, missing, each with a pattern of its own. */
export function ProofBar({ marks }: { readonly marks: readonly ProofMark[] }) {
  const t = useTranslations();
  const proven = marks.filter(({ standing }) => standing === 'passed').length;
  const said = (mark: ProofMark): string => {
    const strength = mark.standing === 'passed' && mark.proof !== null ? `, ${t(`proof.${mark.proof}`)}` : '';
    return `${mark.id}: ${t(`standing.${mark.standing}`)}${strength}`;
  };
  return (
    <span className={css.bar} role="img" aria-label={t('board.proven', { proven, total: marks.length })}>
      {marks.map((mark) => (
        <span key={mark.id} className={`${css.segment} ${css[lookOf(mark)]}`} title={said(mark)} />
      ))}
    </span>
  );
}
