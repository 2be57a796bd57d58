import { useTranslations } from 'use-intl';
import type { Request } from '../../../src/client/index.ts';
import css from './facts.module.css';

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Of a tool call: what it does, where, what may come of it, and how far a leave would reach. */
export function ApprovalFacts({ request }: { readonly request: Request }) {
  const t = useTranslations('ask');
  const { tool, call, directory, pattern } = request.subject;
  const risks = request.details.filter((detail) => detail !== `in ${textOf(directory)}`);
  const isWide = request.choices.includes('approve_pattern');
  return (
    <dl className={css.facts}>
      <dt>{t('what')}</dt>
      <dd>
        <span className={css.tool}>{textOf(tool)}</span>
        <pre className={css.call} dir="auto">
          {textOf(call)}
        </pre>
      </dd>
      <dt>{t('where')}</dt>
      <dd className="mono" dir="auto">
        {textOf(directory)}
      </dd>
      <dt>{t('risk')}</dt>
      <dd dir="auto">{risks.join(' ')}</dd>
      <dt>{t('undo')}</dt>
      <dd>{t('undoUnknown')}</dd>
      <dt>{t('covers')}</dt>
      <dd>
        {t('once')}
        {isWide && (
          <>
            {' · '}
            {t('choice.approve_pattern')}: <code>{textOf(pattern)}</code>
          </>
        )}
      </dd>
    </dl>
  );
}
