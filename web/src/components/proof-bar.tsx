import { useTranslations } from 'use-intl';
import type { ProofMark } from '../../../src/client/index.ts';
import css from './proof-bar.module.css';

/** `proven`: by what is not known to a list that an older version wrote. */
export type Segment = ProofMark | 'proven';

/** One segment for each criterion; each state has a pattern of its own, so that colour is never alone. */
export function ProofBar({ segments }: { readonly segments: readonly Segment[] }) {
  const t = useTranslations('mark');
  const said = segments.map((segment, index) => `c${index + 1}: ${t(segment)}`);
  return (
    <span className={css.bar} role="img" aria-label={said.join(', ')}>
      {segments.map((segment, index) => (
        <span key={said[index]} className={`${css.segment} ${css[segment]}`} title={said[index]} />
      ))}
    </span>
  );
}
