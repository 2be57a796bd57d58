import { useTranslations } from 'use-intl';
import type { Contract } from '../../../../src/client/index.ts';
import { Button } from '../../components/button.tsx';
import css from './contract.module.css';
import { ContractDiff } from './contract-diff.tsx';
import type { ContractDraft } from './contract-draft.ts';
import { termsOf } from './contract-form.ts';

interface Props {
  readonly draft: ContractDraft;
  readonly theirs: Contract;
  readonly onTake: () => void;
  readonly onDiscard: () => void;
}

/** Somebody else changed the contract since it was read: both are shown, and a person says what becomes of them. */
export function ContractConflict({ draft: { base, form }, theirs, onTake, onDiscard }: Props) {
  const t = useTranslations('contract');
  return (
    <section className={css.conflict} role="alert">
      <h2>{t('conflict', { now: theirs.version, read: base.version })}</h2>
      <div className={css.two}>
        <div>
          <h3>{t('theirs')}</h3>
          <ContractDiff before={base} after={theirs} />
        </div>
        <div>
          <h3>{t('yours')}</h3>
          <ContractDiff before={base} after={termsOf(base, form)} />
        </div>
      </div>
      <div className={css.buttons}>
        <Button look="primary" onClick={onTake}>
          {t('rebase', { now: theirs.version })}
        </Button>
        <Button look="quiet" onClick={onDiscard}>
          {t('discard')}
        </Button>
      </div>
      <p className="small muted">{t('rebaseText')}</p>
    </section>
  );
}
