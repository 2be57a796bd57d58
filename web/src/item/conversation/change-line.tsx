import { useTranslations } from 'use-intl';
import { Link } from 'wouter';
import { Ago } from '../../components/values.tsx';
import { usePartName } from '../contract/contract-diff.tsx';
import type { ContractChange } from './contract-story.ts';
import css from './conversation.module.css';

interface Props {
  readonly itemId: string;
  readonly change: ContractChange;
}

/** What was asked for became something else: what was said before was about the earlier words. */
export function ChangeLine({ itemId, change: { at, changed, goal } }: Props) {
  const t = useTranslations('talk');
  const partName = usePartName();
  return (
    <li className={`${css.entry} ${css.change}`}>
      <p className={css.who}>
        <strong>{t('contractChanged')}</strong>
        <span>{changed.map(partName).join(', ')}</span>
        <Ago at={at} />
        <Link href={`/work/${itemId}/contract`}>{t('seeContract')}</Link>
      </p>
      {goal !== undefined && (
        <p className={css.words} dir="auto">
          {goal}
        </p>
      )}
    </li>
  );
}
